-- Offers to drivers, claims of requests that are being grouped, the record of automatic merges, and what passes between
-- a driver and the central during a delivery.

create table offers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  driver_id bigint not null,
  state text not null
    constraint offers_state_known check (state in ('open', 'refused', 'expired', 'accepted', 'withdrawn')),
  offered_at timestamptz not null,
  expires_at timestamptz,
  closed_at timestamptz,
  refusal_reason text,
  refusal_note text,
  primary key (central_id, id),
  constraint offers_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint offers_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint offers_closed_has_time check ((state = 'open') = (closed_at is null)),
  constraint offers_expire_later check (expires_at > offered_at)
);
create unique index offers_one_open on offers (central_id, delivery_id, driver_id) where state = 'open';
create unique index offers_one_accepted on offers (central_id, delivery_id) where state = 'accepted';
create index offers_of_delivery on offers (central_id, delivery_id, driver_id);
create index offers_open_of_driver on offers (central_id, driver_id) where state = 'open';
-- Begins with the time, because one claim serves every central's expired offers.
create index offers_due on offers (expires_at, central_id, id) where state = 'open' and expires_at is not null;

comment on table offers is
  'Deliveries offered to drivers, and what became of each offer. Rows stay: they say who need not be asked again.';
comment on column offers.state is
  'open until the driver accepts or refuses it, it expires, or it is withdrawn because somebody else accepted or the delivery ended.';
comment on column offers.expires_at is 'Null: open until somebody closes it, as when an operator names the driver.';
comment on column offers.closed_at is 'Null while open.';
comment on column offers.refusal_reason is
  'Why the driver refused, if the driver said so; the reasons are in server/src/deliveries/deliveries.';
comment on column offers.refusal_note is 'The driver''s own words about a refusal.';

create table claims (
  central_id bigint not null constraint claims_central_fkey references centrals,
  noun text not null constraint claims_noun_known check (noun in ('delivery', 'scheduled')),
  target_id bigint not null,
  purpose text not null constraint claims_purpose_known check (purpose in ('grouping', 'automatic_merge')),
  token uuid not null,
  expires_at timestamptz not null,
  holder_pid integer,
  holder_since timestamptz,
  request bytea,
  primary key (central_id, noun, target_id)
);
create index claims_token on claims (central_id, token);

comment on table claims is
  'Leases on requests that are being grouped while the routing engine is asked. The key makes a lease exclusive; the expiry frees what a dead process held. A row lives for seconds.';
comment on column claims.target_id is
  'The delivery or scheduled delivery, by noun. No foreign key, because it names one of two tables, and the claim''s own transaction has just read the row; neither table''s rows are deleted.';
comment on column claims.purpose is 'Decides which refusal others get: a grouping or an automatic merge is in progress.';
comment on column claims.token is 'The same for all targets of one grouping.';
comment on column claims.holder_pid is
  'The database session that took the claim. What an ended session held may be taken over at once.';
comment on column claims.holder_since is 'When that session began, because process ids are used again.';
comment on column claims.request is 'Digest of the HTTP request, if it may be repeated. A repetition waits instead of being refused.';

create table automatic_merges (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  grouper_id bigint not null,
  orders integer not null constraint automatic_merges_orders_min check (orders >= 2),
  stops integer not null constraint automatic_merges_stops_range check (stops between 2 and 10),
  seconds_before integer not null,
  seconds_after integer not null,
  metres_before integer not null,
  metres_after integer not null,
  net_cents_before bigint not null,
  net_cents_after bigint not null,
  merged_at timestamptz not null,
  primary key (central_id, id),
  constraint automatic_merges_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint automatic_merges_grouper_fkey foreign key (central_id, grouper_id) references scheduled (central_id, id)
);
create index automatic_merges_newest on automatic_merges (central_id, merged_at desc, id desc);

comment on table automatic_merges is
  'What the automatic merge did and saved: one row for each group. The sums before and after are over all orders of the group.';
comment on column automatic_merges.grouper_id is 'The scheduled delivery that carries the stops of the group.';
comment on column automatic_merges.orders is 'Scheduled deliveries in the group, the carrier included.';

create table handovers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  from_driver_id bigint not null,
  to_driver_id bigint not null,
  reason text not null,
  handed_over_at timestamptz not null,
  user_id bigint,
  primary key (central_id, id),
  constraint handovers_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id)
    on delete cascade,
  constraint handovers_from_driver_fkey foreign key (central_id, from_driver_id) references drivers (central_id, id),
  constraint handovers_to_driver_fkey foreign key (central_id, to_driver_id) references drivers (central_id, id),
  constraint handovers_between_two check (from_driver_id <> to_driver_id)
);
create index handovers_of_delivery on handovers (central_id, delivery_id, from_driver_id);

comment on table handovers is
  'Each time that an operator gave a delivery that a driver carried to another driver.';
comment on column handovers.reason is 'In the operator''s words, for the central only.';
comment on column handovers.user_id is 'The operator.';

create table help_requests (
  central_id bigint not null,
  id bigint not null,
  driver_id bigint not null,
  delivery_id bigint,
  text text not null,
  created_at timestamptz not null,
  primary key (central_id, id),
  constraint help_requests_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade,
  constraint help_requests_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id)
);
create index help_requests_newest on help_requests (central_id, created_at desc);
create index help_requests_of_driver on help_requests (central_id, driver_id, created_at);

comment on table help_requests is
  'What drivers ask of the central and nobody has answered yet. A row is deleted when an operator takes care of it, or when nobody did for long.';
comment on column help_requests.id is 'Random.';
comment on column help_requests.delivery_id is 'What the driver was carrying, if it is about that.';
