-- Stops of deliveries and of scheduled deliveries, failed attempts at them, and the functions that make places
-- imprecise. Stops are two tables of one shape for the reasons in docs/decisions/0019-two-tables-of-stops.md; what both
-- have is defined alike.

-- A row that comes to a position must find one at the position before it, and a row that leaves one must not leave a
-- row behind it. So each change is a look at one or two keys, whatever the number of stops. The rows are looked at as
-- they are at the commit: whatever came and went meanwhile does not count. A session plans these statements once, when
-- the tables may be small enough to be read whole, and they soon are not: the settings make it use the keys anyway.
create function assert_dense_stops() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  carrier bigint;
begin
  if tg_argv[0] = 'delivery' then
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position - 1)
        and exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position) then
        carrier = new.delivery_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position)
        and exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position + 1) then
        carrier = old.delivery_id;
      end if;
    end if;
  else
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position - 1)
        and exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position) then
        carrier = new.scheduled_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position)
        and exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position + 1) then
        carrier = old.scheduled_id;
      end if;
    end if;
  end if;
  if carrier is not null then
    raise exception 'stops of % % leave a gap', tg_argv[0], carrier using errcode = 'check_violation';
  end if;
  return null;
end $$;
comment on function assert_dense_stops is
  'At the commit the positions of a carrier run without a gap: each but the first has the one before it.';

-- Stops are inserted together, several requests at a time, and run without a gap from the start. Checking each of them
-- at the commit would take a twentieth of the database's time for a creation.
create function check_inserted_stops() returns trigger language plpgsql as $$
declare
  stop record;
begin
  if tg_argv[0] = 'delivery' then
    for stop in
      select central_id, id from inserted
      where position > 0 and not exists (
        select from inserted previous
        where previous.central_id = inserted.central_id and previous.delivery_id = inserted.delivery_id
          and previous.position = inserted.position - 1)
    loop
      update stops set position = position where central_id = stop.central_id and id = stop.id;
    end loop;
  else
    for stop in
      select central_id, id from inserted
      where position > 0 and not exists (
        select from inserted previous
        where previous.central_id = inserted.central_id and previous.scheduled_id = inserted.scheduled_id
          and previous.position = inserted.position - 1)
    loop
      update scheduled_stops set position = position where central_id = stop.central_id and id = stop.id;
    end loop;
  end if;
  return null;
end $$;
comment on function check_inserted_stops is
  'A stop whose previous one is not inserted by the same statement is checked at the commit, as if it had been moved: its position is written again, which calls assert_dense_stops.';

-- Everything from the first separator on goes, and a number that is not part of the name ("Rua 24 de Outubro" keeps
-- its own).
create function without_door(address text) returns text language sql immutable as $$
  select coalesce(nullif(trim(regexp_replace(
    regexp_replace(address, '\s*([,;/|(]|\s-\s).*$', ''),
    '\s+(n\S{0,2}\s*)?\d+(?!\d*\s+de\s).*$', '', 'i')), ''), '***')
$$;
comment on function without_door is 'The street of an address, for records whose personal data is removed.';

create function rough_degree(degree double precision) returns double precision language sql immutable as $$
  select round(degree::numeric, 2)::double precision
$$;
comment on function rough_degree is 'Rounded to about a kilometre: shows a district and no door.';

create table stops (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  ordered_with bigint not null,
  position integer not null constraint stops_position_not_negative check (position >= 0),
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null constraint stops_lat_range check (lat between -90 and 90),
  lng double precision not null constraint stops_lng_range check (lng between -180 and 180),
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint constraint stops_collect_not_negative check (collect_cents >= 0),
  confirmation_code integer constraint stops_confirmation_code_range check (confirmation_code between 0 and 9999),
  wrong_codes integer not null default 0,
  tracking_token text not null,
  concluded_at timestamptz,
  located_by text,
  located_precision text,
  to_check boolean not null default false,
  arrived_at timestamptz,
  not_delivered boolean not null default false,
  received_by text,
  received_cents bigint constraint stops_received_not_negative check (received_cents >= 0),
  received_payment text,
  concluded_by bigint,
  primary key (central_id, id),
  constraint stops_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint stops_tracking_token_unique unique (central_id, tracking_token),
  -- Checked at commit, so that a new order can be written row by row.
  constraint stops_one_per_position unique (central_id, delivery_id, position) deferrable initially deferred,
  constraint stops_not_delivered_is_over check (not not_delivered or concluded_at is not null),
  constraint stops_concluded_by_fkey foreign key (central_id, concluded_by)
    references drivers (central_id, id)
);
create index stops_ordered_with on stops (central_id, ordered_with);
-- A recipient's phone finds the places it was served at, and everything that privacy requests ask for. Only rows with a
-- phone are in these indexes, and no later step of a stop changes it.
create index stops_phone on stops (central_id, phone_digits(recipient_phone), id)
  where recipient_phone is not null;
-- Few stops are to be checked, and the condition names no column that a usual step changes.
create index stops_to_check on stops (central_id, delivery_id) where to_check;
create trigger stops_inserted after insert on stops referencing new table as inserted
  for each statement execute function check_inserted_stops('delivery');
create constraint trigger stops_dense after delete or update of delivery_id, position on stops
  deferrable initially deferred for each row execute function assert_dense_stops('delivery');

comment on table stops is 'The stops of deliveries. Written only under the lock of the delivery that carries them.';
comment on column stops.delivery_id is 'The delivery that carries the stop now.';
comment on column stops.ordered_with is
  'The delivery that the stop was ordered with; differs while that one is grouped. No foreign key: it is written once, as the delivery that carries the stop then, and deliveries are never deleted.';
comment on column stops.position is 'Place in the planned order: 0, 1, 2 … without a gap.';
comment on column stops.complement is 'Floor, flat, shop and the like.';
comment on column stops.reference is 'How to find the door.';
comment on column stops.state is 'Two letters.';
comment on column stops.lat is 'Degrees, WGS 84.';
comment on column stops.order_number is 'The number of the order in the system of whoever ordered.';
comment on column stops.external_id is 'The id of the stop in the system of whoever ordered.';
comment on column stops.note is 'For the driver. Personal data, as are recipient, complement and reference.';
comment on column stops.collect_cents is 'What the driver collects from the recipient. Null: nothing.';
comment on column stops.confirmation_code is
  'The four digits that the recipient tells the driver, as a number: 123 is 0123. Null: none given or made yet.';
comment on column stops.wrong_codes is 'Wrong codes entered so far; too many block the stop.';
comment on column stops.tracking_token is 'The secret part of the tracking link, which carries the central too.';
comment on column stops.concluded_at is
  'When the stop was over: handed over, or given up as not_delivered. Null while the stop is open. Later than that of the stop concluded before, so that it gives the order of the visits.';
comment on column stops.located_by is
  'Which source found the coordinates: imported addresses, a correction or a service. Null: they came with the order.';
comment on column stops.located_precision is
  'How precisely; see server/src/geo/geocoding/geocoder.ts. Null: the coordinates came with the order.';
comment on column stops.to_check is
  'Found less precisely than the central demands, and accepted: somebody should check it.';
comment on column stops.arrived_at is 'When the driver came to the stop, if the driver said so.';
comment on column stops.not_delivered is
  'The stop is over and nothing was handed over there: concluded_at says since when. An operator may put it back into the run.';
comment on column stops.received_by is 'Who received it, as the driver wrote it. Personal data.';
comment on column stops.received_cents is 'What the driver collected. Null: nothing was recorded.';
comment on column stops.received_payment is
  'How it was paid; the forms are in server/src/deliveries/orders/request.ts.';
comment on column stops.concluded_by is
  'The driver who concluded it. It stays that driver''s when the delivery passes to another one. Null of a concluded stop: the delivery''s driver, who has not changed since.';

create table scheduled_stops (
  central_id bigint not null,
  id bigint not null,
  scheduled_id bigint not null,
  ordered_with bigint not null,
  position integer not null constraint scheduled_stops_position_not_negative check (position >= 0),
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null constraint scheduled_stops_lat_range check (lat between -90 and 90),
  lng double precision not null constraint scheduled_stops_lng_range check (lng between -180 and 180),
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint constraint scheduled_stops_collect_not_negative check (collect_cents >= 0),
  confirmation_code integer
    constraint scheduled_stops_confirmation_code_range check (confirmation_code between 0 and 9999),
  located_by text,
  located_precision text,
  to_check boolean not null default false,
  primary key (central_id, id),
  constraint scheduled_stops_scheduled_fkey foreign key (central_id, scheduled_id)
    references scheduled (central_id, id),
  constraint scheduled_stops_ordered_with_fkey foreign key (central_id, ordered_with)
    references scheduled (central_id, id),
  constraint scheduled_stops_one_per_position unique (central_id, scheduled_id, position) deferrable initially deferred
);
create index scheduled_stops_ordered_with on scheduled_stops (central_id, ordered_with);
create index scheduled_stops_phone on scheduled_stops (central_id, phone_digits(recipient_phone), id)
  where recipient_phone is not null;
create trigger scheduled_stops_inserted after insert on scheduled_stops referencing new table as inserted
  for each statement execute function check_inserted_stops('scheduled');
create constraint trigger scheduled_stops_dense after delete or update of scheduled_id, position
  on scheduled_stops deferrable initially deferred for each row execute function assert_dense_stops('scheduled');

comment on table scheduled_stops is
  'The stops of scheduled deliveries. Columns that stops have too mean the same here. The dispatch copies them, so that a dispatched scheduled delivery keeps its stops as they were ordered.';
comment on column scheduled_stops.id is 'From the numbering of stops: a stop keeps its id when it is dispatched.';

create table stop_attempts (
  central_id bigint not null,
  stop_id bigint not null,
  number integer not null constraint stop_attempts_number_positive check (number > 0),
  delivery_id bigint not null,
  driver_id bigint,
  reason text not null
    constraint stop_attempts_reason_known check (reason in ('absent', 'wrong_address', 'refused', 'other')),
  note text,
  decision text not null constraint stop_attempts_decision_known check (decision in ('retry', 'return', 'leave')),
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by bigint,
  undone_at timestamptz,
  resolved_at timestamptz,
  resolved_by bigint,
  resolution text,
  new_delivery_id bigint,
  primary key (central_id, stop_id, number),
  constraint stop_attempts_stop_fkey foreign key (central_id, stop_id) references stops (central_id, id)
    on delete cascade,
  constraint stop_attempts_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint stop_attempts_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint stop_attempts_new_delivery_fkey foreign key (central_id, new_delivery_id)
    references deliveries (central_id, id),
  constraint stop_attempts_resolved_in_words check (
    resolved_at is null or resolution is not null or new_delivery_id is not null)
);
-- What waits for a person is found without the history.
create index stop_attempts_unresolved on stop_attempts (central_id, recorded_at, stop_id)
  where decision <> 'retry' and undone_at is null and resolved_at is null;

comment on table stop_attempts is
  'Visits at which nothing could be handed over. Written only under the lock of the delivery that carries the stop.';
comment on column stop_attempts.number is 'Counts the attempts of the stop, from 1.';
comment on column stop_attempts.delivery_id is 'The delivery that carried the stop at that time.';
comment on column stop_attempts.note is 'What the driver or the operator says about it. Personal data.';
comment on column stop_attempts.decision is
  'What followed: the stop is tried again later in the run, its goods return to the pickup, or they are left until the central says what to do. All but the first end the stop.';
comment on column stop_attempts.happened_at is 'As the phone says, and not before the step before it.';
comment on column stop_attempts.recorded_at is 'By the service''s clock.';
comment on column stop_attempts.recorded_by is
  'The user who recorded it. No foreign key: it names who did it and does not keep the user from being removed.';
comment on column stop_attempts.undone_at is 'When an operator put the stop back into the run.';
comment on column stop_attempts.resolved_at is
  'When somebody took care of what was not delivered. Null: it waits for a person, unless it was undone or is tried again.';
comment on column stop_attempts.resolved_by is 'The user who did; as recorded_by.';
comment on column stop_attempts.resolution is 'What was done about it, in the operator''s words.';
comment on column stop_attempts.new_delivery_id is 'The delivery that tries it again.';
