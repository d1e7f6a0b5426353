-- A closing may leave the other side owing: the driver who holds more cash than was earned, the central that collected
-- more for a company than it charged. Its payment has the opposite sign.
alter table driver_entries drop constraint driver_entries_sign;
alter table driver_entries add constraint driver_entries_sign check (
  kind in ('adjustment', 'payment') or (amount_cents > 0) = ((kind in ('share', 'handed_in')) = (reverses_id is null)))
  not valid;
alter table company_entries drop constraint company_entries_sign;
alter table company_entries add constraint company_entries_sign check (
  case
    when kind in ('delivery', 'cancellation_fee') then amount_cents >= 0
    when kind = 'payment' then amount_cents <> 0
    else amount_cents < 0
  end) not valid;
