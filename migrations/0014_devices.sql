-- Drivers' phones: long sessions that an operator sees and ends, and the codes that open them.

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

create function end_device_invites() returns trigger language plpgsql as $$
begin
  delete from device_invites where central_id = new.central_id and user_id = new.id;
  return null;
end $$;
comment on function end_device_invites is 'What ends the sessions of a user ends the invitations too.';

create trigger users_end_device_invites after update of password_hash, active, role, company_id, driver_id on users
  for each row execute function end_device_invites();
