-- A delivery for which no driver was found may be dismissed by the central, with a reason.

alter table deliveries add column dismissed_at timestamptz;
alter table deliveries add column dismissed_by bigint;
alter table deliveries add column dismissed_reason text;
comment on column deliveries.dismissed_at is
  'When the central said that nothing more is to be done about it, though nobody was found. Null: it waits, or was ordered again.';
comment on column deliveries.dismissed_by is 'The user who said so.';
comment on column deliveries.dismissed_reason is 'In the user''s words, for the central only. Personal data.';
