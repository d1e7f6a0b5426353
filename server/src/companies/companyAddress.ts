import type { Position } from '../kernel/position.ts';
import type { PostalAddress } from '../kernel/postalAddress.ts';

/** An address with what is said about its door, and for whom it is. */
export interface KnownAddress extends PostalAddress {
  position: Position;
  recipientName: string | null;
  recipientPhone: string | null;
}

/** Where a company hands goods over, or where it often sends them. */
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

/** Of one company. Lists are read whole. */
export const COMPANY_ADDRESSES_MAX = 200;
