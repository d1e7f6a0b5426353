-- Each company's credit. The ledger is the truth; the row of the wallet has its running sum, so that a balance is one
-- row to read and one row to lock. A trigger keeps both together, and a check refuses what would overdraw.

create table wallets (
  central_id bigint not null,
  company_id bigint not null,
  balance_cents bigint not null default 0 constraint wallets_not_overdrawn check (balance_cents >= 0),
  entry_count bigint not null default 0,
  primary key (central_id, company_id),
  constraint wallets_company_fkey foreign key (central_id, company_id)
    references companies (central_id, id) on delete cascade
);

comment on table wallets is 'One per company, created with it.';
comment on column wallets.balance_cents is 'The sum of its entries. Written by the trigger of wallet_entries only.';
comment on column wallets.entry_count is 'The number of its entries; gives each entry its number.';

create function add_to_balance() returns trigger language plpgsql as $$
begin
  update wallets set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count into new.balance_after_cents, new.number;
  return new;
end $$;
comment on function add_to_balance is 'Keeps the wallet''s row equal to its ledger.';

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_ledger_change is 'Only the removal of a note passes.';

create table wallet_entries (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  number bigint not null,
  kind text not null constraint wallet_entries_kind_known
    check (kind in ('top_up', 'withdrawal', 'reserve', 'release', 'settlement', 'cancellation_fee')),
  amount_cents bigint not null constraint wallet_entries_amount_not_zero check (amount_cents <> 0),
  balance_after_cents bigint not null,
  delivery_id bigint,
  note text,
  user_id bigint,
  created_at timestamptz not null,
  primary key (central_id, id),
  constraint wallet_entries_wallet_fkey foreign key (central_id, company_id)
    references wallets (central_id, company_id),
  constraint wallet_entries_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint wallet_entries_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint wallet_entries_top_up_positive check (kind <> 'top_up' or amount_cents > 0),
  constraint wallet_entries_withdrawal_negative check (kind <> 'withdrawal' or amount_cents < 0),
  constraint wallet_entries_by_hand_or_delivery
    check ((kind in ('top_up', 'withdrawal')) = (delivery_id is null))
);
create unique index wallet_entries_newest on wallet_entries (central_id, company_id, number desc);
create index wallet_entries_noted on wallet_entries (central_id, created_at, id) where note is not null;
create index wallet_entries_by_time on wallet_entries (central_id, created_at desc, id desc);
create index wallet_entries_of_company on wallet_entries (central_id, company_id, created_at desc, id desc);
create trigger wallet_entries_add before insert on wallet_entries
  for each row execute function add_to_balance();
create trigger wallet_entries_append_only before update or delete on wallet_entries
  for each row execute function refuse_ledger_change();
create trigger wallet_entries_no_truncate before truncate on wallet_entries
  for each statement execute function refuse_ledger_change();

comment on table wallet_entries is 'The ledger, append-only.';
comment on column wallet_entries.number is
  'Place in the statement: 1, 2, 3 … Given by the trigger under the wallet''s lock; ids are taken before the lock and may overtake each other.';
comment on column wallet_entries.kind is
  'top_up and withdrawal are made by hand. A delivery holds its price when it is ordered (reserve) and gives it back when it ends (release); one that is finished then charges its final price (settlement), a cancelled one perhaps a cancellation_fee.';
comment on column wallet_entries.amount_cents is 'Positive is credit to the company, negative is taken from it.';
comment on column wallet_entries.balance_after_cents is 'The balance after this entry. Given by the trigger.';
comment on column wallet_entries.delivery_id is 'Null for entries made by hand: top_up and withdrawal.';
comment on column wallet_entries.note is 'May be removed later (personal data); nothing else of an entry ever changes.';
comment on column wallet_entries.user_id is 'Who made the entry. Null: the service.';

create table pix_top_ups (
  central_id bigint not null,
  identifier text not null
    constraint pix_top_ups_identifier_form check (identifier ~ '^[A-Z0-9]{1,25}$'),
  company_id bigint not null,
  amount_cents bigint not null constraint pix_top_ups_amount_positive check (amount_cents > 0),
  requested_at timestamptz not null,
  user_id bigint,
  entry_id bigint,
  primary key (central_id, identifier),
  constraint pix_top_ups_one_entry unique (central_id, entry_id),
  constraint pix_top_ups_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint pix_top_ups_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint pix_top_ups_entry_fkey foreign key (central_id, entry_id) references wallet_entries (central_id, id)
);
create index pix_top_ups_awaited on pix_top_ups (central_id, company_id, requested_at desc) where entry_id is null;

comment on table pix_top_ups is
  'Pix codes that were made for the wallet of a company. Each is credited at most once.';
comment on column pix_top_ups.identifier is 'What the receiver finds on the bank statement.';
comment on column pix_top_ups.user_id is 'Who asked for the code.';
comment on column pix_top_ups.entry_id is 'The entry that credited it. Null: the money has not arrived.';
