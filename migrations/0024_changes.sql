-- In which order deliveries and scheduled deliveries changed, for systems that keep a copy of them.
--
-- The functions compare the columns themselves: PostgreSQL reads the condition of a trigger (`when`) anew for every
-- statement, which takes longer than everything else here where it names many columns.

-- The columns that are shown, and the version, which grows with every change of stops or price. Columns of the driver
-- search and of the numbering of events change often and are not shown.
create function mark_delivery_changed() returns trigger language plpgsql as $$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if tg_op = 'UPDATE' then
    -- The first change of a transaction marks the row, so that its further updates of the row need no index entries.
    if old.changed_in = own then
      return new;
    end if;
    if (old.version, old.status, old.grouped_into, old.company_id, old.customer_id, old.category_id, old.tariff_id,
          old.payment, old.has_return, old.coupon_id, old.discount_percent, old.pickup_address,
          old.pickup_complement, old.pickup_reference, old.pickup_district, old.pickup_city, old.pickup_state,
          old.pickup_lat, old.pickup_lng, old.net_cents, old.cancellation_fee_cents, old.driver_id,
          old.driver_specified, old.driver_to_pickup_metres, old.travelled_metres, old.requested_at, old.pending_at,
          old.accepted_at, old.arrived_at, old.started_at, old.finished_at, old.cancelled_at, old.external_id,
          old.personal_data_removed_at)
      is distinct from (new.version, new.status, new.grouped_into, new.company_id, new.customer_id, new.category_id,
          new.tariff_id, new.payment, new.has_return, new.coupon_id, new.discount_percent, new.pickup_address,
          new.pickup_complement, new.pickup_reference, new.pickup_district, new.pickup_city, new.pickup_state,
          new.pickup_lat, new.pickup_lng, new.net_cents, new.cancellation_fee_cents, new.driver_id,
          new.driver_specified, new.driver_to_pickup_metres, new.travelled_metres, new.requested_at, new.pending_at,
          new.accepted_at, new.arrived_at, new.started_at, new.finished_at, new.cancelled_at, new.external_id,
          new.personal_data_removed_at) then
      new.changed_in = own;
      new.changed_at = clock_timestamp();
    end if;
  else
    new.changed_in = own;
    new.changed_at = clock_timestamp();
  end if;
  return new;
end $$;
comment on function mark_delivery_changed is
  'Marks a row with the transaction that changes what is shown of it. A reader takes rows of transactions before the oldest that still runs: no other row can come in there later.';

create function mark_scheduled_changed() returns trigger language plpgsql as $$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if tg_op = 'UPDATE' then
    -- The first change of a transaction marks the row, so that its further updates of the row need no index entries.
    if old.changed_in = own then
      return new;
    end if;
    if (old.version, old.situation, old.dispatch_at, old.delivery_id, old.grouped_into, old.note, old.company_id,
          old.category_id, old.net_cents, old.pickup_address, old.pickup_complement, old.pickup_reference,
          old.pickup_district, old.pickup_city, old.pickup_state, old.pickup_lat, old.pickup_lng, old.external_id,
          old.personal_data_removed_at)
      is distinct from (new.version, new.situation, new.dispatch_at, new.delivery_id, new.grouped_into, new.note,
          new.company_id, new.category_id, new.net_cents, new.pickup_address, new.pickup_complement,
          new.pickup_reference, new.pickup_district, new.pickup_city, new.pickup_state, new.pickup_lat,
          new.pickup_lng, new.external_id, new.personal_data_removed_at) then
      new.changed_in = own;
      new.changed_at = clock_timestamp();
    end if;
  else
    new.changed_in = own;
    new.changed_at = clock_timestamp();
  end if;
  return new;
end $$;
comment on function mark_scheduled_changed is
  'As mark_delivery_changed.';

-- Most changes of a stop raise the version of its carrier, whose own trigger then marks it. These are for all others.
create function mark_stop_changed() returns trigger language plpgsql as $$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if (old.delivery_id, old.position, old.address, old.complement, old.district, old.city, old.state, old.lat,
          old.lng, old.order_number)
      is distinct from (new.delivery_id, new.position, new.address, new.complement, new.district, new.city,
          new.state, new.lat, new.lng, new.order_number) then
    update deliveries set changed_in = own, changed_at = clock_timestamp()
    where central_id = new.central_id and id = new.delivery_id and changed_in <> own;
  end if;
  return null;
end $$;
comment on function mark_stop_changed is
  'The stops are part of what is shown of their carrier.';

create function mark_scheduled_stop_changed() returns trigger language plpgsql as $$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if (old.scheduled_id, old.position, old.address, old.complement, old.reference, old.district, old.city, old.state,
          old.lat, old.lng, old.order_number, old.recipient_name, old.recipient_phone, old.note)
      is distinct from (new.scheduled_id, new.position, new.address, new.complement, new.reference, new.district,
          new.city, new.state, new.lat, new.lng, new.order_number, new.recipient_name, new.recipient_phone, new.note) then
    update scheduled set changed_in = own, changed_at = clock_timestamp()
    where central_id = new.central_id and id = new.scheduled_id and changed_in <> own;
  end if;
  return null;
end $$;
comment on function mark_scheduled_stop_changed is
  'As mark_stop_changed.';

create function mark_grouped_changed() returns trigger language plpgsql as $$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  update scheduled set changed_in = own, changed_at = clock_timestamp()
  where central_id = new.central_id and grouped_into = new.id and changed_in <> own;
  return null;
end $$;
comment on function mark_grouped_changed is
  'A grouped scheduled delivery shows the delivery that its grouper became.';

alter table deliveries add column changed_in bigint not null default 0;
alter table deliveries add column changed_at timestamptz not null default now();
alter table scheduled add column changed_in bigint not null default 0;
alter table scheduled add column changed_at timestamptz not null default now();

comment on column deliveries.changed_in is
  'The transaction that changed last what the integration interface shows of it, as a number of this database server. 0: before this column existed, or loaded without triggers.';
comment on column deliveries.changed_at is 'When that was, by the clock of the database.';
comment on column scheduled.changed_in is 'As in deliveries.';
comment on column scheduled.changed_at is 'As in deliveries.';

create trigger deliveries_changed before insert or update on deliveries
  for each row execute function mark_delivery_changed();
create trigger scheduled_changed before insert or update on scheduled
  for each row execute function mark_scheduled_changed();
create trigger scheduled_carrier_dispatched after update of delivery_id on scheduled for each row
  when (old.delivery_id is distinct from new.delivery_id) execute function mark_grouped_changed();
-- Columns that no step of a delivery writes: the conclusion of a stop does not call it.
create trigger stops_changed
  after update of delivery_id, position, address, complement, district, city, state, lat, lng, order_number on stops
  for each row execute function mark_stop_changed();
create trigger scheduled_stops_changed
  after update of scheduled_id, position, address, complement, reference, district, city, state, lat,
  lng, order_number, recipient_name, recipient_phone, note on scheduled_stops
  for each row execute function mark_scheduled_stop_changed();
