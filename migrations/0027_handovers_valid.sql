-- Validates the constraints of 0023 without excluding anybody.

alter table stops validate constraint stops_concluded_by_fkey;
alter table deliveries validate constraint deliveries_held_awaits_release;
alter table push_messages validate constraint push_messages_kind_known;
