-- no transaction: accounts are corrected central by central
-- Cash of closings that were paid before payments settled it. What remains is the cash of entries that no paid closing
-- has; the accounts are held meanwhile, so that no entry is missed.
do $$
declare
  central bigint;
begin
  for central in
    select distinct central_id from closings where driver_id is not null and paid_at is not null
  loop
    perform 1 from driver_accounts where central_id = central order by driver_id for update;
    update driver_accounts account set cash_cents = least(account.cash_cents, greatest(0, coalesce((
        select sum(-e.amount_cents) from driver_entries e
        where e.central_id = central and e.driver_id = account.driver_id and e.kind in ('collected', 'handed_in')
          and not exists (
            select 1 from closings c
            where c.central_id = central and c.driver_id = account.driver_id and c.paid_at is not null
              and e.number between c.from_number and c.to_number)), 0)))
      where account.central_id = central and account.cash_cents > 0 and exists (
        select 1 from closings c
        where c.central_id = central and c.driver_id = account.driver_id and c.paid_at is not null);
    commit;
  end loop;
end $$;
alter table driver_entries validate constraint driver_entries_amount_not_zero;
