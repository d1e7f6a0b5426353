-- Requests that may be repeated, and the record of what was done with personal data.

create table idempotency_keys (
  central_id bigint not null constraint idempotency_keys_central_fkey references centrals,
  user_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamptz not null,
  primary key (central_id, user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

comment on table idempotency_keys is
  'One row for each Idempotency-Key that has taken effect, written by the transaction of its request. Rows are deleted after two days.';
comment on column idempotency_keys.user_id is
  'Whose key it is: two logins may choose the same one. 0: the service itself. No foreign key: the row lives for two days, the request was authenticated just before, and every repeatable request would lock the row of its login.';
comment on column idempotency_keys.fingerprint is
  'Digest of method, path, body and the caller''s scope. The same key with another one is refused.';
comment on column idempotency_keys.answer is 'Null only within the transaction that carries the request out.';

create table privacy_actions (
  central_id bigint not null constraint privacy_actions_central_fkey references centrals,
  id uuid not null default gen_random_uuid(),
  action text not null
    constraint privacy_actions_action_known check (action in ('export', 'erase', 'retention')),
  done_at timestamptz not null,
  done_by text not null,
  person_digest bytea,
  counts jsonb not null,
  primary key (central_id, id),
  constraint privacy_actions_person_given check ((action = 'retention') = (person_digest is null))
);

comment on table privacy_actions is
  'Who asked for personal data to be exported or erased, and what came of it. Kept for good.';
comment on column privacy_actions.done_by is 'The login, the command line, or the retention job.';
comment on column privacy_actions.person_digest is
  'A slow digest of the person: shows whether somebody''s data was asked for, and cannot be reversed. Null for retention.';
comment on column privacy_actions.counts is 'Records concerned, by kind.';
