-- A closing whose payment is taken back is to be paid again.

alter table closings add column undone_entry_ids bigint[] not null default '{}';
comment on column closings.undone_entry_ids is
  'Payments of it that were taken back, and the entries that took them back. They are no part of a later closing''s sum.';

-- The reversal of a payment of nothing, whose cash was taken back before, changes neither the balance nor the cash.
alter table driver_entries drop constraint driver_entries_amount_not_zero;
alter table driver_entries add constraint driver_entries_amount_not_zero check (
  amount_cents <> 0 or settled_cash_cents <> 0 or reverses_id is not null) not valid;
