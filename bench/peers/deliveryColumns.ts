/** The columns of a delivery and of its stops on a page, in every peer's answer. */
export const DELIVERY_COLUMNS: readonly string[] = [
  'id',
  'status',
  'company_id',
  'payment',
  'has_return',
  'driver_specified',
  'discount_percent',
  'pickup_address',
  'pickup_complement',
  'pickup_reference',
  'pickup_district',
  'pickup_city',
  'pickup_state',
  'pickup_lat',
  'pickup_lng',
  'net_cents',
  'cancellation_fee_cents',
  'driver_to_pickup_metres',
  'travelled_metres',
  'requested_at',
  'pending_at',
  'accepted_at',
  'arrived_at',
  'started_at',
  'finished_at',
  'cancelled_at',
];

export const STOP_COLUMNS: readonly string[] = [
  'id',
  'position',
  'address',
  'complement',
  'district',
  'city',
  'state',
  'lat',
  'lng',
  'order_number',
];

export const JOINED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  customer: ['id', 'name'],
  company: ['id', 'document'],
  driver: ['id', 'name', 'phone', 'vehicle', 'plate', 'color'],
  category: ['id', 'name', 'description'],
  tariff: ['id', 'name'],
};

/** The columns that a creation writes, besides the stops. */
export const NEW_DELIVERY_COLUMNS: readonly string[] = [
  'central_id',
  'status',
  'company_id',
  'customer_id',
  'category_id',
  'tariff_id',
  'payment',
  'has_return',
  'pickup_address',
  'pickup_district',
  'pickup_city',
  'pickup_state',
  'pickup_lat',
  'pickup_lng',
  'net_cents',
];
