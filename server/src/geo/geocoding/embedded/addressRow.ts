/** One address of a source of any format. */
export interface AddressRow {
  /** The code of IBGE. */
  municipality: number;
  /** 0: not known. */
  postcode: number;
  district: string;
  /** With its kind and title: "RUA DOUTOR FLORES". */
  street: string;
  /** 0: it has none. */
  number: number;
  lat: number;
  lng: number;
  /** 1 is best, 6 worst; see numberTable.ts. */
  quality: number;
}

/** Why rows of a source are left out. */
export type SkipReason =
  | 'incomplete'
  | 'without a street'
  | 'without coordinates'
  | 'outside Brazil'
  | 'in an unknown municipality';

/** Takes the rows of a source. */
export interface RowSink {
  add(row: AddressRow): void;
  skip(reason: SkipReason): void;
  /** Awaited by readers between pieces, because added rows may have to be written first. */
  rest(): Promise<void>;
}
