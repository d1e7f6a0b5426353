-- Drivers, logins, sessions and drivers' phones.

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
  event_sequence integer not null default 0,
  primary key (central_id, id)
);
create index drivers_simulated on drivers (central_id, id) where simulated;
-- A company is found by the phone of a driver who works for it alone.
create index drivers_phone on drivers (central_id, phone);
-- The order of the list.
create index drivers_by_name on drivers (central_id, fold_name(name), id);

comment on table drivers is 'People who carry deliveries.';
comment on column drivers.phone is 'Area code and number, digits only.';
comment on column drivers.color is 'Of the vehicle.';
comment on column drivers.available is 'Whether the driver takes offers now. Set by the driver or an operator.';
comment on column drivers.simulated is
  'Set when the driver is registered and never changed, so that the simulation never acts for a real person.';
comment on column drivers.event_sequence is 'The sequence of the driver''s last event.';

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
comment on column driver_positions.at is
  'When the driver was there, as the phone says, and not later than it was received.';

create function end_sessions() returns trigger language plpgsql as $$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $$;
comment on function end_sessions is
  'A new password, another role or scope, or a user made inactive ends the sessions that began before.';

create function end_device_invites() returns trigger language plpgsql as $$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from device_invites where central_id = new.central_id and user_id = new.id;
  return null;
end $$;
comment on function end_device_invites is 'What ends the sessions of a user ends the invitations too.';

create table users (
  central_id bigint not null constraint users_central_fkey references centrals,
  id bigint not null,
  username text not null
    constraint users_username_form check (username <> '' and position(':' in username) = 0),
  password_hash text not null,
  role text not null,
  company_id bigint,
  driver_id bigint,
  active boolean not null default true,
  primary key (central_id, id),
  constraint users_username_unique unique (central_id, username),
  constraint users_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint users_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint users_manager_has_company check ((role = 'manager') = (company_id is not null)),
  constraint users_driver_has_driver check ((role = 'driver') = (driver_id is not null)),
  constraint users_role_known check (
    role in ('operator', 'supervisor', 'finance', 'attendant', 'viewer', 'integrator', 'manager', 'driver'))
);
create trigger users_announce_change after insert or update or delete on users
  for each row execute function announce_register_change();
create trigger users_end_sessions after update of password_hash, active, role, company_id, driver_id on users
  for each row execute function end_sessions();
create trigger users_end_device_invites after update of password_hash, active, role, company_id, driver_id on users
  for each row execute function end_device_invites();

comment on table users is
  'Logins. A user whose events or wallet entries exist cannot be deleted, only made inactive.';
comment on column users.username is 'Without a colon, which separates it from the password in HTTP Basic authentication.';
comment on column users.password_hash is 'argon2id, with its parameters and salt; see server/src/centrals/passwords.ts.';
comment on column users.role is
  'What each may do is one table in server/src/centrals/permissions.ts. A manager sees one company, a driver what is offered to or carried by that driver, the others the whole central.';
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

-- Drivers' phones have long sessions, which an operator sees and ends, and codes that open them.
create table devices (
  central_id bigint not null,
  id bigint not null,
  sha256 bytea not null,
  label text not null,
  seen_at timestamptz not null,
  app_version text,
  battery smallint constraint devices_battery_range check (battery between 0 and 100),
  primary key (central_id, id),
  constraint devices_session_unique unique (central_id, sha256),
  constraint devices_session_fkey foreign key (central_id, sha256)
    references sessions (central_id, sha256) on delete cascade
);

comment on table devices is
  'What is known of a driver''s phone beside its session, which it begins and ends with. A session without a device is a login at the console.';
comment on column devices.id is 'Random: it is only a name for operators.';
comment on column devices.sha256 is 'The digest of the session''s token.';
comment on column devices.label is 'What the app calls the phone.';
comment on column devices.seen_at is 'When the phone last sent a request; written at most once a minute.';
comment on column devices.app_version is 'As the app says; null until it does.';
comment on column devices.battery is 'Percent, as the app says; null until it does.';

create table device_invites (
  central_id bigint not null,
  sha256 bytea not null constraint device_invites_digest_length check (length(sha256) = 32),
  user_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (central_id, sha256),
  constraint device_invites_user_fkey foreign key (central_id, user_id)
    references users (central_id, id) on delete cascade
);
create index device_invites_of_a_user on device_invites (central_id, user_id, created_at);
create index device_invites_expired on device_invites (expires_at);

comment on table device_invites is
  'One-time codes with which a driver signs in on a phone. A row is deleted when its code is used; expired rows are deleted by a job.';
comment on column device_invites.sha256 is 'Digest of the code.';

-- Lists that somebody looks at again: their filters and order under a name.
create table saved_views (
  central_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  list text not null,
  name text not null constraint saved_views_name_given check (name <> ''),
  query text not null,
  is_shared boolean not null default false,
  saved_at timestamptz not null,
  constraint saved_views_pkey primary key (central_id, id),
  constraint saved_views_user_fkey foreign key (central_id, user_id)
    references users (central_id, id) on delete cascade
);
create unique index saved_views_name_unique on saved_views (central_id, user_id, list, lower(name));
create index saved_views_shared on saved_views (central_id, list, id) where is_shared;

comment on table saved_views is 'Filters and order of a list under a name. Each user has a limited number.';
comment on column saved_views.user_id is 'Who saved it, and alone may change or delete it.';
comment on column saved_views.list is 'The name of the list in the console.';
comment on column saved_views.query is 'As in the address of the list, without the question mark.';
comment on column saved_views.is_shared is 'Shown to all who see what its user sees: the whole central, or the same company.';
comment on column saved_views.saved_at is 'The last change.';
