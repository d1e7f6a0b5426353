-- no transaction: the index is built beside the running service. The hourly clean-up finds and deletes positions by
-- their time, whatever else the history of a central holds.
drop index concurrently if exists events_old_positions;
create index concurrently events_old_positions on events (central_id, occurred_at) where type = 'delivery.position';
