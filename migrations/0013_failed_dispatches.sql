-- Dispatches that failed wait for a person until they are cancelled; few among many, and asked for all day long.
create index scheduled_failed on scheduled (central_id, dispatch_at desc, id desc) where situation = 'failed';
