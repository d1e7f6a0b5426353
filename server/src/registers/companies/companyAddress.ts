import type { Position } from '../../platform/kernel/position.ts';
import type { PostalAddress } from '../../platform/kernel/postalAddress.ts';

/** An address with its complement, reference and recipient. */
export interface KnownAddress extends PostalAddress {
  position: Position;
  recipientName: string | null;
  recipientPhone: string | null;
}

/** A place where drivers collect the company's goods, or a frequent destination. */
export type CompanyAddressKind = 'pickup' | 'favourite';

export interface CompanyAddressValues extends KnownAddress {
  kind: CompanyAddressKind;
  name: string;
  /** The pickup that a new order begins with. */
  isDefault: boolean;
}

export interface CompanyAddress extends CompanyAddressValues {
  id: number;
}

/** Per company. Lists are read without pages. */
export const COMPANY_ADDRESSES_MAX = 200;
