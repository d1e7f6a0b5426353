-- How the coordinates of an address were found, when the order came without.

alter table stops add column located_by text;
alter table stops add column located_precision text;
alter table stops add column to_check boolean not null default false;
alter table scheduled_stops add column located_by text;
alter table scheduled_stops add column located_precision text;
alter table scheduled_stops add column to_check boolean not null default false;
alter table deliveries add column pickup_located_by text;
alter table deliveries add column pickup_located_precision text;
alter table deliveries add column pickup_to_check boolean not null default false;
alter table scheduled add column pickup_located_by text;
alter table scheduled add column pickup_located_precision text;
alter table scheduled add column pickup_to_check boolean not null default false;

comment on column stops.located_by is
  'Which source found the coordinates: imported addresses, a correction or a service. Null: they came with the order.';
comment on column stops.located_precision is
  'How precisely; see server/src/geocoding/geocoder.ts. Null: the coordinates came with the order.';
comment on column stops.to_check is
  'Found less precisely than the central demands, and accepted: somebody should check it.';
