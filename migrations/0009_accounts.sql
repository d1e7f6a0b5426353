-- What drivers earn and what companies owe: an account with a ledger for each, and closings.

create function add_to_driver_account() returns trigger language plpgsql as $$
declare
  earned bigint := case when new.kind in ('share', 'adjustment') then new.amount_cents else 0 end;
  collected bigint := case when new.kind = 'collected' then -new.amount_cents else 0 end;
  cash bigint := case when new.kind in ('collected', 'handed_in') then -new.amount_cents else 0 end;
begin
  insert into driver_accounts (central_id, driver_id) values (new.central_id, new.driver_id) on conflict do nothing;
  update driver_accounts set balance_cents = balance_cents + new.amount_cents,
      cash_cents = cash_cents + cash - new.settled_cash_cents,
      entry_count = entry_count + 1, last_day = greatest(last_day, new.day)
    where central_id = new.central_id and driver_id = new.driver_id
    returning balance_cents, cash_cents, entry_count, last_day
    into new.balance_after_cents, new.cash_after_cents, new.number, new.day;
  if earned <> 0 or collected <> 0 then
    insert into driver_days as known (central_id, driver_id, day, earned_cents, collected_cents)
    values (new.central_id, new.driver_id, new.day, earned, collected)
    on conflict (central_id, driver_id, day) do update
      set earned_cents = known.earned_cents + excluded.earned_cents,
        collected_cents = known.collected_cents + excluded.collected_cents;
  end if;
  return new;
end $$;
comment on function add_to_driver_account is 'Keeps a driver''s account and day totals equal to the ledger.';

create function refuse_driver_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise exception 'the ledger of drivers is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_driver_ledger_change is 'Only the removal of a note passes.';

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

create function refuse_company_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of companies is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_company_ledger_change is 'Nothing of an entry ever changes.';

create function assert_cash_on_both_sides() returns trigger language plpgsql as $$
declare
  collected_at bigint := new.stop_id;
  of_driver bigint;
  of_company bigint;
begin
  -- A reversal belongs to the stop of the entry that it takes back.
  if tg_argv[0] = 'driver' then
    if new.reverses_id is not null then
      select stop_id into collected_at from driver_entries
        where central_id = new.central_id and id = new.reverses_id;
    end if;
  end if;
  select coalesce(sum(cash.amount_cents + coalesce(taken.amount_cents, 0)), 0) into of_driver
    from driver_entries cash
    left join driver_entries taken on taken.central_id = new.central_id and taken.reverses_id = cash.id
    where cash.central_id = new.central_id and cash.delivery_id = new.delivery_id and cash.kind = 'collected'
      and cash.reverses_id is null and cash.stop_id is not distinct from collected_at;
  select coalesce(sum(amount_cents), 0) into of_company from company_entries
    where central_id = new.central_id and delivery_id = new.delivery_id and kind = 'cash'
      and stop_id is not distinct from collected_at;
  if of_driver <> of_company then
    raise exception 'the cash of delivery % in the accounts of the driver and of the company differ: % and %',
      new.delivery_id, of_driver, of_company
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
comment on function assert_cash_on_both_sides is
  'At the commit, the cash collected at a stop, or for a delivery as a whole, is the same in both accounts.';

create table driver_accounts (
  central_id bigint not null,
  driver_id bigint not null,
  balance_cents bigint not null default 0,
  cash_cents bigint not null default 0 constraint driver_accounts_cash_not_negative check (cash_cents >= 0),
  entry_count bigint not null default 0,
  last_day date not null default '-infinity',
  primary key (central_id, driver_id),
  constraint driver_accounts_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id)
);

comment on table driver_accounts is
  'What the central owes each driver. A row begins with the driver''s first finished delivery or entry; its figures are written by the trigger of driver_entries only.';
comment on column driver_accounts.balance_cents is
  'The sum of its entries. Positive is owed to the driver, negative is owed by the driver.';
comment on column driver_accounts.cash_cents is
  'Cash that the driver has collected, and neither handed in nor settled by the payment of a closing.';
comment on column driver_accounts.entry_count is 'The number of its entries; gives each entry its number.';
comment on column driver_accounts.last_day is 'The day of the newest entry: no later entry has an earlier day.';

create table driver_entries (
  central_id bigint not null,
  id bigint not null,
  driver_id bigint not null,
  number bigint not null,
  kind text not null constraint driver_entries_kind_known
    check (kind in ('share', 'collected', 'handed_in', 'payment', 'adjustment')),
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  cash_after_cents bigint not null,
  day date not null,
  delivery_id bigint,
  stop_id bigint,
  reverses_id bigint,
  note text,
  user_id bigint,
  created_at timestamptz not null,
  settled_cash_cents bigint not null default 0,
  primary key (central_id, id),
  constraint driver_entries_account_fkey foreign key (central_id, driver_id)
    references driver_accounts (central_id, driver_id),
  constraint driver_entries_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint driver_entries_reverses_fkey foreign key (central_id, reverses_id) references driver_entries (central_id, id),
  constraint driver_entries_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint driver_entries_of_delivery check (kind not in ('share', 'collected') or delivery_id is not null),
  constraint driver_entries_sign check (
    kind in ('adjustment', 'payment') or (amount_cents > 0) = ((kind in ('share', 'handed_in')) = (reverses_id is null))),
  constraint driver_entries_amount_not_zero check (
    amount_cents <> 0 or settled_cash_cents <> 0 or reverses_id is not null)
);
create unique index driver_entries_newest on driver_entries (central_id, driver_id, day desc, number desc);
create unique index driver_entries_one_share on driver_entries (central_id, delivery_id, driver_id)
  where kind = 'share' and reverses_id is null;
create unique index driver_entries_one_collection on driver_entries (central_id, delivery_id, driver_id, stop_id)
  nulls not distinct where kind = 'collected' and reverses_id is null;
create unique index driver_entries_one_reversal on driver_entries (central_id, reverses_id)
  where reverses_id is not null;
create index driver_entries_noted on driver_entries (central_id, created_at, id) where note is not null;
create index driver_entries_by_time on driver_entries (central_id, created_at desc, id desc);
create trigger driver_entries_add before insert on driver_entries
  for each row execute function add_to_driver_account();
create trigger driver_entries_append_only before update or delete on driver_entries
  for each row execute function refuse_driver_ledger_change();
create trigger driver_entries_no_truncate before truncate on driver_entries
  for each statement execute function refuse_driver_ledger_change();
create constraint trigger driver_entries_cash_balanced after insert on driver_entries
  deferrable initially deferred for each row when (new.kind = 'collected')
  execute function assert_cash_on_both_sides('driver');

comment on table driver_entries is 'The ledger of each driver''s account, append-only.';
comment on column driver_entries.number is
  'Place in the statement: 1, 2, 3 … Given by the trigger under the account''s lock, as the day is: by both the order is the same.';
comment on column driver_entries.kind is
  'share: the driver''s part of a delivery. collected: cash that the driver took and owes. handed_in: cash that the driver gave to the central. payment: what the central paid to the driver. adjustment: by hand, for a reason.';
comment on column driver_entries.amount_cents is 'Positive is owed to the driver, negative is taken from what is owed.';
comment on column driver_entries.day is 'The day in the central''s time zone on which it was entered.';
comment on column driver_entries.stop_id is 'Where cash was collected. Null: for the delivery as a whole.';
comment on column driver_entries.reverses_id is
  'The entry that this one takes back: it is of the same kind and has the opposite amount.';
comment on column driver_entries.note is 'May be removed later (personal data); nothing else of an entry ever changes.';
comment on column driver_entries.user_id is 'Who made the entry. Null: the service.';
comment on column driver_entries.settled_cash_cents is
  'Cash that need not be handed in any more, because a closing set it off; negative: that was taken back.';

create table driver_days (
  central_id bigint not null,
  driver_id bigint not null,
  day date not null,
  deliveries integer not null default 0,
  earned_cents bigint not null default 0,
  collected_cents bigint not null default 0,
  primary key (central_id, driver_id, day),
  constraint driver_days_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade
);

comment on table driver_days is
  'Totals of each driver and day, kept with the entries, so that nobody sums a history.';
comment on column driver_days.deliveries is 'Finished deliveries, those grouped into them included.';
comment on column driver_days.earned_cents is 'Shares and adjustments.';
comment on column driver_days.collected_cents is 'Cash that was collected.';

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
  constraint company_entries_charge_shared check (kind in ('delivery', 'cancellation_fee') or driver_cents = 0),
  constraint company_entries_sign check (
    case
      when kind in ('delivery', 'cancellation_fee') then amount_cents >= 0
      when kind in ('payment', 'cash') then amount_cents <> 0
      else amount_cents < 0
    end)
);
create unique index company_entries_in_order on company_entries (central_id, company_id, day, number);
create unique index company_entries_one_charge on company_entries (central_id, delivery_id)
  where kind in ('delivery', 'cancellation_fee');
create index company_entries_by_time on company_entries (central_id, created_at desc, id desc);
create index company_entries_cash on company_entries (central_id, delivery_id) where kind = 'cash';
create trigger company_entries_add before insert on company_entries
  for each row execute function add_to_company_account();
create trigger company_entries_append_only before update or delete on company_entries
  for each row execute function refuse_company_ledger_change();
create trigger company_entries_no_truncate before truncate on company_entries
  for each statement execute function refuse_company_ledger_change();
create constraint trigger company_entries_cash_balanced after insert on company_entries
  deferrable initially deferred for each row when (new.kind = 'cash')
  execute function assert_cash_on_both_sides('company');

comment on table company_entries is
  'What deliveries cost and how that was paid, append-only. A charge is divided between the driver and the central.';
comment on column company_entries.company_id is 'Null: the delivery was ordered by nobody''s company.';
comment on column company_entries.number is
  'Place in the company''s account: 1, 2, 3 … Given by the trigger under the account''s lock, as the day is: by both the order is the same. Null without a company.';
comment on column company_entries.kind is
  'delivery and cancellation_fee charge; wallet was paid by credit, cash was collected by the driver, direct was paid in another way when it was ordered; payment settles a closing.';
comment on column company_entries.amount_cents is
  'Positive is owed by the company, negative was paid. Positive cash was taken back.';
comment on column company_entries.gross_cents is 'Of a charge: the price before the coupon.';
comment on column company_entries.driver_cents is 'Of a charge: the drivers'' shares of it. The rest is the central''s.';
comment on column company_entries.payment is 'Of a charge: how the delivery is paid.';
comment on column company_entries.day is 'The day in the central''s time zone on which it was entered.';
comment on column company_entries.user_id is 'Who made the entry. Null: the service.';

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
  party_name text not null,
  party_document text,
  central_name text not null,
  undone_entry_ids bigint[] not null default '{}',
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
comment on column closings.party_name is 'The name of the company or driver when it was closed.';
comment on column closings.party_document is 'The document of the company when it was closed. Null for a driver.';
comment on column closings.central_name is 'The name of the central when it was closed.';
comment on column closings.undone_entry_ids is
  'Payments of it that were taken back, and the entries that took them back. They are no part of a later closing''s sum.';
