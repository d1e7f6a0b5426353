-- Addresses that a company uses again: its own pickups, its favourites, and recipients found by their phone.

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
