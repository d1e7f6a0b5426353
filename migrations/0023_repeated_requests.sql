-- An Idempotency-Key belongs to a login: two companies of a central may choose the same one. Keys are kept for two
-- days only and an older row names no login, so those are forgotten instead of being given to somebody.
delete from idempotency_keys;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add column user_id bigint not null;
alter table idempotency_keys add primary key (central_id, user_id, key);
-- Always 200, since a refused request leaves no key.
alter table idempotency_keys drop column status;
comment on column idempotency_keys.answer is 'Null only within the transaction that carries the request out.';

-- Who works under a claim: the session that took it, which ends with its process, and the repeatable request it is
-- for. What an ended session held may be taken over at once.
alter table claims add column holder_pid integer;
alter table claims add column holder_since timestamptz;
alter table claims add column request bytea;
