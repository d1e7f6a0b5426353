-- What a central sets up before its day begins.

create table categories (
  central_id bigint not null references centrals,
  id bigint not null,
  name text not null check (name <> ''),
  description text not null default '',
  -- How its vehicles use the roads.
  profile text not null default 'motorcycle' check (profile in ('motorcycle', 'car', 'bicycle')),
  active boolean not null default true,
  primary key (central_id, id)
);
create unique index categories_name on categories (central_id, lower(name));

create table operating_areas (
  central_id bigint not null references centrals,
  id bigint not null,
  name text not null check (name <> ''),
  is_default boolean not null default false,
  -- A GeoJSON Polygon or MultiPolygon.
  shape jsonb not null check (shape ->> 'type' in ('Polygon', 'MultiPolygon')),
  primary key (central_id, id)
);
create unique index operating_areas_name on operating_areas (central_id, lower(name));
create unique index operating_areas_one_default on operating_areas (central_id) where is_default;

create table tariffs (
  central_id bigint not null references centrals,
  id bigint not null,
  category_id bigint not null,
  -- Null: wherever the category has no tariff made for the area.
  area_id bigint,
  name text not null check (name <> ''),
  base_cents bigint not null check (base_cents >= 0),
  per_km_cents numeric(12, 4) not null check (per_km_cents >= 0),
  per_minute_cents numeric(12, 4) not null check (per_minute_cents >= 0),
  per_extra_stop_cents bigint not null check (per_extra_stop_cents >= 0),
  return_factor numeric(6, 4) not null default 1 check (return_factor >= 0),
  minimum_cents bigint not null check (minimum_cents >= 0),
  windows jsonb not null default '[]' check (jsonb_typeof(windows) = 'array'),
  primary key (central_id, id),
  foreign key (central_id, category_id) references categories (central_id, id),
  foreign key (central_id, area_id) references operating_areas (central_id, id),
  unique nulls not distinct (central_id, category_id, area_id)
);

create table companies (
  central_id bigint not null references centrals,
  id bigint not null,
  name text not null check (name <> ''),
  -- CPF or CNPJ, digits and letters only.
  document text not null check (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  phone text check (phone ~ '^[0-9]{10,11}$'),
  contract_number text,
  identifier text,
  default_category_id bigint,
  -- Its deliveries wait until the central releases them.
  needs_release boolean not null default false,
  active boolean not null default true,
  primary key (central_id, id),
  foreign key (central_id, default_category_id) references categories (central_id, id),
  unique (central_id, document),
  unique (central_id, phone),
  unique (central_id, contract_number),
  unique (central_id, identifier)
);

-- Who a delivery is for: a person, or the company itself.
create table customers (
  central_id bigint not null references centrals,
  id bigint not null,
  company_id bigint,
  name text not null check (name <> ''),
  cpf text check (cpf ~ '^[0-9]{11}$'),
  phone text,
  primary key (central_id, id),
  foreign key (central_id, company_id) references companies (central_id, id) on delete cascade,
  check (num_nonnulls(company_id, cpf) = 1),
  unique (central_id, company_id),
  unique (central_id, cpf)
);

create table drivers (
  central_id bigint not null references centrals,
  id bigint not null,
  name text not null check (name <> ''),
  phone text not null check (phone ~ '^[0-9]{10,11}$'),
  vehicle text not null default '',
  plate text not null default '',
  color text,
  available boolean not null default false,
  active boolean not null default true,
  primary key (central_id, id)
);

create table driver_categories (
  central_id bigint not null,
  driver_id bigint not null,
  category_id bigint not null,
  primary key (central_id, driver_id, category_id),
  foreign key (central_id, driver_id) references drivers (central_id, id) on delete cascade,
  foreign key (central_id, category_id) references categories (central_id, id)
);
create index driver_categories_category on driver_categories (central_id, category_id);

-- Apart from drivers, because positions change every few seconds and nothing else of a driver does.
-- The free space lets PostgreSQL rewrite a position in place (HOT) instead of growing the table.
create table driver_positions (
  central_id bigint not null,
  driver_id bigint not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  at timestamptz not null,
  primary key (central_id, driver_id),
  foreign key (central_id, driver_id) references drivers (central_id, id) on delete cascade
) with (fillfactor = 50);

create table users (
  central_id bigint not null references centrals,
  id bigint not null,
  username text not null check (username <> '' and position(':' in username) = 0),
  password_hash text not null,
  -- operator and integrator see the whole central, and only an operator runs it.
  role text not null check (role in ('operator', 'integrator', 'manager', 'driver')),
  company_id bigint,
  driver_id bigint,
  active boolean not null default true,
  primary key (central_id, id),
  unique (central_id, username),
  foreign key (central_id, company_id) references companies (central_id, id),
  foreign key (central_id, driver_id) references drivers (central_id, id),
  check ((role = 'manager') = (company_id is not null)),
  check ((role = 'driver') = (driver_id is not null))
);

create table coupons (
  central_id bigint not null references centrals,
  id bigint not null,
  code text not null check (code <> ''),
  percent numeric(5, 2) not null check (percent > 0 and percent <= 100),
  -- Whoever generated it, in that system's own numbering.
  generator_id text not null default '',
  valid_until timestamptz,
  active boolean not null default true,
  primary key (central_id, id)
);
create unique index coupons_code on coupons (central_id, upper(code));

create trigger categories_tell after insert or update or delete on categories
  for each row execute function tell_register_changed();
create trigger operating_areas_tell after insert or update or delete on operating_areas
  for each row execute function tell_register_changed();
create trigger tariffs_tell after insert or update or delete on tariffs
  for each row execute function tell_register_changed();
create trigger users_tell after insert or update or delete on users
  for each row execute function tell_register_changed();
