-- What drivers earn: how a delivery is shared with its driver, and an account with a ledger for each driver.

alter table tariffs add column share jsonb;
comment on column tariffs.share is
  'How much of a delivery its driver earns; the form is in server/src/estimates/share.ts. Null: what the central''s settings say.';

alter table deliveries add column share jsonb;
comment on column deliveries.share is
  'How its driver is paid, as agreed when the driver accepted. Null: nobody has accepted it.';

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
comment on column driver_accounts.cash_cents is 'Cash that the driver has collected and not handed in.';
comment on column driver_accounts.entry_count is 'The number of its entries; gives each entry its number.';
comment on column driver_accounts.last_day is 'The day of the newest entry: no later entry has an earlier day.';

create table driver_entries (
  central_id bigint not null,
  id bigint not null,
  driver_id bigint not null,
  number bigint not null,
  kind text not null constraint driver_entries_kind_known
    check (kind in ('share', 'collected', 'handed_in', 'payment', 'adjustment')),
  amount_cents bigint not null constraint driver_entries_amount_not_zero check (amount_cents <> 0),
  balance_after_cents bigint not null,
  cash_after_cents bigint not null,
  day date not null,
  delivery_id bigint,
  stop_id bigint,
  reverses_id bigint,
  note text,
  user_id bigint,
  created_at timestamptz not null,
  primary key (central_id, id),
  constraint driver_entries_account_fkey foreign key (central_id, driver_id)
    references driver_accounts (central_id, driver_id),
  constraint driver_entries_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint driver_entries_reverses_fkey foreign key (central_id, reverses_id) references driver_entries (central_id, id),
  constraint driver_entries_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint driver_entries_sign check (kind = 'adjustment'
    or (amount_cents > 0) = ((kind in ('share', 'handed_in')) = (reverses_id is null))),
  constraint driver_entries_of_delivery check (kind not in ('share', 'collected') or delivery_id is not null)
);
create unique index driver_entries_newest on driver_entries (central_id, driver_id, day desc, number desc);
create unique index driver_entries_one_share on driver_entries (central_id, delivery_id, driver_id)
  where kind = 'share' and reverses_id is null;
create unique index driver_entries_one_collection on driver_entries (central_id, delivery_id, driver_id, stop_id)
  nulls not distinct where kind = 'collected' and reverses_id is null;
create unique index driver_entries_one_reversal on driver_entries (central_id, reverses_id)
  where reverses_id is not null;
create index driver_entries_noted on driver_entries (central_id, created_at, id) where note is not null;

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

create function add_to_driver_account() returns trigger language plpgsql as $$
declare
  earned bigint := case when new.kind in ('share', 'adjustment') then new.amount_cents else 0 end;
  collected bigint := case when new.kind = 'collected' then -new.amount_cents else 0 end;
  cash bigint := case when new.kind in ('collected', 'handed_in') then -new.amount_cents else 0 end;
begin
  insert into driver_accounts (central_id, driver_id) values (new.central_id, new.driver_id) on conflict do nothing;
  update driver_accounts set balance_cents = balance_cents + new.amount_cents, cash_cents = cash_cents + cash,
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
create trigger driver_entries_add before insert on driver_entries
  for each row execute function add_to_driver_account();

create function refuse_driver_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  raise exception 'the ledger of drivers is append-only' using errcode = 'restrict_violation';
end $$;
comment on function refuse_driver_ledger_change is 'Only the removal of a note passes.';
create trigger driver_entries_append_only before update or delete on driver_entries
  for each row execute function refuse_driver_ledger_change();
create trigger driver_entries_no_truncate before truncate on driver_entries
  for each statement execute function refuse_driver_ledger_change();
