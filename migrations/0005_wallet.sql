-- The ledger is the truth; the wallet row carries its running sum, so that a balance is one row to read
-- and one row to lock. The trigger keeps both together, and the check refuses what would overdraw.
create table wallets (
  central_id bigint not null,
  company_id bigint not null,
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  primary key (central_id, company_id),
  foreign key (central_id, company_id) references companies (central_id, id) on delete cascade
);

create table wallet_entries (
  central_id bigint not null references centrals,
  id bigint not null,
  company_id bigint not null,
  kind text not null check (kind in ('top_up', 'reserve', 'release', 'settlement', 'cancellation_fee')),
  amount_cents bigint not null check (amount_cents <> 0),
  balance_after_cents bigint not null,
  delivery_id bigint,
  note text,
  user_id bigint,
  created_at timestamptz not null,
  primary key (central_id, id),
  foreign key (central_id, company_id) references wallets (central_id, company_id),
  foreign key (central_id, delivery_id) references deliveries (central_id, id),
  foreign key (central_id, user_id) references users (central_id, id),
  check (kind <> 'top_up' or amount_cents > 0),
  check ((kind = 'top_up') = (delivery_id is null))
);
create index wallet_entries_newest on wallet_entries (central_id, company_id, id desc);

create function add_to_balance() returns trigger language plpgsql as $$
begin
  update wallets set balance_cents = balance_cents + new.amount_cents
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents into new.balance_after_cents;
  return new;
end $$;
create trigger wallet_entries_add before insert on wallet_entries
  for each row execute function add_to_balance();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger wallet_entries_append_only before update or delete on wallet_entries
  for each row execute function refuse_ledger_change();
create trigger wallet_entries_no_truncate before truncate on wallet_entries
  for each statement execute function refuse_ledger_change();
