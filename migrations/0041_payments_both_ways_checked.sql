-- Validates the constraints of 0040 without excluding anybody.

alter table driver_entries validate constraint driver_entries_sign;
alter table company_entries validate constraint company_entries_sign;
