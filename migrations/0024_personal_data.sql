-- What is left of an ended request once its personal data has been removed: money, times, districts and a rough place.

-- The street without the door: everything from the first separator on goes, and a number that is not part of the
-- name ("Rua 24 de Outubro" keeps its own).
create function without_door(address text) returns text language sql immutable as $$
  select coalesce(nullif(trim(regexp_replace(
    regexp_replace(address, '\s*([,;/|(]|\s-\s).*$', ''),
    '\s+(n\S{0,2}\s*)?\d+(?!\d*\s+de\s).*$', '', 'i')), ''), '***')
$$;

-- About a kilometre: a door cannot be told, a district can.
create function rough_degree(degree double precision) returns double precision language sql immutable as $$
  select round(degree::numeric, 2)::double precision
$$;

-- Area code and number, as in kernel/documents.ts.
create function phone_digits(phone text) returns text language sql immutable as $$
  select case when length(digits) > 11 and digits like '55%' then substr(digits, 3) else digits end
  from (select regexp_replace(phone, '\D', '', 'g') as digits) plain
$$;

alter table deliveries add column personal_data_removed_at timestamptz;
alter table scheduled add column personal_data_removed_at timestamptz;

-- What the retention job looks for, oldest first. What is done leaves the index, so its cost is that of what is due.
create index deliveries_with_personal_data on deliveries
  (central_id, (coalesce(finished_at, cancelled_at, not_attended_at)), id)
  where personal_data_removed_at is null and status in ('finished', 'cancelled', 'not_attended');
create index scheduled_with_personal_data on scheduled (central_id, dispatch_at, id)
  where personal_data_removed_at is null and situation <> 'awaiting';
create index wallet_entries_noted on wallet_entries (central_id, created_at, id) where note is not null;
-- Whether a person has requests left that still name them. Companies' requests name no person as their customer.
create index deliveries_of_person on deliveries (central_id, customer_id) where company_id is null;
create index scheduled_of_person on scheduled (central_id, customer_id) where company_id is null;

-- A customer whose data was removed is neither a company nor a known person.
alter table customers drop constraint customers_check;
alter table customers add constraint customers_check check (num_nonnulls(company_id, cpf) <= 1);

-- The ledger stays append-only, but for a note being removed.
create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $$;

-- Who asked for personal data to be exported or erased, and what came of it. The person is known here only by a slow
-- digest, which tells whether somebody's data was asked for and cannot be turned back.
create table privacy_actions (
  central_id bigint not null references centrals,
  id uuid not null default gen_random_uuid(),
  action text not null check (action in ('export', 'erase', 'retention')),
  done_at timestamptz not null,
  done_by text not null,
  person_digest bytea,
  counts jsonb not null,
  primary key (central_id, id),
  check ((action = 'retention') = (person_digest is null))
);
