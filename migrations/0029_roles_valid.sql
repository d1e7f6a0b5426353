-- Validates the constraint of 0028 without excluding anybody.

alter table users validate constraint users_role_known;
