import type { Position } from './position.ts';

/** An address as people write it, with the complement and the reference that help to find its door. */
export interface PostalAddress {
  address: string;
  complement: string | null;
  reference: string | null;
  district: string;
  city: string;
  state: string;
}

/** The columns of an address and its position, as rows and lists hold them. */
export interface LocatedRow extends PostalAddress, Position {}
