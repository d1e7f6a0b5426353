-- What phones say happens before the service hears of it, and arrivals at stops.

alter table events add column happened_at timestamptz;
comment on column events.happened_at is
  'When it happened, where a phone without network said so later. Null: at occurred_at, which is when it was recorded and gives the order.';

alter table stops add column arrived_at timestamptz;
comment on column stops.arrived_at is 'When the driver came to the stop, if the driver said so.';

alter table offers add column refusal_reason text;
comment on column offers.refusal_reason is 'Why the driver refused, if the driver said so; the reasons are in server/src/deliveries.';

alter table offers add column refusal_note text;
comment on column offers.refusal_note is 'The driver''s own words about a refusal.';

comment on column driver_positions.at is
  'When the driver was there, as the phone says, and not later than it was received.';
