-- A sandbox is a central of its own, in which integrators of another central try things out. The keys and the programs
-- that reach it belong to the central that it is of, as the logins do, so that they are revoked in one place.

-- The ledgers of a sandbox go with it.
create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_ledger_change is
  'Only the removal of a note passes, and the deletion of a wiped sandbox.';

create or replace function refuse_driver_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the ledger of drivers is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_driver_ledger_change is
  'Only the removal of a note passes, and the deletion of a wiped sandbox.';

create or replace function refuse_company_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the ledger of companies is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_company_ledger_change is
  'Nothing of an entry ever changes. Those of a wiped sandbox are deleted.';

alter table centrals add column sandbox_of bigint;
alter table centrals add column clock_ahead_seconds bigint not null default 0;
comment on column centrals.sandbox_of is
  'The central that this is the sandbox of; null for a real central. A sandbox that is inactive was wiped, or its central was closed: a job deletes it with all its rows. No foreign key, because no other central is ever deleted.';
comment on column centrals.clock_ahead_seconds is
  'How far the clock of a sandbox was put forward. Always 0 for a real central.';

create table sandbox_keys (
  central_id bigint not null constraint sandbox_keys_central_fkey references centrals,
  id bigint not null,
  label text not null,
  sha256 bytea not null constraint sandbox_keys_digest_length check (length(sha256) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint sandbox_keys_pkey primary key (central_id, id),
  constraint sandbox_keys_digest_unique unique (sha256)
);
create trigger sandbox_keys_announce_change after insert or update or delete on sandbox_keys
  for each row execute function announce_register_change();

comment on table sandbox_keys is
  'Keys of the sandbox of a central. They begin with teste_, by which this table is searched instead of api_keys. Small, and unique over all centrals (reference table).';
comment on column sandbox_keys.central_id is 'The real central. Its present sandbox is what the key reaches.';
comment on column sandbox_keys.label is 'Chosen by whoever created the key, to recognise it later.';
comment on column sandbox_keys.sha256 is
  'Digest of the key. The key is long and random, so a plain digest is enough and can be looked up.';
comment on column sandbox_keys.revoked_at is 'Null while the key is valid.';

alter table programs add column is_test boolean not null default false;
comment on column programs.is_test is
  'Whether the program reaches the sandbox of its central, and only that. Its secrets begin with teste_.';
