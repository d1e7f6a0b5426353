-- The place of an entry in its wallet's statement. The trigger counts it under the wallet's lock, so that the
-- statement follows line by line; ids are drawn before the lock and may overtake each other.
alter table wallets add column entry_count bigint not null default 0;
alter table wallet_entries add column number bigint;

-- What was entered so far is numbered by id, and the balances told beside it follow that order.
alter table wallet_entries disable trigger wallet_entries_append_only;
update wallet_entries e set number = ordered.number, balance_after_cents = ordered.balance
from (
  select central_id, id, row_number() over statement as number, sum(amount_cents) over statement as balance
  from wallet_entries window statement as (partition by central_id, company_id order by id)) ordered
where e.central_id = ordered.central_id and e.id = ordered.id;
update wallets w set entry_count = counted.entries
from (select central_id, company_id, count(*) as entries from wallet_entries group by central_id, company_id) counted
where w.central_id = counted.central_id and w.company_id = counted.company_id;
alter table wallet_entries enable trigger wallet_entries_append_only;

alter table wallet_entries alter column number set not null;
drop index wallet_entries_newest;
create unique index wallet_entries_newest on wallet_entries (central_id, company_id, number desc);

create or replace function add_to_balance() returns trigger language plpgsql as $$
begin
  update wallets set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count into new.balance_after_cents, new.number;
  return new;
end $$;

-- Credit leaves a wallet the way it came in: by hand, and not for a delivery.
alter table wallet_entries drop constraint wallet_entries_kind_check;
alter table wallet_entries add constraint wallet_entries_kind_check
  check (kind in ('top_up', 'withdrawal', 'reserve', 'release', 'settlement', 'cancellation_fee'));
alter table wallet_entries drop constraint wallet_entries_check1;
alter table wallet_entries add constraint wallet_entries_check1
  check ((kind in ('top_up', 'withdrawal')) = (delivery_id is null));
alter table wallet_entries add constraint wallet_entries_withdrawal_check check (kind <> 'withdrawal' or amount_cents < 0);

-- What waiting scheduled deliveries will take of a wallet is summed under its lock, from this index alone.
create index scheduled_awaiting_credit on scheduled (central_id, company_id) include (net_cents)
  where situation = 'awaiting' and payment = 'credit_wallet';
