import type { Position } from '../kernel/position.ts';

export interface Address {
  address: string;
  complement: string | null;
  reference: string | null;
  district: string;
  city: string;
  state: string;
  position: Position;
}
