import type { Client, Connection, Submittable } from 'pg';

export interface Column {
  name: string;
  type: string;
  /** Unknown of an expression. */
  mayBeNull: boolean | undefined;
}

export interface Description {
  columns: Column[];
  parameters: string[];
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** Prepares a statement without running it, and reads what PostgreSQL says about it. */
class Preparation implements Submittable {
  readonly described: Promise<{ fields: Field[]; parameters: number[] }>;
  readonly #text: string;
  readonly #settle = Promise.withResolvers<{ fields: Field[]; parameters: number[] }>();
  #fields: Field[] = [];
  #parameters: number[] = [];
  #connection!: Connection;

  constructor(text: string) {
    this.#text = text;
    this.described = this.#settle.promise;
  }
  readonly #noteParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
    this.#parameters = dataTypeIDs;
  };
  submit(connection: Connection): void {
    this.#connection = connection;
    connection.once('parameterDescription', this.#noteParameters);
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }
  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }
  handleError(error: Error): void {
    this.#connection.off('parameterDescription', this.#noteParameters);
    this.#settle.reject(error);
  }
  handleReadyForQuery(): void {
    this.#settle.resolve({ fields: this.#fields, parameters: this.#parameters });
  }
}

export async function openDescriber(client: Client): Promise<(text: string) => Promise<Description>> {
  const { rows: types } = await client.query<{ oid: number; name: string }>(
    'select oid::int, typname as name from pg_type',
  );
  const typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  const { rows: optional } = await client.query<{ key: string }>(
    `select attrelid || '.' || attnum as key from pg_attribute where not attnotnull and attnum > 0`,
  );
  const mayBeNull = new Set(optional.map(({ key }) => key));
  const nameOf = (oid: number): string => typeNames.get(oid) ?? String(oid);
  return async (text) => {
    const preparation = new Preparation(text);
    client.query(preparation);
    const { fields, parameters } = await preparation.described;
    return {
      columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
        name,
        type: nameOf(dataTypeID),
        mayBeNull: tableID === 0 ? undefined : mayBeNull.has(`${tableID}.${columnID}`),
      })),
      parameters: parameters.map(nameOf),
    };
  };
}
