-- What a central sets up before its day begins: categories, areas, tariffs, coupons, companies and customers.

create table categories (
  central_id bigint not null constraint categories_central_fkey references centrals,
  id bigint not null,
  name text not null constraint categories_name_given check (name <> ''),
  description text not null default '',
  profile text not null default 'motorcycle'
    constraint categories_profile_known check (profile in ('motorcycle', 'car', 'bicycle')),
  active boolean not null default true,
  primary key (central_id, id)
);
create unique index categories_name_unique on categories (central_id, lower(name));
create trigger categories_announce_change after insert or update or delete on categories
  for each row execute function announce_register_change();

comment on table categories is 'Kinds of vehicle that a delivery can be ordered with.';
comment on column categories.profile is 'How its vehicles use the roads; selects the profile of the routing engine.';
comment on column categories.active is 'An inactive category is refused in new orders and stays in old ones.';

create table operating_areas (
  central_id bigint not null constraint operating_areas_central_fkey references centrals,
  id bigint not null,
  name text not null constraint operating_areas_name_given check (name <> ''),
  is_default boolean not null default false,
  shape jsonb not null
    constraint operating_areas_shape_kind check (shape ->> 'type' in ('Polygon', 'MultiPolygon')),
  primary key (central_id, id)
);
create unique index operating_areas_name_unique on operating_areas (central_id, lower(name));
create unique index operating_areas_one_default on operating_areas (central_id) where is_default;
create trigger operating_areas_announce_change after insert or update or delete on operating_areas
  for each row execute function announce_register_change();

comment on table operating_areas is 'Where a central works. Tariffs may differ by area.';
comment on column operating_areas.is_default is
  'A central with areas has exactly one default area. Where areas overlap it has the lowest priority.';
comment on column operating_areas.shape is 'GeoJSON Polygon or MultiPolygon, WGS 84.';

create table tariffs (
  central_id bigint not null,
  id bigint not null,
  category_id bigint not null,
  area_id bigint,
  name text not null constraint tariffs_name_given check (name <> ''),
  base_cents bigint not null constraint tariffs_base_not_negative check (base_cents >= 0),
  per_km_cents numeric(12, 4) not null constraint tariffs_per_km_not_negative check (per_km_cents >= 0),
  per_minute_cents numeric(12, 4) not null
    constraint tariffs_per_minute_not_negative check (per_minute_cents >= 0),
  per_extra_stop_cents bigint not null
    constraint tariffs_per_extra_stop_not_negative check (per_extra_stop_cents >= 0),
  return_factor numeric(6, 4) not null default 1
    constraint tariffs_return_factor_not_negative check (return_factor >= 0),
  minimum_cents bigint not null constraint tariffs_minimum_not_negative check (minimum_cents >= 0),
  windows jsonb not null default '[]' constraint tariffs_windows_array check (jsonb_typeof(windows) = 'array'),
  share jsonb,
  primary key (central_id, id),
  constraint tariffs_category_fkey foreign key (central_id, category_id) references categories (central_id, id),
  constraint tariffs_area_fkey foreign key (central_id, area_id) references operating_areas (central_id, id),
  constraint tariffs_one_per_category_and_area unique nulls not distinct (central_id, category_id, area_id)
);
create trigger tariffs_announce_change after insert or update or delete on tariffs
  for each row execute function announce_register_change();

comment on table tariffs is
  'Prices of a category in an area. The price of a delivery is computed in server/src/money/pricing/price.ts.';
comment on column tariffs.area_id is 'Null: applies where the category has no tariff for the area.';
comment on column tariffs.base_cents is 'Charged for every delivery, before distance and time.';
comment on column tariffs.per_km_cents is 'Cents and fractions of a cent, per kilometre.';
comment on column tariffs.per_minute_cents is 'Cents and fractions of a cent, per minute.';
comment on column tariffs.per_extra_stop_cents is 'For each stop after the first.';
comment on column tariffs.return_factor is 'The way back is charged at this share of its kilometres and minutes.';
comment on column tariffs.minimum_cents is 'The lowest price before the discount.';
comment on column tariffs.windows is
  'Hours at which the price is multiplied, in local time: {days, from, to, factor}. The first window that fits applies.';
comment on column tariffs.share is
  'How much of a delivery its driver earns; the form is in server/src/money/pricing/share.ts. Null: what the central''s settings say.';

create table companies (
  central_id bigint not null constraint companies_central_fkey references centrals,
  id bigint not null,
  name text not null constraint companies_name_given check (name <> ''),
  document text not null
    constraint companies_document_form check (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  phone text constraint companies_phone_form check (phone ~ '^[0-9]{10,11}$'),
  contract_number text,
  identifier text,
  default_category_id bigint,
  needs_release boolean not null default false,
  active boolean not null default true,
  failure_rules jsonb,
  support_text text,
  proof_photo text
    constraint companies_proof_photo_known check (proof_photo in ('off', 'optional', 'required')),
  proof_signature text
    constraint companies_proof_signature_known check (proof_signature in ('off', 'optional', 'required')),
  proof_name text
    constraint companies_proof_name_known check (proof_name in ('off', 'optional', 'required')),
  proof_amount boolean,
  primary key (central_id, id),
  constraint companies_default_category_fkey foreign key (central_id, default_category_id)
    references categories (central_id, id),
  constraint companies_document_unique unique (central_id, document),
  constraint companies_phone_unique unique (central_id, phone),
  constraint companies_contract_number_unique unique (central_id, contract_number),
  constraint companies_identifier_unique unique (central_id, identifier)
);
-- The order of the list.
create index companies_by_name on companies (central_id, fold_name(name), id);
create trigger companies_announce_change after insert or update or delete on companies
  for each row execute function announce_register_change();

comment on table companies is
  'Customers of the central that order on account, with managers and a credit wallet. A company that was never used can be deleted; others are made inactive.';
comment on column companies.document is 'CPF or CNPJ, digits and letters only.';
comment on column companies.phone is 'Area code and number, digits only.';
comment on column companies.contract_number is 'One of four ways in which external systems name a company.';
comment on column companies.identifier is 'The name of the company in an external system.';
comment on column companies.default_category_id is 'Used where an order names no category. Null: the order must name one.';
comment on column companies.needs_release is 'Its deliveries wait (awaiting_release) until the central releases them.';
comment on column companies.failure_rules is
  'What the company wants otherwise than its central when a stop fails; the keys are those of FailureRules in server/src/centrals. Null: nothing.';
comment on column companies.support_text is
  'How recipients of this company get help: a phone number or a sentence. Null: as the central says.';
comment on column companies.proof_photo is 'Whether a photo is asked for at its stops. Null: as the central has it.';
comment on column companies.proof_signature is 'Whether a signature is asked for at its stops. Null: as the central has it.';
comment on column companies.proof_name is 'Whether the name of who received is asked for. Null: as the central has it.';
comment on column companies.proof_amount is 'Whether the collected amount is recorded. Null: as the central has it.';

-- Addresses that a company uses again: its own pickups and its favourites.
create table company_addresses (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  kind text not null constraint company_addresses_kind_known check (kind in ('pickup', 'favourite')),
  name text not null constraint company_addresses_name_given check (name <> ''),
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null constraint company_addresses_lat_range check (lat between -90 and 90),
  lng double precision not null constraint company_addresses_lng_range check (lng between -180 and 180),
  recipient_name text,
  recipient_phone text,
  is_default boolean not null default false,
  saved_at timestamptz not null,
  constraint company_addresses_pkey primary key (central_id, id),
  constraint company_addresses_company_fkey foreign key (central_id, company_id)
    references companies (central_id, id) on delete cascade,
  constraint company_addresses_default_is_pickup check (kind = 'pickup' or not is_default)
);
create index company_addresses_of_company on company_addresses (central_id, company_id, id);
create unique index company_addresses_one_default on company_addresses (central_id, company_id) where is_default;
create index company_addresses_phone on company_addresses (central_id, phone_digits(recipient_phone))
  where recipient_phone is not null;

comment on table company_addresses is 'Addresses that a company registered for its orders. Favourites are personal data.';
comment on column company_addresses.kind is 'pickup: where the company hands goods over. favourite: where it often sends them.';
comment on column company_addresses.name is 'What people call it. Personal data in a favourite, as is all else that it says.';
comment on column company_addresses.is_default is 'The pickup that a new order begins with; at most one per company.';
comment on column company_addresses.saved_at is 'The last change. The retention of personal data counts from it.';

create table customers (
  central_id bigint not null constraint customers_central_fkey references centrals,
  id bigint not null,
  company_id bigint,
  name text not null constraint customers_name_given check (name <> ''),
  cpf text constraint customers_cpf_form check (cpf ~ '^[0-9]{11}$'),
  phone text,
  primary key (central_id, id),
  constraint customers_company_fkey foreign key (central_id, company_id)
    references companies (central_id, id) on delete cascade,
  constraint customers_company_or_person check (num_nonnulls(company_id, cpf) <= 1),
  constraint customers_one_per_company unique (central_id, company_id),
  constraint customers_cpf_unique unique (central_id, cpf)
);

comment on table customers is 'Who a delivery is for: a company, or a person who orders without one.';
comment on column customers.company_id is 'The company that this customer stands for. Null for a person.';
comment on column customers.cpf is
  'Document of a person, digits only. Null for a company, and for a person whose personal data was removed.';

create table coupons (
  central_id bigint not null constraint coupons_central_fkey references centrals,
  id bigint not null,
  code text not null constraint coupons_code_given check (code <> ''),
  percent numeric(5, 2) not null constraint coupons_percent_range check (percent > 0 and percent <= 100),
  generator_id text not null default '',
  valid_until timestamptz,
  uses_max integer constraint coupons_uses_max_positive check (uses_max > 0),
  uses_per_company_max integer constraint coupons_uses_per_company_max_positive check (uses_per_company_max > 0),
  active boolean not null default true,
  primary key (central_id, id)
);
create unique index coupons_code_unique on coupons (central_id, upper(code));

comment on table coupons is 'Discounts by code. A use is counted while its request is neither cancelled nor unattended.';
comment on column coupons.code is 'What the customer enters; upper and lower case are the same.';
comment on column coupons.percent is 'Share of the gross price that the customer does not pay.';
comment on column coupons.generator_id is 'Identifies whoever generated the coupon, in the numbering of that system.';
comment on column coupons.valid_until is 'Null: no end.';
comment on column coupons.uses_max is 'Null: no limit.';
comment on column coupons.uses_per_company_max is 'Null: no limit.';

create table coupon_companies (
  central_id bigint not null,
  coupon_id bigint not null,
  company_id bigint not null,
  primary key (central_id, coupon_id, company_id),
  constraint coupon_companies_coupon_fkey foreign key (central_id, coupon_id)
    references coupons (central_id, id) on delete cascade,
  constraint coupon_companies_company_fkey foreign key (central_id, company_id) references companies (central_id, id)
);
create index coupon_companies_company on coupon_companies (central_id, company_id);

comment on table coupon_companies is 'The companies that may use a coupon. A coupon without any is for everybody.';
