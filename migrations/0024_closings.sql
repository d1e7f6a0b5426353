-- What companies owe, as a ledger, and the closings of companies and drivers.

create table company_accounts (
  central_id bigint not null,
  company_id bigint not null,
  balance_cents bigint not null default 0,
  entry_count bigint not null default 0,
  last_day date not null default '-infinity',
  primary key (central_id, company_id),
  constraint company_accounts_company_fkey foreign key (central_id, company_id) references companies (central_id, id)
);
comment on table company_accounts is
  'What each company owes the central. A row begins with its first entry or closing; its figures are written by the trigger of company_entries only.';
comment on column company_accounts.balance_cents is
  'The sum of its entries. Positive is owed by the company, negative is owed to it.';
comment on column company_accounts.last_day is 'The day of the newest entry: no later entry has an earlier day.';

create table company_entries (
  central_id bigint not null,
  id bigint not null,
  company_id bigint,
  number bigint,
  kind text not null constraint company_entries_kind_known
    check (kind in ('delivery', 'cancellation_fee', 'wallet', 'cash', 'direct', 'payment')),
  amount_cents bigint not null,
  gross_cents bigint not null default 0,
  driver_cents bigint not null default 0,
  balance_after_cents bigint,
  payment text,
  day date not null,
  delivery_id bigint,
  stop_id bigint,
  user_id bigint,
  created_at timestamptz not null,
  primary key (central_id, id),
  constraint company_entries_account_fkey foreign key (central_id, company_id)
    references company_accounts (central_id, company_id),
  constraint company_entries_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint company_entries_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint company_entries_sign check (
    case when kind in ('delivery', 'cancellation_fee') then amount_cents >= 0 else amount_cents < 0 end),
  constraint company_entries_charge_shared check (kind in ('delivery', 'cancellation_fee') or driver_cents = 0)
);
create unique index company_entries_in_order on company_entries (central_id, company_id, day, number);
create unique index company_entries_one_charge on company_entries (central_id, delivery_id)
  where kind in ('delivery', 'cancellation_fee');

comment on table company_entries is
  'What deliveries cost and how that was paid, append-only. A charge is divided between the driver and the central.';
comment on column company_entries.company_id is 'Null: the delivery was ordered by nobody''s company.';
comment on column company_entries.number is
  'Place in the company''s account: 1, 2, 3 … Given by the trigger under the account''s lock, as the day is: by both the order is the same. Null without a company.';
comment on column company_entries.kind is
  'delivery and cancellation_fee charge; wallet was paid by credit, cash was collected by the driver, direct was paid in another way when it was ordered; payment settles a closing.';
comment on column company_entries.amount_cents is 'Positive is owed by the company, negative was paid.';
comment on column company_entries.gross_cents is 'Of a charge: the price before the coupon.';
comment on column company_entries.driver_cents is 'Of a charge: the drivers'' shares of it. The rest is the central''s.';
comment on column company_entries.payment is 'Of a charge: how the delivery is paid.';
comment on column company_entries.day is 'The day in the central''s time zone on which it was entered.';
comment on column company_entries.user_id is 'Who made the entry. Null: the service.';

create function add_to_company_account() returns trigger language plpgsql as $$
begin
  if new.company_id is null then
    return new;
  end if;
  insert into company_accounts (central_id, company_id) values (new.central_id, new.company_id) on conflict do nothing;
  update company_accounts set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1,
      last_day = greatest(last_day, new.day)
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count, last_day into new.balance_after_cents, new.number, new.day;
  return new;
end $$;
comment on function add_to_company_account is 'Keeps a company''s account equal to its ledger.';
create trigger company_entries_add before insert on company_entries
  for each row execute function add_to_company_account();

create function refuse_company_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of companies is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_company_ledger_change is 'Nothing of an entry ever changes.';
create trigger company_entries_append_only before update or delete on company_entries
  for each row execute function refuse_company_ledger_change();
create trigger company_entries_no_truncate before truncate on company_entries
  for each statement execute function refuse_company_ledger_change();

create table closings (
  central_id bigint not null,
  id bigint not null,
  company_id bigint,
  driver_id bigint,
  from_number bigint not null,
  to_number bigint not null,
  from_day date not null,
  to_day date not null,
  totals jsonb not null,
  due_cents bigint not null,
  created_at timestamptz not null,
  user_id bigint,
  paid_at timestamptz,
  paid_by bigint,
  paid_entry_id bigint,
  primary key (central_id, id),
  constraint closings_company_fkey foreign key (central_id, company_id)
    references company_accounts (central_id, company_id),
  constraint closings_driver_fkey foreign key (central_id, driver_id)
    references driver_accounts (central_id, driver_id),
  constraint closings_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint closings_of_one check ((company_id is null) <> (driver_id is null)),
  constraint closings_not_empty check (from_number <= to_number)
);
create unique index closings_company_once on closings (central_id, company_id, from_number) where company_id is not null;
create unique index closings_driver_once on closings (central_id, driver_id, from_number) where driver_id is not null;
create index closings_newest on closings (central_id, created_at desc, id desc);

comment on table closings is
  'What was billed to a company or settled with a driver: the entries of its account from one number to another. Each begins where the one before ended, so that no entry is closed twice.';
comment on column closings.totals is 'The sums of the entries by kind, in cents, and the number of deliveries.';
comment on column closings.due_cents is 'What the company owes for them, or what the driver is owed; negative is the other way round.';
comment on column closings.paid_entry_id is 'The entry of the same account that paid it. It is no part of a later closing''s sum.';
