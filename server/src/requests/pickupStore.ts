import type { Address } from './order.ts';

/** The same columns in deliveries and in scheduled ones. */
export interface PickupRow {
  pickup_address: string;
  pickup_complement: string | null;
  pickup_reference: string | null;
  pickup_district: string;
  pickup_city: string;
  pickup_state: string;
  pickup_lat: number;
  pickup_lng: number;
}

export const PICKUP_COLUMNS = `pickup_address, pickup_complement, pickup_reference, pickup_district, pickup_city,
  pickup_state, pickup_lat, pickup_lng`;

export const toPickup = (row: PickupRow): Address => ({
  address: row.pickup_address,
  complement: row.pickup_complement,
  reference: row.pickup_reference,
  district: row.pickup_district,
  city: row.pickup_city,
  state: row.pickup_state,
  position: { lat: row.pickup_lat, lng: row.pickup_lng },
});
