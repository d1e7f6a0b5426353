-- The record of what happened, and of who changed settings, tariffs, users, keys, money and the like.

create table events (
  central_id bigint not null,
  id bigint not null,
  uid uuid not null default gen_random_uuid(),
  type text not null,
  company_id bigint,
  delivery_id bigint,
  scheduled_id bigint,
  sequence integer,
  payload jsonb not null,
  occurred_at timestamptz not null,
  user_id bigint,
  happened_at timestamptz,
  primary key (central_id, id),
  constraint events_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint events_of_one_request check (num_nonnulls(delivery_id, scheduled_id) <= 1),
  constraint events_numbered check ((type in ('delivery.position', 'webhook.test')) = (sequence is null))
);
create unique index events_of_delivery on events (central_id, delivery_id, sequence) where sequence is not null
  and delivery_id is not null;
create unique index events_of_scheduled on events (central_id, scheduled_id, sequence) where scheduled_id is not null;
-- When a delivery's position was sent last. Positions are kept for a short while only, so it stays small.
create index events_positions on events (central_id, delivery_id, occurred_at) where type = 'delivery.position';
-- What happened lately, and what has been kept long enough.
create index events_by_time on events (central_id, occurred_at) include (id);
-- Asked only when a user is to be deleted, but then all of a central's events would have to be read.
create index events_of_user on events (central_id, user_id) where user_id is not null;
-- The hourly clean-up finds positions by their time, whatever else the history of a central holds.
create index events_old_positions on events (central_id, occurred_at) where type = 'delivery.position';

comment on table events is
  'What happened, written by the transaction that made it happen and never changed. Old events are deleted by a job. The types are defined in server/src/events/record.';
comment on column events.central_id is
  'No foreign key: the writer has just locked or inserted a row of this central, and the check would lock the one row of the central for every event.';
comment on column events.id is
  'Says nothing about the order: processes take ids from blocks of their own. The order of events is that of their sequence, or else of the time.';
comment on column events.uid is 'What receivers know the event by; the same however often it is sent.';
comment on column events.company_id is
  'The company concerned, whose webhooks and live feeds receive it. Null: none. No foreign key: it is copied from the request or wallet, which has one.';
comment on column events.delivery_id is
  'Null for events of no delivery. No foreign key: the writer has just locked or inserted that row, rows of deliveries are never deleted, and the check would write a row lock into the delivery for each of its positions (measured: a tenth more CPU and WAL).';
comment on column events.scheduled_id is
  'Null for events of no scheduled delivery. No foreign key, for the reasons given at delivery_id.';
comment on column events.sequence is
  'Counts within the delivery, the scheduled delivery or the wallet, in the order of the commits. Null for tests, and for positions: those change nothing and are too many to lock the delivery each time.';
comment on column events.payload is 'What the event says, by its type.';
comment on column events.user_id is
  'Who did it. Null: the service itself. A user is kept for as long as its events are, so that no event names the service instead.';
comment on column events.happened_at is
  'When it happened, where a phone without network said so later. Null: at occurred_at, which is when it was recorded and gives the order.';

create table audit_entries (
  central_id bigint not null constraint audit_entries_central_fkey references centrals,
  id bigint not null,
  happened_at timestamptz not null,
  user_id bigint,
  actor text,
  role text,
  origin text not null
    constraint audit_entries_origin_known check (origin in ('operations', 'integration', 'command_line')),
  action text not null
    constraint audit_entries_action_known check (action in ('created', 'changed', 'deleted')),
  subject text not null,
  subject_id bigint,
  subject_name text,
  before jsonb not null,
  after jsonb not null,
  primary key (central_id, id)
);
-- Read backwards from a moment; the filters look at a limited number of rows from there.
create index audit_entries_by_time on audit_entries (central_id, happened_at, id);
create index audit_entries_old on audit_entries (happened_at);

comment on table audit_entries is
  'Append-only: written by the transaction that makes the change, deleted only when it is old (server/src/events/audit/forgetChanges.ts). It refers to no other row, so that it outlives what it tells of.';
comment on column audit_entries.user_id is 'Null for the command line.';
comment on column audit_entries.actor is 'The user name of that moment; null for the command line.';
comment on column audit_entries.subject is
  'What kind of thing was changed, e.g. tariff; see server/src/events/audit/change.ts.';
comment on column audit_entries.before is
  'The changed fields only, by their names in the operator''s interface; empty for something new. Never a secret, and no free text about persons.';
comment on column audit_entries.after is 'The same fields afterwards; empty for something deleted.';
