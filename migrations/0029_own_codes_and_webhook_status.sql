-- A stop may bring a confirmation code of its own, of four digits. It is kept as a number, so 0123 is 123; whoever
-- shows or asks for it writes four digits.
alter table scheduled_stops add column confirmation_code integer check (confirmation_code between 0 and 9999);
alter table stops drop constraint stops_confirmation_code_check;
alter table stops add constraint stops_confirmation_code_check check (confirmation_code between 0 and 9999);

-- The last failure of an endpoint outlives the message that failed, which may have been delivered since.
alter table webhooks add column last_failure_at timestamptz;
alter table webhooks add column last_failure_status integer;
alter table webhooks add column last_failure_error text;
-- The last success is the newest row here: an update of the webhook itself for every message would make all
-- messages of an endpoint wait for one row.
create index webhook_sendings_delivered on webhook_sendings (central_id, webhook_id, delivered_at desc)
  where delivered_at is not null;
