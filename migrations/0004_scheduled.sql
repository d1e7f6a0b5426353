create table scheduled (
  central_id bigint not null references centrals,
  id bigint not null,
  situation text not null check (situation in ('awaiting', 'dispatched', 'cancelled', 'grouped', 'failed')),
  dispatch_at timestamptz not null,
  requested_at timestamptz not null,
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
  -- A stop was removed while the router was down: the figures are of the stops before, until dispatch.
  estimate_outdated boolean not null default false,

  delivery_id bigint,
  grouped_into bigint,
  grouped_automatically boolean not null default false,
  -- Why it could not be dispatched, for good.
  failure text,
  -- Dispatches that ended in an error, and when the next one may be tried.
  dispatch_attempts integer not null default 0,
  retry_at timestamptz,
  event_sequence integer not null default 0,
  -- Grows with every change of stops or plan: a grouping planned on an older version is not saved.
  version integer not null default 1,

  primary key (central_id, id),
  foreign key (central_id, company_id) references companies (central_id, id),
  foreign key (central_id, customer_id) references customers (central_id, id),
  foreign key (central_id, category_id) references categories (central_id, id),
  foreign key (central_id, tariff_id) references tariffs (central_id, id),
  foreign key (central_id, coupon_id) references coupons (central_id, id),
  foreign key (central_id, delivery_id) references deliveries (central_id, id),
  check (situation <> 'dispatched' or delivery_id is not null),
  check (situation <> 'failed' or failure is not null),
  check (payment <> 'credit_wallet' or company_id is not null)
);

-- Exactly once: a scheduled delivery gives rise to one delivery, whoever tries again.
create unique index deliveries_once_per_scheduled on deliveries (central_id, scheduled_id)
  where scheduled_id is not null;

-- Only waiting rows are searched by time, so the index holds only those. It begins with the time and not
-- with the central, because the dispatcher serves every central's due rows in one claim.
create index scheduled_due on scheduled (dispatch_at, central_id, id) where situation = 'awaiting';
create index scheduled_newest on scheduled (central_id, dispatch_at desc, id desc);
create index scheduled_by_company on scheduled (central_id, company_id, dispatch_at desc, id desc)
  where company_id is not null;
create index scheduled_grouped on scheduled (central_id, grouped_into) where grouped_into is not null;

create table scheduled_stops (
  central_id bigint not null references centrals,
  -- From the same numbering as stops: a stop keeps its id when its delivery is dispatched.
  id bigint not null,
  scheduled_id bigint not null,
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
  primary key (central_id, id),
  foreign key (central_id, scheduled_id) references scheduled (central_id, id),
  foreign key (central_id, ordered_with) references scheduled (central_id, id),
  constraint scheduled_stops_one_per_position unique (central_id, scheduled_id, position) deferrable initially deferred
);
create index scheduled_stops_ordered_with on scheduled_stops (central_id, ordered_with);

create function assert_dense_scheduled_stops() returns trigger language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  carrier bigint;
  gap boolean;
begin
  foreach carrier in array array[old.scheduled_id, new.scheduled_id] loop
    select max(position) >= count(*) into gap
      from scheduled_stops where central_id = coalesce(new.central_id, old.central_id) and scheduled_id = carrier;
    if gap then
      raise exception 'stops of scheduled delivery % leave a gap', carrier using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger scheduled_stops_dense after insert or delete or update of scheduled_id, position
  on scheduled_stops deferrable initially deferred
  for each row execute function assert_dense_scheduled_stops();
