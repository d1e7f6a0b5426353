-- no transaction: the indexes are built beside the running service

-- What changed since a transaction, and since a time. The first is what a system that keeps a copy asks all day long.
drop index concurrently if exists deliveries_by_change;
create index concurrently deliveries_by_change on deliveries (central_id, changed_in, id);
drop index concurrently if exists deliveries_by_change_time;
create index concurrently deliveries_by_change_time on deliveries (central_id, changed_at, id);
drop index concurrently if exists scheduled_by_change;
create index concurrently scheduled_by_change on scheduled (central_id, changed_in, id);
drop index concurrently if exists scheduled_by_change_time;
create index concurrently scheduled_by_change_time on scheduled (central_id, changed_at, id);
-- What was finished in a period. A row comes in when it is finished, and does not change there any more.
drop index concurrently if exists deliveries_by_finish;
create index concurrently deliveries_by_finish on deliveries (central_id, finished_at desc, id desc)
  where finished_at is not null;
-- The requests with an order number.
drop index concurrently if exists stops_order_number;
create index concurrently stops_order_number on stops (central_id, order_number, delivery_id)
  where order_number is not null;
drop index concurrently if exists scheduled_stops_order_number;
create index concurrently scheduled_stops_order_number on scheduled_stops (central_id, order_number, scheduled_id)
  where order_number is not null;
