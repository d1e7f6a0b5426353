-- What all migrations together make, for reading and review. Written by scripts/dumpSchema.ts.

CREATE OR REPLACE FUNCTION public.add_to_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update wallets set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count into new.balance_after_cents, new.number;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.assert_dense_scheduled_stops()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.assert_dense_stops()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.end_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.fan_out_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into webhook_sendings (central_id, id, webhook_id, event_id, subject, occurred_at, next_attempt_at, expires_at)
  select w.central_id, next_id(w.central_id, 'sending'), w.id, new.id,
    case when new.type = 'delivery.position' then 'position ' || new.delivery_id
         when new.delivery_id is not null then 'delivery ' || new.delivery_id
         when new.scheduled_id is not null then 'scheduled ' || new.scheduled_id
         when new.type = 'webhook.test' then 'test ' || new.id
         else 'company ' || coalesce(new.company_id, 0) end,
    new.occurred_at, new.occurred_at,
    case when new.type = 'delivery.position' then new.occurred_at + interval '15 seconds' end
  from webhooks w
  where w.central_id = new.central_id and w.active
    and (w.company_id is null or w.company_id = new.company_id)
    and case when new.type = 'webhook.test' then w.id = (new.payload ->> 'webhookId')::bigint
             else new.type = any (w.types) end;
  raise notice 'malote_event %', new.central_id || case when found then ' send' else '' end;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g')),
    '\s+', ' ', 'g'))
$function$;

CREATE OR REPLACE FUNCTION public.make_id_sequences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  noun text;
begin
  foreach noun in array array['area', 'category', 'company', 'coupon', 'customer', 'delivery', 'driver',
                              'entry', 'event', 'key', 'merge', 'offer', 'scheduled', 'sending', 'stop', 'tariff', 'user',
                              'webhook'] loop
    execute format('create sequence %I start with %s', noun || '_ids_of_' || new.id, (new.id - 1) * 10000000 + 1);
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.next_id(central_id bigint, noun text)
 RETURNS bigint
 LANGUAGE sql
AS $function$ select nextval(format('%s_ids_of_%s', noun, central_id)::regclass) $function$;

CREATE OR REPLACE FUNCTION public.phone_digits(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when length(digits) > 11 and digits like '55%' then substr(digits, 3) else digits end
  from (select regexp_replace(phone, '\D', '', 'g') as digits) plain
$function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.rough_degree(degree double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select round(degree::numeric, 2)::double precision
$function$;

CREATE OR REPLACE FUNCTION public.tell_central_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('malote_registers', new.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_register_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('malote_registers', coalesce(new.central_id, old.central_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.without_door(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(nullif(trim(regexp_replace(
    regexp_replace(address, '\s*([,;/|(]|\s-\s).*$', ''),
    '\s+(n\S{0,2}\s*)?\d+(?!\d*\s+de\s).*$', '', 'i')), ''), '***')
$function$;

create table api_keys (
  central_id bigint not null,
  id bigint not null,
  label text not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (central_id, id),
  constraint api_keys_sha256_key UNIQUE (sha256),
  constraint api_keys_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint api_keys_sha256_check CHECK ((length(sha256) = 32))
);

create table automatic_merges (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  grouper_id bigint not null,
  orders integer not null,
  stops integer not null,
  seconds_before integer not null,
  seconds_after integer not null,
  metres_before integer not null,
  metres_after integer not null,
  net_cents_before bigint not null,
  net_cents_after bigint not null,
  merged_at timestamp with time zone not null,
  constraint automatic_merges_pkey PRIMARY KEY (central_id, id),
  constraint automatic_merges_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint automatic_merges_central_id_grouper_id_fkey FOREIGN KEY (central_id, grouper_id) REFERENCES scheduled(central_id, id),
  constraint automatic_merges_orders_check CHECK ((orders >= 2)),
  constraint automatic_merges_stops_check CHECK (((stops >= 2) AND (stops <= 10)))
);

create table cancellation_reasons (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  name_en text not null,
  active boolean not null default true,
  constraint cancellation_reasons_pkey PRIMARY KEY (central_id, id),
  constraint cancellation_reasons_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint cancellation_reasons_id_check CHECK ((id > 0))
);

create table categories (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  description text not null default ''::text,
  profile text not null default 'motorcycle'::text,
  active boolean not null default true,
  constraint categories_pkey PRIMARY KEY (central_id, id),
  constraint categories_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint categories_name_check CHECK ((name <> ''::text)),
  constraint categories_profile_check CHECK ((profile = ANY (ARRAY['motorcycle'::text, 'car'::text, 'bicycle'::text])))
);

create table centrals (
  id bigint not null generated by default as identity,
  name text not null,
  time_zone text not null,
  active boolean not null default true,
  settings jsonb not null default '{}'::jsonb,
  constraint centrals_pkey PRIMARY KEY (id),
  constraint centrals_name_check CHECK ((name <> ''::text)),
  constraint centrals_name_has_letter CHECK ((fold_name(name) ~ '[^0-9 ]'::text)),
  constraint centrals_settings_check CHECK ((jsonb_typeof(settings) = 'object'::text))
);

create table claims (
  central_id bigint not null,
  noun text not null,
  target_id bigint not null,
  purpose text not null,
  token uuid not null,
  expires_at timestamp with time zone not null,
  holder_pid integer,
  holder_since timestamp with time zone,
  request bytea,
  constraint claims_pkey PRIMARY KEY (central_id, noun, target_id),
  constraint claims_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint claims_noun_check CHECK ((noun = ANY (ARRAY['delivery'::text, 'scheduled'::text]))),
  constraint claims_purpose_check CHECK ((purpose = ANY (ARRAY['grouping'::text, 'automatic_merge'::text])))
);

create table companies (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  document text not null,
  phone text,
  contract_number text,
  identifier text,
  default_category_id bigint,
  needs_release boolean not null default false,
  active boolean not null default true,
  constraint companies_pkey PRIMARY KEY (central_id, id),
  constraint companies_central_id_contract_number_key UNIQUE (central_id, contract_number),
  constraint companies_central_id_document_key UNIQUE (central_id, document),
  constraint companies_central_id_identifier_key UNIQUE (central_id, identifier),
  constraint companies_central_id_phone_key UNIQUE (central_id, phone),
  constraint companies_central_id_default_category_id_fkey FOREIGN KEY (central_id, default_category_id) REFERENCES categories(central_id, id),
  constraint companies_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint companies_document_check CHECK ((document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'::text)),
  constraint companies_name_check CHECK ((name <> ''::text)),
  constraint companies_phone_check CHECK ((phone ~ '^[0-9]{10,11}$'::text))
);

create table coupon_companies (
  central_id bigint not null,
  coupon_id bigint not null,
  company_id bigint not null,
  constraint coupon_companies_pkey PRIMARY KEY (central_id, coupon_id, company_id),
  constraint coupon_companies_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint coupon_companies_central_id_coupon_id_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id) ON DELETE CASCADE
);

create table coupons (
  central_id bigint not null,
  id bigint not null,
  code text not null,
  percent numeric(5,2) not null,
  generator_id text not null default ''::text,
  valid_until timestamp with time zone,
  active boolean not null default true,
  uses_max integer,
  uses_per_company_max integer,
  constraint coupons_pkey PRIMARY KEY (central_id, id),
  constraint coupons_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint coupons_code_check CHECK ((code <> ''::text)),
  constraint coupons_percent_check CHECK (((percent > (0)::numeric) AND (percent <= (100)::numeric))),
  constraint coupons_uses_max_check CHECK ((uses_max > 0)),
  constraint coupons_uses_per_company_max_check CHECK ((uses_per_company_max > 0))
);

create table courier_leases (
  central_id bigint not null,
  holder uuid not null,
  expires_at timestamp with time zone not null,
  constraint courier_leases_pkey PRIMARY KEY (central_id),
  constraint courier_leases_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

create table customers (
  central_id bigint not null,
  id bigint not null,
  company_id bigint,
  name text not null,
  cpf text,
  phone text,
  constraint customers_pkey PRIMARY KEY (central_id, id),
  constraint customers_central_id_company_id_key UNIQUE (central_id, company_id),
  constraint customers_central_id_cpf_key UNIQUE (central_id, cpf),
  constraint customers_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint customers_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint customers_check CHECK ((num_nonnulls(company_id, cpf) <= 1)),
  constraint customers_cpf_check CHECK ((cpf ~ '^[0-9]{11}$'::text)),
  constraint customers_name_check CHECK ((name <> ''::text))
);

create table deliveries (
  central_id bigint not null,
  id bigint not null,
  status text not null,
  grouped_into bigint,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null,
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5,2) not null default 0,
  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null,
  pickup_lng double precision not null,
  planned_metres integer not null,
  planned_seconds integer not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  reserved_cents bigint not null default 0,
  cancellation_fee_cents bigint,
  driver_id bigint,
  driver_specified boolean not null default false,
  driver_to_pickup_metres integer not null default 0,
  travelled_metres integer not null default 0,
  requested_at timestamp with time zone not null,
  pending_at timestamp with time zone,
  accepted_at timestamp with time zone,
  arrived_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  not_attended_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancellation_reason_id bigint,
  scheduled_id bigint,
  event_sequence integer not null default 0,
  version integer not null default 1,
  search_since timestamp with time zone,
  search_again_at timestamp with time zone,
  personal_data_removed_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (central_id, id),
  constraint deliveries_central_id_cancellation_reason_id_fkey FOREIGN KEY (central_id, cancellation_reason_id) REFERENCES cancellation_reasons(central_id, id),
  constraint deliveries_central_id_category_id_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint deliveries_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint deliveries_central_id_coupon_id_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id),
  constraint deliveries_central_id_customer_id_fkey FOREIGN KEY (central_id, customer_id) REFERENCES customers(central_id, id),
  constraint deliveries_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint deliveries_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint deliveries_central_id_grouped_into_fkey FOREIGN KEY (central_id, grouped_into) REFERENCES deliveries(central_id, id),
  constraint deliveries_central_id_tariff_id_fkey FOREIGN KEY (central_id, tariff_id) REFERENCES tariffs(central_id, id),
  constraint deliveries_cancellation_fee_cents_check CHECK ((cancellation_fee_cents >= 0)),
  constraint deliveries_check CHECK (((net_cents >= 0) AND (net_cents <= gross_cents))),
  constraint deliveries_check1 CHECK ((grouped_into <> id)),
  constraint deliveries_check2 CHECK (((status <> ALL (ARRAY['accepted'::text, 'on_hold'::text, 'in_progress'::text, 'finished'::text])) OR (driver_id IS NOT NULL))),
  constraint deliveries_check3 CHECK (((status <> ALL (ARRAY['in_progress'::text, 'finished'::text])) OR (started_at IS NOT NULL))),
  constraint deliveries_check4 CHECK (((status = 'finished'::text) = (finished_at IS NOT NULL))),
  constraint deliveries_check5 CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  constraint deliveries_check6 CHECK (((status = 'not_attended'::text) = (not_attended_at IS NOT NULL))),
  constraint deliveries_check7 CHECK (((status <> 'cancelled'::text) OR (reserved_cents = 0))),
  constraint deliveries_check8 CHECK (((payment = 'credit_wallet'::text) OR (reserved_cents = 0))),
  constraint deliveries_check9 CHECK (((payment <> 'credit_wallet'::text) OR (company_id IS NOT NULL))),
  constraint deliveries_discount_percent_check CHECK (((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))),
  constraint deliveries_gross_cents_check CHECK ((gross_cents >= 0)),
  constraint deliveries_payment_check CHECK ((payment = ANY (ARRAY['cash'::text, 'voucher'::text, 'ticket'::text, 'third_party_wallet'::text, 'credit_card'::text, 'debit_card'::text, 'app_card'::text, 'instant_transfer'::text, 'third_party_app'::text, 'messaging_app'::text, 'credit_wallet'::text, 'invoiced'::text]))),
  constraint deliveries_pickup_lat_check CHECK (((pickup_lat >= ('-90'::integer)::double precision) AND (pickup_lat <= (90)::double precision))),
  constraint deliveries_pickup_lng_check CHECK (((pickup_lng >= ('-180'::integer)::double precision) AND (pickup_lng <= (180)::double precision))),
  constraint deliveries_planned_metres_check CHECK ((planned_metres >= 0)),
  constraint deliveries_planned_seconds_check CHECK ((planned_seconds >= 0)),
  constraint deliveries_reserved_cents_check CHECK ((reserved_cents >= 0)),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['awaiting_release'::text, 'distributing'::text, 'offered'::text, 'accepted'::text, 'on_hold'::text, 'in_progress'::text, 'finished'::text, 'not_attended'::text, 'cancelled'::text, 'pending'::text])))
);

create table driver_categories (
  central_id bigint not null,
  driver_id bigint not null,
  category_id bigint not null,
  constraint driver_categories_pkey PRIMARY KEY (central_id, driver_id, category_id),
  constraint driver_categories_central_id_category_id_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint driver_categories_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);

create table driver_companies (
  central_id bigint not null,
  driver_id bigint not null,
  company_id bigint not null,
  constraint driver_companies_pkey PRIMARY KEY (central_id, driver_id, company_id),
  constraint driver_companies_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint driver_companies_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);

create table driver_positions (
  central_id bigint not null,
  driver_id bigint not null,
  lat double precision not null,
  lng double precision not null,
  at timestamp with time zone not null,
  constraint driver_positions_pkey PRIMARY KEY (central_id, driver_id),
  constraint driver_positions_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE,
  constraint driver_positions_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint driver_positions_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))
) with (fillfactor=50);

create table drivers (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  phone text not null,
  vehicle text not null default ''::text,
  plate text not null default ''::text,
  color text,
  available boolean not null default false,
  active boolean not null default true,
  simulated boolean not null default false,
  constraint drivers_pkey PRIMARY KEY (central_id, id),
  constraint drivers_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint drivers_name_check CHECK ((name <> ''::text)),
  constraint drivers_phone_check CHECK ((phone ~ '^[0-9]{10,11}$'::text))
);

create table events (
  central_id bigint not null,
  id bigint not null,
  uid uuid not null default gen_random_uuid(),
  type text not null,
  company_id bigint,
  delivery_id bigint,
  scheduled_id bigint,
  sequence integer,
  payload jsonb not null,
  occurred_at timestamp with time zone not null,
  user_id bigint,
  author_kept boolean not null default true,
  constraint events_pkey PRIMARY KEY (central_id, id),
  constraint events_author FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint events_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint events_check CHECK ((num_nonnulls(delivery_id, scheduled_id) <= 1)),
  constraint events_check1 CHECK ((((num_nonnulls(delivery_id, scheduled_id) = 1) AND (type <> 'delivery.position'::text)) = (sequence IS NOT NULL)))
);

create table idempotency_keys (
  central_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamp with time zone not null,
  user_id bigint not null,
  constraint idempotency_keys_pkey PRIMARY KEY (central_id, user_id, key),
  constraint idempotency_keys_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

create table migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table offers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  driver_id bigint not null,
  state text not null,
  offered_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint offers_pkey PRIMARY KEY (central_id, id),
  constraint offers_central_id_delivery_id_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint offers_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint offers_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint offers_check CHECK (((state = 'open'::text) = (closed_at IS NULL))),
  constraint offers_check1 CHECK ((expires_at > offered_at)),
  constraint offers_state_check CHECK ((state = ANY (ARRAY['open'::text, 'refused'::text, 'expired'::text, 'accepted'::text, 'withdrawn'::text])))
);

create table operating_areas (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  is_default boolean not null default false,
  shape jsonb not null,
  constraint operating_areas_pkey PRIMARY KEY (central_id, id),
  constraint operating_areas_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint operating_areas_name_check CHECK ((name <> ''::text)),
  constraint operating_areas_shape_check CHECK (((shape ->> 'type'::text) = ANY (ARRAY['Polygon'::text, 'MultiPolygon'::text])))
);

create table privacy_actions (
  central_id bigint not null,
  id uuid not null default gen_random_uuid(),
  action text not null,
  done_at timestamp with time zone not null,
  done_by text not null,
  person_digest bytea,
  counts jsonb not null,
  constraint privacy_actions_pkey PRIMARY KEY (central_id, id),
  constraint privacy_actions_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint privacy_actions_action_check CHECK ((action = ANY (ARRAY['export'::text, 'erase'::text, 'retention'::text]))),
  constraint privacy_actions_check CHECK (((action = 'retention'::text) = (person_digest IS NULL)))
);

create table scheduled (
  central_id bigint not null,
  id bigint not null,
  situation text not null,
  dispatch_at timestamp with time zone not null,
  requested_at timestamp with time zone not null,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null,
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5,2) not null default 0,
  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null,
  pickup_lng double precision not null,
  planned_metres integer not null,
  planned_seconds integer not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  estimate_outdated boolean not null default false,
  delivery_id bigint,
  grouped_into bigint,
  grouped_automatically boolean not null default false,
  failure text,
  dispatch_attempts integer not null default 0,
  retry_at timestamp with time zone,
  event_sequence integer not null default 0,
  version integer not null default 1,
  personal_data_removed_at timestamp with time zone,
  constraint scheduled_pkey PRIMARY KEY (central_id, id),
  constraint scheduled_central_id_category_id_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint scheduled_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint scheduled_central_id_coupon_id_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id),
  constraint scheduled_central_id_customer_id_fkey FOREIGN KEY (central_id, customer_id) REFERENCES customers(central_id, id),
  constraint scheduled_central_id_delivery_id_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint scheduled_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint scheduled_central_id_tariff_id_fkey FOREIGN KEY (central_id, tariff_id) REFERENCES tariffs(central_id, id),
  constraint scheduled_check CHECK (((net_cents >= 0) AND (net_cents <= gross_cents))),
  constraint scheduled_check1 CHECK (((situation <> 'dispatched'::text) OR (delivery_id IS NOT NULL))),
  constraint scheduled_check2 CHECK (((situation <> 'failed'::text) OR (failure IS NOT NULL))),
  constraint scheduled_check3 CHECK (((payment <> 'credit_wallet'::text) OR (company_id IS NOT NULL))),
  constraint scheduled_discount_percent_check CHECK (((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))),
  constraint scheduled_gross_cents_check CHECK ((gross_cents >= 0)),
  constraint scheduled_payment_check CHECK ((payment = ANY (ARRAY['cash'::text, 'voucher'::text, 'ticket'::text, 'third_party_wallet'::text, 'credit_card'::text, 'debit_card'::text, 'app_card'::text, 'instant_transfer'::text, 'third_party_app'::text, 'messaging_app'::text, 'credit_wallet'::text, 'invoiced'::text]))),
  constraint scheduled_pickup_lat_check CHECK (((pickup_lat >= ('-90'::integer)::double precision) AND (pickup_lat <= (90)::double precision))),
  constraint scheduled_pickup_lng_check CHECK (((pickup_lng >= ('-180'::integer)::double precision) AND (pickup_lng <= (180)::double precision))),
  constraint scheduled_planned_metres_check CHECK ((planned_metres >= 0)),
  constraint scheduled_planned_seconds_check CHECK ((planned_seconds >= 0)),
  constraint scheduled_situation_check CHECK ((situation = ANY (ARRAY['awaiting'::text, 'dispatched'::text, 'cancelled'::text, 'grouped'::text, 'failed'::text])))
);

create table scheduled_stops (
  central_id bigint not null,
  id bigint not null,
  scheduled_id bigint not null,
  ordered_with bigint not null,
  "position" integer not null,
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null,
  lng double precision not null,
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint,
  confirmation_code integer,
  constraint scheduled_stops_pkey PRIMARY KEY (central_id, id),
  constraint scheduled_stops_one_per_position UNIQUE (central_id, scheduled_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint scheduled_stops_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint scheduled_stops_central_id_ordered_with_fkey FOREIGN KEY (central_id, ordered_with) REFERENCES scheduled(central_id, id),
  constraint scheduled_stops_central_id_scheduled_id_fkey FOREIGN KEY (central_id, scheduled_id) REFERENCES scheduled(central_id, id),
  constraint scheduled_stops_collect_cents_check CHECK ((collect_cents >= 0)),
  constraint scheduled_stops_confirmation_code_check CHECK (((confirmation_code >= 0) AND (confirmation_code <= 9999))),
  constraint scheduled_stops_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint scheduled_stops_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint scheduled_stops_position_check CHECK (("position" >= 0))
);

create table sessions (
  central_id bigint not null,
  sha256 bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (central_id, sha256),
  constraint sessions_central_id_user_id_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id) ON DELETE CASCADE,
  constraint sessions_sha256_check CHECK ((length(sha256) = 32))
);

create table stops (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  ordered_with bigint not null,
  "position" integer not null,
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null,
  lng double precision not null,
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint,
  concluded_at timestamp with time zone,
  tracking_token text not null,
  confirmation_code integer,
  wrong_codes integer not null default 0,
  constraint stops_pkey PRIMARY KEY (central_id, id),
  constraint stops_one_per_position UNIQUE (central_id, delivery_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint stops_tracking_token_key UNIQUE (tracking_token),
  constraint stops_central_id_delivery_id_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint stops_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint stops_central_id_ordered_with_fkey FOREIGN KEY (central_id, ordered_with) REFERENCES deliveries(central_id, id),
  constraint stops_collect_cents_check CHECK ((collect_cents >= 0)),
  constraint stops_confirmation_code_check CHECK (((confirmation_code >= 0) AND (confirmation_code <= 9999))),
  constraint stops_lat_check CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint stops_lng_check CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint stops_position_check CHECK (("position" >= 0))
);

create table tariffs (
  central_id bigint not null,
  id bigint not null,
  category_id bigint not null,
  area_id bigint,
  name text not null,
  base_cents bigint not null,
  per_km_cents numeric(12,4) not null,
  per_minute_cents numeric(12,4) not null,
  per_extra_stop_cents bigint not null,
  return_factor numeric(6,4) not null default 1,
  minimum_cents bigint not null,
  windows jsonb not null default '[]'::jsonb,
  constraint tariffs_pkey PRIMARY KEY (central_id, id),
  constraint tariffs_central_id_category_id_area_id_key UNIQUE NULLS NOT DISTINCT (central_id, category_id, area_id),
  constraint tariffs_central_id_area_id_fkey FOREIGN KEY (central_id, area_id) REFERENCES operating_areas(central_id, id),
  constraint tariffs_central_id_category_id_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint tariffs_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint tariffs_base_cents_check CHECK ((base_cents >= 0)),
  constraint tariffs_minimum_cents_check CHECK ((minimum_cents >= 0)),
  constraint tariffs_name_check CHECK ((name <> ''::text)),
  constraint tariffs_per_extra_stop_cents_check CHECK ((per_extra_stop_cents >= 0)),
  constraint tariffs_per_km_cents_check CHECK ((per_km_cents >= (0)::numeric)),
  constraint tariffs_per_minute_cents_check CHECK ((per_minute_cents >= (0)::numeric)),
  constraint tariffs_return_factor_check CHECK ((return_factor >= (0)::numeric)),
  constraint tariffs_windows_check CHECK ((jsonb_typeof(windows) = 'array'::text))
);

create table users (
  central_id bigint not null,
  id bigint not null,
  username text not null,
  password_hash text not null,
  role text not null,
  company_id bigint,
  driver_id bigint,
  active boolean not null default true,
  constraint users_pkey PRIMARY KEY (central_id, id),
  constraint users_central_id_username_key UNIQUE (central_id, username),
  constraint users_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint users_central_id_driver_id_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint users_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint users_check CHECK (((role = 'manager'::text) = (company_id IS NOT NULL))),
  constraint users_check1 CHECK (((role = 'driver'::text) = (driver_id IS NOT NULL))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'integrator'::text, 'manager'::text, 'driver'::text]))),
  constraint users_username_check CHECK (((username <> ''::text) AND (POSITION((':'::text) IN (username)) = 0)))
);

create table wallet_entries (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  kind text not null,
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  delivery_id bigint,
  note text,
  user_id bigint,
  created_at timestamp with time zone not null,
  number bigint not null,
  constraint wallet_entries_pkey PRIMARY KEY (central_id, id),
  constraint wallet_entries_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES wallets(central_id, company_id),
  constraint wallet_entries_central_id_delivery_id_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint wallet_entries_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint wallet_entries_central_id_user_id_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint wallet_entries_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint wallet_entries_check CHECK (((kind <> 'top_up'::text) OR (amount_cents > 0))),
  constraint wallet_entries_check1 CHECK (((kind = ANY (ARRAY['top_up'::text, 'withdrawal'::text])) = (delivery_id IS NULL))),
  constraint wallet_entries_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'withdrawal'::text, 'reserve'::text, 'release'::text, 'settlement'::text, 'cancellation_fee'::text]))),
  constraint wallet_entries_withdrawal_check CHECK (((kind <> 'withdrawal'::text) OR (amount_cents < 0)))
);

create table wallets (
  central_id bigint not null,
  company_id bigint not null,
  balance_cents bigint not null default 0,
  entry_count bigint not null default 0,
  constraint wallets_pkey PRIMARY KEY (central_id, company_id),
  constraint wallets_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint wallets_balance_cents_check CHECK ((balance_cents >= 0))
);

create table webhook_sendings (
  central_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  subject text not null,
  occurred_at timestamp with time zone not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  refusals integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  held_until timestamp with time zone,
  holder uuid,
  last_attempt_at timestamp with time zone,
  last_status integer,
  last_duration_ms integer,
  last_answer text,
  last_error text,
  delivered_at timestamp with time zone,
  replayed_at timestamp with time zone,
  constraint webhook_sendings_pkey PRIMARY KEY (central_id, id),
  constraint webhook_sendings_central_id_event_id_fkey FOREIGN KEY (central_id, event_id) REFERENCES events(central_id, id) ON DELETE CASCADE,
  constraint webhook_sendings_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint webhook_sendings_central_id_webhook_id_fkey FOREIGN KEY (central_id, webhook_id) REFERENCES webhooks(central_id, id) ON DELETE CASCADE,
  constraint webhook_sendings_check CHECK (((held_until IS NULL) = (holder IS NULL))),
  constraint webhook_sendings_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'expired'::text])))
);

create table webhooks (
  central_id bigint not null,
  id bigint not null,
  company_id bigint,
  url text not null,
  types text[] not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamp with time zone,
  active boolean not null default true,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  next_attempt_at timestamp with time zone,
  paused_at timestamp with time zone,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_failure_status integer,
  last_failure_error text,
  constraint webhooks_pkey PRIMARY KEY (central_id, id),
  constraint webhooks_central_id_company_id_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint webhooks_central_id_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint webhooks_check CHECK (((failing_since IS NULL) = (failures = 0))),
  constraint webhooks_check1 CHECK (((deleted_at IS NULL) OR (NOT active))),
  constraint webhooks_types_check CHECK ((cardinality(types) > 0))
);

CREATE INDEX automatic_merges_newest ON automatic_merges USING btree (central_id, merged_at DESC, id DESC);
CREATE UNIQUE INDEX categories_name ON categories USING btree (central_id, lower(name));
CREATE UNIQUE INDEX centrals_name_unique ON centrals USING btree (fold_name(name));
CREATE INDEX claims_token ON claims USING btree (token);
CREATE INDEX coupon_companies_company ON coupon_companies USING btree (central_id, company_id);
CREATE UNIQUE INDEX coupons_code ON coupons USING btree (central_id, upper(code));
CREATE INDEX deliveries_by_company ON deliveries USING btree (central_id, company_id, requested_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX deliveries_by_driver ON deliveries USING btree (central_id, driver_id, requested_at DESC, id DESC) WHERE (driver_id IS NOT NULL);
CREATE INDEX deliveries_by_payment ON deliveries USING btree (central_id, payment, requested_at DESC, id DESC);
CREATE INDEX deliveries_by_status ON deliveries USING btree (central_id, status, requested_at DESC, id DESC);
CREATE INDEX deliveries_coupon_uses ON deliveries USING btree (central_id, coupon_id, customer_id) WHERE ((coupon_id IS NOT NULL) AND (status <> 'cancelled'::text) AND (status <> 'not_attended'::text));
CREATE INDEX deliveries_grouped ON deliveries USING btree (central_id, grouped_into) WHERE (grouped_into IS NOT NULL);
CREATE INDEX deliveries_newest ON deliveries USING btree (central_id, requested_at DESC, id DESC);
CREATE INDEX deliveries_of_person ON deliveries USING btree (central_id, customer_id) WHERE (company_id IS NULL);
CREATE INDEX deliveries_on_hold ON deliveries USING btree (central_id, driver_id, accepted_at, id) WHERE (status = 'on_hold'::text);
CREATE UNIQUE INDEX deliveries_once_per_scheduled ON deliveries USING btree (central_id, scheduled_id) WHERE (scheduled_id IS NOT NULL);
CREATE UNIQUE INDEX deliveries_one_current_per_driver ON deliveries USING btree (central_id, driver_id) WHERE ((status = ANY (ARRAY['accepted'::text, 'in_progress'::text])) AND (grouped_into IS NULL));
CREATE INDEX deliveries_searching ON deliveries USING btree (status, central_id, requested_at) WHERE ((status = ANY (ARRAY['distributing'::text, 'pending'::text, 'offered'::text])) AND (grouped_into IS NULL));
CREATE INDEX deliveries_with_personal_data ON deliveries USING btree (central_id, COALESCE(finished_at, cancelled_at, not_attended_at), id) WHERE ((personal_data_removed_at IS NULL) AND (status = ANY (ARRAY['finished'::text, 'cancelled'::text, 'not_attended'::text])));
CREATE INDEX driver_categories_category ON driver_categories USING btree (central_id, category_id);
CREATE INDEX driver_companies_company ON driver_companies USING btree (central_id, company_id);
CREATE INDEX drivers_phone ON drivers USING btree (central_id, phone);
CREATE INDEX drivers_simulated ON drivers USING btree (central_id, id) WHERE simulated;
CREATE UNIQUE INDEX events_of_delivery ON events USING btree (central_id, delivery_id, sequence) WHERE ((sequence IS NOT NULL) AND (delivery_id IS NOT NULL));
CREATE UNIQUE INDEX events_of_scheduled ON events USING btree (central_id, scheduled_id, sequence) WHERE (scheduled_id IS NOT NULL);
CREATE INDEX events_of_user ON events USING btree (central_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX events_positions ON events USING btree (central_id, delivery_id, occurred_at) WHERE (type = 'delivery.position'::text);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);
CREATE INDEX offers_due ON offers USING btree (expires_at, central_id, id) WHERE ((state = 'open'::text) AND (expires_at IS NOT NULL));
CREATE INDEX offers_of_delivery ON offers USING btree (central_id, delivery_id, driver_id);
CREATE UNIQUE INDEX offers_one_accepted ON offers USING btree (central_id, delivery_id) WHERE (state = 'accepted'::text);
CREATE UNIQUE INDEX offers_one_open ON offers USING btree (central_id, delivery_id, driver_id) WHERE (state = 'open'::text);
CREATE INDEX offers_open_of_driver ON offers USING btree (central_id, driver_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX operating_areas_name ON operating_areas USING btree (central_id, lower(name));
CREATE UNIQUE INDEX operating_areas_one_default ON operating_areas USING btree (central_id) WHERE is_default;
CREATE INDEX scheduled_awaiting_credit ON scheduled USING btree (central_id, company_id) INCLUDE (net_cents) WHERE ((situation = 'awaiting'::text) AND (payment = 'credit_wallet'::text));
CREATE INDEX scheduled_by_company ON scheduled USING btree (central_id, company_id, dispatch_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX scheduled_coupon_uses ON scheduled USING btree (central_id, coupon_id, customer_id) WHERE ((coupon_id IS NOT NULL) AND ((situation = 'awaiting'::text) OR (situation = 'grouped'::text)));
CREATE INDEX scheduled_created ON scheduled USING btree (central_id, requested_at DESC, id DESC);
CREATE INDEX scheduled_created_by_company ON scheduled USING btree (central_id, company_id, requested_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX scheduled_due ON scheduled USING btree (dispatch_at, central_id, id) WHERE (situation = 'awaiting'::text);
CREATE INDEX scheduled_failed ON scheduled USING btree (central_id, dispatch_at DESC, id DESC) WHERE (situation = 'failed'::text);
CREATE INDEX scheduled_grouped ON scheduled USING btree (central_id, grouped_into) WHERE (grouped_into IS NOT NULL);
CREATE INDEX scheduled_mergeable ON scheduled USING btree (central_id, dispatch_at) WHERE ((situation = 'awaiting'::text) AND (company_id IS NOT NULL) AND (NOT grouped_automatically));
CREATE INDEX scheduled_newest ON scheduled USING btree (central_id, dispatch_at DESC, id DESC);
CREATE INDEX scheduled_of_person ON scheduled USING btree (central_id, customer_id) WHERE (company_id IS NULL);
CREATE INDEX scheduled_stops_ordered_with ON scheduled_stops USING btree (central_id, ordered_with);
CREATE INDEX scheduled_with_personal_data ON scheduled USING btree (central_id, dispatch_at, id) WHERE ((personal_data_removed_at IS NULL) AND (situation <> 'awaiting'::text));
CREATE INDEX sessions_expired ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_a_user ON sessions USING btree (central_id, user_id, created_at);
CREATE UNIQUE INDEX sessions_token ON sessions USING btree (sha256);
CREATE INDEX stops_ordered_with ON stops USING btree (central_id, ordered_with);
CREATE UNIQUE INDEX wallet_entries_newest ON wallet_entries USING btree (central_id, company_id, number DESC);
CREATE INDEX wallet_entries_noted ON wallet_entries USING btree (central_id, created_at, id) WHERE (note IS NOT NULL);
CREATE INDEX webhook_sendings_delivered ON webhook_sendings USING btree (central_id, webhook_id, delivered_at DESC) WHERE (delivered_at IS NOT NULL);
CREATE INDEX webhook_sendings_due ON webhook_sendings USING btree (central_id, webhook_id, next_attempt_at, event_id) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_sendings_event ON webhook_sendings USING btree (central_id, event_id);
CREATE INDEX webhook_sendings_expiring ON webhook_sendings USING btree (expires_at) WHERE ((state = 'waiting'::text) AND (expires_at IS NOT NULL));
CREATE INDEX webhook_sendings_held ON webhook_sendings USING btree (central_id, webhook_id, held_until) WHERE (held_until IS NOT NULL);
CREATE INDEX webhook_sendings_log ON webhook_sendings USING btree (central_id, webhook_id, occurred_at DESC, id DESC);
CREATE INDEX webhook_sendings_order ON webhook_sendings USING btree (central_id, webhook_id, subject, event_id) WHERE (state = 'waiting'::text);
CREATE INDEX webhooks_deleted ON webhooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE TRIGGER api_keys_tell AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION tell_register_changed();
CREATE TRIGGER categories_tell AFTER INSERT OR DELETE OR UPDATE ON categories FOR EACH ROW EXECUTE FUNCTION tell_register_changed();
CREATE TRIGGER centrals_make_id_sequences AFTER INSERT ON centrals FOR EACH ROW EXECUTE FUNCTION make_id_sequences();
CREATE TRIGGER centrals_tell AFTER UPDATE ON centrals FOR EACH ROW EXECUTE FUNCTION tell_central_changed();
CREATE TRIGGER events_fan_out AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION fan_out_event();
CREATE TRIGGER operating_areas_tell AFTER INSERT OR DELETE OR UPDATE ON operating_areas FOR EACH ROW EXECUTE FUNCTION tell_register_changed();
CREATE CONSTRAINT TRIGGER scheduled_stops_dense AFTER INSERT OR DELETE OR UPDATE OF scheduled_id, "position" ON scheduled_stops DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION assert_dense_scheduled_stops();
CREATE CONSTRAINT TRIGGER stops_dense AFTER INSERT OR DELETE OR UPDATE OF delivery_id, "position" ON stops DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION assert_dense_stops();
CREATE TRIGGER tariffs_tell AFTER INSERT OR DELETE OR UPDATE ON tariffs FOR EACH ROW EXECUTE FUNCTION tell_register_changed();
CREATE TRIGGER users_end_sessions AFTER UPDATE OF password_hash, active, role, company_id, driver_id ON users FOR EACH ROW EXECUTE FUNCTION end_sessions();
CREATE TRIGGER users_tell AFTER INSERT OR DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION tell_register_changed();
CREATE TRIGGER wallet_entries_add BEFORE INSERT ON wallet_entries FOR EACH ROW EXECUTE FUNCTION add_to_balance();
CREATE TRIGGER wallet_entries_append_only BEFORE DELETE OR UPDATE ON wallet_entries FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER wallet_entries_no_truncate BEFORE TRUNCATE ON wallet_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

comment on table column public.idempotency_keys.answer is 'Null only within the transaction that carries the request out.';
