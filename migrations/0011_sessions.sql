-- Somebody at the console. The cookie's token is random and kept only as a digest.
create table sessions (
  central_id bigint not null,
  sha256 bytea not null check (length(sha256) = 32),
  user_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (central_id, sha256),
  foreign key (central_id, user_id) references users (central_id, id) on delete cascade
);
create unique index sessions_token on sessions (sha256);
create index sessions_expired on sessions (expires_at);

-- A new password, or a user who is shut out, ends the sessions that began before.
create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $$;
create trigger users_end_sessions after update of password_hash, active, role, company_id, driver_id on users
  for each row execute function end_sessions();
