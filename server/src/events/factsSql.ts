// What is added to an event when it is written down. Each of these is SQL for a JSON object about a row that the
// writing statement has at hand; what the event itself says goes over it.

const eventStop = (stop: string): string =>
  `'id', ${stop}.id, 'order', ${stop}.position, 'orderNumber', ${stop}.order_number, 'externalId', ${stop}.external_id`;

export const deliveryFacts = (delivery: string, stops = deliveryStops(delivery)): string =>
  `jsonb_build_object(
  'status', ${delivery}.status, 'driverId', ${delivery}.driver_id, 'netCents', ${delivery}.net_cents,
  'scheduledId', ${delivery}.scheduled_id, 'groupedInto', ${delivery}.grouped_into, 'stops', ${stops})`;

/** The stops that a delivery carries, and those ordered with it that another one carries by now. */
const deliveryStops = (delivery: string): string => `(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop('stop')}, 'concluded', stop.concluded_at is not null)
    order by stop.position, stop.id), '[]')
  from stops stop where stop.central_id = ${delivery}.central_id
    and (stop.delivery_id = ${delivery}.id or stop.ordered_with = ${delivery}.id))`;

export const scheduledFacts = (scheduled: string, stops = scheduledStops(scheduled)): string =>
  `jsonb_build_object(
  'situation', ${scheduled}.situation, 'dispatchAt', ${scheduled}.dispatch_at, 'netCents', ${scheduled}.net_cents,
  'deliveryId', ${scheduled}.delivery_id, 'groupedInto', ${scheduled}.grouped_into, 'stops', ${stops})`;

const scheduledStops = (scheduled: string): string => `(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop('stop')}) order by stop.position, stop.id), '[]')
  from scheduled_stops stop where stop.central_id = ${scheduled}.central_id
    and (stop.scheduled_id = ${scheduled}.id or stop.ordered_with = ${scheduled}.id))`;

/** Of stops that the very same statement inserts: it sees no rows of its own, only what they return. */
export const insertedStops = (stop: string): string =>
  `coalesce(jsonb_agg(jsonb_build_object(${eventStop(stop)}) order by ${stop}.position), '[]')`;
