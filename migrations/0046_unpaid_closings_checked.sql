-- Validates the constraint of 0045 without excluding anybody.

alter table driver_entries validate constraint driver_entries_amount_not_zero;
