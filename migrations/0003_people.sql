-- Drivers, logins and sessions.

create table drivers (
  central_id bigint not null constraint drivers_central_fkey references centrals,
  id bigint not null,
  name text not null constraint drivers_name_given check (name <> ''),
  phone text not null constraint drivers_phone_form check (phone ~ '^[0-9]{10,11}$'),
  vehicle text not null default '',
  plate text not null default '',
  color text,
  available boolean not null default false,
  active boolean not null default true,
  simulated boolean not null default false,
  primary key (central_id, id)
);
create index drivers_simulated on drivers (central_id, id) where simulated;
-- A company is found by the phone of a driver who works for it alone.
create index drivers_phone on drivers (central_id, phone);

comment on table drivers is 'People who carry deliveries.';
comment on column drivers.phone is 'Area code and number, digits only.';
comment on column drivers.color is 'Of the vehicle.';
comment on column drivers.available is 'Whether the driver takes offers now. Set by the driver or an operator.';
comment on column drivers.simulated is
  'Set when the driver is registered and never changed, so that the simulation never acts for a real person.';

create table driver_categories (
  central_id bigint not null,
  driver_id bigint not null,
  category_id bigint not null,
  primary key (central_id, driver_id, category_id),
  constraint driver_categories_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade,
  constraint driver_categories_category_fkey foreign key (central_id, category_id)
    references categories (central_id, id)
);
create index driver_categories_category on driver_categories (central_id, category_id);

comment on table driver_categories is 'The categories that a driver can carry.';

create table driver_companies (
  central_id bigint not null,
  driver_id bigint not null,
  company_id bigint not null,
  primary key (central_id, driver_id, company_id),
  constraint driver_companies_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade,
  constraint driver_companies_company_fkey foreign key (central_id, company_id) references companies (central_id, id)
);
create index driver_companies_company on driver_companies (central_id, company_id);

comment on table driver_companies is 'The companies that a driver works for. A driver without any works for all.';

-- The free space lets PostgreSQL rewrite a position in its page (HOT) instead of growing the table.
create table driver_positions (
  central_id bigint not null,
  driver_id bigint not null,
  lat double precision not null constraint driver_positions_lat_range check (lat between -90 and 90),
  lng double precision not null constraint driver_positions_lng_range check (lng between -180 and 180),
  at timestamptz not null,
  primary key (central_id, driver_id),
  constraint driver_positions_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade
) with (fillfactor = 50);

comment on table driver_positions is
  'The last known position of each driver, in degrees (WGS 84). Apart from drivers, because it changes every few seconds and the rest of a driver hardly ever.';
comment on column driver_positions.at is 'When the position was received.';

create table courier_leases (
  central_id bigint primary key constraint courier_leases_central_fkey references centrals,
  holder uuid not null,
  expires_at timestamptz not null
);

comment on table courier_leases is
  'Which process simulates the drivers of a central. A lease that was not renewed in time is free.';
comment on column courier_leases.holder is 'The process that holds the lease.';

create table users (
  central_id bigint not null constraint users_central_fkey references centrals,
  id bigint not null,
  username text not null
    constraint users_username_form check (username <> '' and position(':' in username) = 0),
  password_hash text not null,
  role text not null
    constraint users_role_known check (role in ('operator', 'integrator', 'manager', 'driver')),
  company_id bigint,
  driver_id bigint,
  active boolean not null default true,
  primary key (central_id, id),
  constraint users_username_unique unique (central_id, username),
  constraint users_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint users_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint users_manager_has_company check ((role = 'manager') = (company_id is not null)),
  constraint users_driver_has_driver check ((role = 'driver') = (driver_id is not null))
);
create trigger users_announce_change after insert or update or delete on users
  for each row execute function announce_register_change();

comment on table users is
  'Logins. A user whose events or wallet entries exist cannot be deleted, only made inactive.';
comment on column users.username is 'Without a colon, which separates it from the password in HTTP Basic authentication.';
comment on column users.password_hash is 'argon2id, with its parameters and salt; see server/src/centrals/passwords.ts.';
comment on column users.role is
  'operator and integrator see the whole central, a manager one company, a driver what is offered to or carried by that driver. Only an operator changes registers.';
comment on column users.company_id is 'Of a manager; null for other roles.';
comment on column users.driver_id is 'Of a driver; null for other roles.';

create table sessions (
  central_id bigint not null,
  sha256 bytea not null constraint sessions_digest_length check (length(sha256) = 32),
  user_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (central_id, sha256),
  constraint sessions_user_fkey foreign key (central_id, user_id) references users (central_id, id) on delete cascade
);
create index sessions_expired on sessions (expires_at);
create index sessions_of_a_user on sessions (central_id, user_id, created_at);

comment on table sessions is
  'Logins at the console. A user has a limited number: a login too many ends the oldest. Expired rows are deleted by a job.';
comment on column sessions.sha256 is 'Digest of the random part of the cookie. The cookie carries the central too, so that a session is looked up within it.';

create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $$;
comment on function end_sessions is
  'A new password, another role or scope, or a user made inactive ends the sessions that began before.';

create trigger users_end_sessions after update of password_hash, active, role, company_id, driver_id on users
  for each row execute function end_sessions();
