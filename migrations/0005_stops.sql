-- Stops of deliveries and of scheduled deliveries, and the functions that make places imprecise. They are two tables
-- of one shape for the reasons in docs/decisions/0019-two-tables-of-stops.md; what both have is defined alike.

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
  primary key (central_id, id),
  constraint stops_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint stops_ordered_with_fkey foreign key (central_id, ordered_with) references deliveries (central_id, id),
  constraint stops_tracking_token_unique unique (central_id, tracking_token),
  -- Checked at commit, so that a new order can be written row by row.
  constraint stops_one_per_position unique (central_id, delivery_id, position) deferrable initially deferred
);
create index stops_ordered_with on stops (central_id, ordered_with);

comment on table stops is 'The stops of deliveries. Written only under the lock of the delivery that carries them.';
comment on column stops.delivery_id is 'The delivery that carries the stop now.';
comment on column stops.ordered_with is 'The delivery that the stop was ordered with; differs while that one is grouped.';
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
  'Null while the stop is open. Later than that of the stop concluded before, so that it gives the order of the visits.';

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
  primary key (central_id, id),
  constraint scheduled_stops_scheduled_fkey foreign key (central_id, scheduled_id)
    references scheduled (central_id, id),
  constraint scheduled_stops_ordered_with_fkey foreign key (central_id, ordered_with)
    references scheduled (central_id, id),
  constraint scheduled_stops_one_per_position unique (central_id, scheduled_id, position) deferrable initially deferred
);
create index scheduled_stops_ordered_with on scheduled_stops (central_id, ordered_with);

comment on table scheduled_stops is
  'The stops of scheduled deliveries. Columns that stops have too mean the same here. The dispatch copies them, so that a dispatched scheduled delivery keeps its stops as they were ordered.';
comment on column scheduled_stops.id is 'From the numbering of stops: a stop keeps its id when it is dispatched.';

-- A session plans this once, when the tables may be small enough to be read whole; they soon are not.
create function assert_dense_stops() returns trigger language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  of_deliveries constant boolean = tg_argv[0] = 'delivery';
  carriers bigint[];
  carrier bigint;
  gap boolean;
begin
  if of_deliveries then
    carriers = array[old.delivery_id, new.delivery_id];
  else
    carriers = array[old.scheduled_id, new.scheduled_id];
  end if;
  foreach carrier in array carriers loop
    if of_deliveries then
      select max(position) >= count(*) into gap
        from stops where central_id = coalesce(new.central_id, old.central_id) and delivery_id = carrier;
    else
      select max(position) >= count(*) into gap
        from scheduled_stops where central_id = coalesce(new.central_id, old.central_id) and scheduled_id = carrier;
    end if;
    if gap then
      raise exception 'stops of % % leave a gap', tg_argv[0], carrier using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
comment on function assert_dense_stops is
  'At the commit the positions of a carrier run without a gap: they are unique, and the highest is below the count.';

create constraint trigger stops_dense after insert or delete or update of delivery_id, position on stops
  deferrable initially deferred for each row execute function assert_dense_stops('delivery');
create constraint trigger scheduled_stops_dense after insert or delete or update of scheduled_id, position
  on scheduled_stops deferrable initially deferred for each row execute function assert_dense_stops('scheduled');

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

create function phone_digits(phone text) returns text language sql immutable as $$
  select case when length(digits) > 11 and digits like '55%' then substr(digits, 3) else digits end
  from (select regexp_replace(phone, '\D', '', 'g') as digits) plain
$$;
comment on function phone_digits is 'Area code and number without the country, as in server/src/kernel/documents.ts.';
