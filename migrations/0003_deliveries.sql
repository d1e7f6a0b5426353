create table deliveries (
  central_id bigint not null references centrals,
  id bigint not null,
  -- The life of a delivery is told in server/src/deliveries/delivery.ts. A delivery grouped into another
  -- follows that one's status, so that reading a status is always one row.
  status text not null check (status in ('awaiting_release', 'distributing', 'offered', 'accepted', 'on_hold',
    'in_progress', 'finished', 'not_attended', 'cancelled', 'pending')),
  grouped_into bigint,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null check (payment in ('cash', 'voucher', 'ticket', 'third_party_wallet', 'credit_card',
    'debit_card', 'app_card', 'instant_transfer', 'third_party_app', 'messaging_app', 'credit_wallet', 'invoiced')),
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5, 2) not null default 0 check (discount_percent between 0 and 100),

  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null check (pickup_lat between -90 and 90),
  pickup_lng double precision not null check (pickup_lng between -180 and 180),

  planned_metres integer not null check (planned_metres >= 0),
  planned_seconds integer not null check (planned_seconds >= 0),
  gross_cents bigint not null check (gross_cents >= 0),
  net_cents bigint not null check (net_cents between 0 and gross_cents),
  -- What is held of the company's wallet for this delivery right now.
  reserved_cents bigint not null default 0 check (reserved_cents >= 0),
  cancellation_fee_cents bigint check (cancellation_fee_cents >= 0),

  driver_id bigint,
  driver_specified boolean not null default false,
  driver_to_pickup_metres integer not null default 0,
  travelled_metres integer not null default 0,

  requested_at timestamptz not null,
  pending_at timestamptz,
  accepted_at timestamptz,
  arrived_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  not_attended_at timestamptz,
  cancelled_at timestamptz,
  cancellation_reason_id bigint,

  scheduled_id bigint,
  -- Numbers this delivery's events; taken under the row's lock, so they are dense and in order.
  event_sequence integer not null default 0,
  -- Grows with every change of stops or price: a plan made for an older version is not saved.
  version integer not null default 1,

  primary key (central_id, id),
  foreign key (central_id, grouped_into) references deliveries (central_id, id),
  foreign key (central_id, company_id) references companies (central_id, id),
  foreign key (central_id, customer_id) references customers (central_id, id),
  foreign key (central_id, category_id) references categories (central_id, id),
  foreign key (central_id, tariff_id) references tariffs (central_id, id),
  foreign key (central_id, coupon_id) references coupons (central_id, id),
  foreign key (central_id, driver_id) references drivers (central_id, id),
  foreign key (central_id, cancellation_reason_id) references cancellation_reasons (central_id, id),
  check (grouped_into <> id),
  check (status not in ('accepted', 'on_hold', 'in_progress', 'finished') or driver_id is not null),
  check (status not in ('in_progress', 'finished') or started_at is not null),
  check ((status = 'finished') = (finished_at is not null)),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status = 'not_attended') = (not_attended_at is not null)),
  check (status <> 'cancelled' or reserved_cents = 0),
  check (payment = 'credit_wallet' or reserved_cents = 0),
  check (payment <> 'credit_wallet' or company_id is not null)
);

-- A driver has one current delivery, accepted or started; the next ones wait on hold.
create unique index deliveries_one_current_per_driver on deliveries (central_id, driver_id)
  where status in ('accepted', 'in_progress') and grouped_into is null;
create index deliveries_on_hold on deliveries (central_id, driver_id, accepted_at, id) where status = 'on_hold';

-- The query endpoint: newest first, alone or with one filter. Each index serves the order too,
-- so a page never sorts, and page one costs the same whatever the history.
create index deliveries_newest on deliveries (central_id, requested_at desc, id desc);
create index deliveries_by_status on deliveries (central_id, status, requested_at desc, id desc);
create index deliveries_by_payment on deliveries (central_id, payment, requested_at desc, id desc);
create index deliveries_by_driver on deliveries (central_id, driver_id, requested_at desc, id desc)
  where driver_id is not null;
create index deliveries_by_company on deliveries (central_id, company_id, requested_at desc, id desc)
  where company_id is not null;
create index deliveries_grouped on deliveries (central_id, grouped_into) where grouped_into is not null;

create table stops (
  central_id bigint not null references centrals,
  id bigint not null,
  -- Who carries it now, and the delivery it was ordered with.
  delivery_id bigint not null,
  ordered_with bigint not null,
  position integer not null check (position >= 0),
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint check (collect_cents >= 0),
  concluded_at timestamptz,
  -- The secret part of the tracking link.
  tracking_token text not null unique,
  confirmation_code integer check (confirmation_code between 1000 and 9999),
  wrong_codes integer not null default 0,
  primary key (central_id, id),
  foreign key (central_id, delivery_id) references deliveries (central_id, id),
  foreign key (central_id, ordered_with) references deliveries (central_id, id),
  -- Checked at commit, so that a new order can be written row by row.
  constraint stops_one_per_position unique (central_id, delivery_id, position) deferrable initially deferred
);
create index stops_ordered_with on stops (central_id, ordered_with);

-- Positions run 0, 1, 2 … without a gap: unique above, and here the highest equals the count.
-- A session plans this once, when the table may be small enough to be read whole; it soon is not.
create function assert_dense_stops() returns trigger language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  carrier bigint;
  gap boolean;
begin
  foreach carrier in array array[old.delivery_id, new.delivery_id] loop
    select max(position) >= count(*) into gap
      from stops where central_id = coalesce(new.central_id, old.central_id) and delivery_id = carrier;
    if gap then
      raise exception 'stops of delivery % leave a gap', carrier using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger stops_dense after insert or delete or update of delivery_id, position on stops
  deferrable initially deferred for each row execute function assert_dense_stops();

-- Whom a delivery was proposed to, and what became of it. Rows stay: they tell who need not be asked again.
create table offers (
  central_id bigint not null references centrals,
  id bigint not null,
  delivery_id bigint not null,
  driver_id bigint not null,
  state text not null check (state in ('open', 'refused', 'expired', 'accepted', 'withdrawn')),
  offered_at timestamptz not null,
  -- Null: open until somebody closes it, as when an operator names the driver.
  expires_at timestamptz,
  closed_at timestamptz,
  primary key (central_id, id),
  foreign key (central_id, delivery_id) references deliveries (central_id, id),
  foreign key (central_id, driver_id) references drivers (central_id, id),
  check ((state = 'open') = (closed_at is null)),
  check (expires_at > offered_at)
);
create unique index offers_one_open on offers (central_id, delivery_id, driver_id) where state = 'open';
create unique index offers_one_accepted on offers (central_id, delivery_id) where state = 'accepted';
create index offers_of_delivery on offers (central_id, delivery_id, driver_id);
create index offers_open_of_driver on offers (central_id, driver_id) where state = 'open';
-- Begins with the time, because one claim serves every central's expired offers.
create index offers_due on offers (expires_at, central_id, id) where state = 'open' and expires_at is not null;
