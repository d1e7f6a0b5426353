-- The payment of a driver's closing settles the cash that the closing counted: nobody hands it in any more. And a
-- closing keeps the names under which it was made.

alter table driver_entries add column settled_cash_cents bigint not null default 0;
comment on column driver_entries.settled_cash_cents is
  'Cash that need not be handed in any more, because a closing set it off; negative: that was taken back.';
comment on column driver_accounts.cash_cents is
  'Cash that the driver has collected, and neither handed in nor settled by the payment of a closing.';

-- A closing whose cash equals what was earned leaves nothing to pay, and settles the cash.
alter table driver_entries drop constraint driver_entries_amount_not_zero;
alter table driver_entries add constraint driver_entries_amount_not_zero check (
  amount_cents <> 0 or settled_cash_cents <> 0) not valid;

create or replace function add_to_driver_account() returns trigger language plpgsql as $$
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

alter table closings add column party_name text;
alter table closings add column party_document text;
alter table closings add column central_name text;
comment on column closings.party_name is
  'The name of the company or driver when it was closed. Null: closed before names were kept.';
comment on column closings.party_document is 'The document of the company when it was closed.';
comment on column closings.central_name is 'The name of the central when it was closed.';
