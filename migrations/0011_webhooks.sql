-- Webhooks of integrators, and the messages that are sent to them.

create table webhooks (
  central_id bigint not null constraint webhooks_central_fkey references centrals,
  id bigint not null,
  company_id bigint,
  url text not null,
  types text[] not null constraint webhooks_types_given check (cardinality(types) > 0),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  active boolean not null default true,
  failures integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  paused_at timestamptz,
  last_failure_at timestamptz,
  last_failure_status integer,
  last_failure_error text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (central_id, id),
  constraint webhooks_company_fkey foreign key (central_id, company_id)
    references companies (central_id, id) on delete cascade,
  constraint webhooks_failing_has_time check ((failing_since is null) = (failures = 0)),
  constraint webhooks_deleted_is_inactive check (deleted_at is null or not active)
);
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

comment on table webhooks is 'Endpoints that receive events.';
comment on column webhooks.company_id is 'Receives events of this company only. Null: of the whole central.';
comment on column webhooks.types is 'The event types that it receives.';
comment on column webhooks.secret is
  'Signs every message, so it is no digest. Encrypted, where the service has a MALOTE_SECRET_KEY.';
comment on column webhooks.previous_secret is
  'After a rotation both secrets sign until previous_secret_until, so that the receiver has time to change.';
comment on column webhooks.failures is 'Failed attempts in a row. 0: the last attempt succeeded.';
comment on column webhooks.failing_since is 'Null: not failing. A webhook that fails for long is paused.';
comment on column webhooks.next_attempt_at is 'While it fails: no message is sent before. Null: not failing.';
comment on column webhooks.paused_at is 'Null: not paused.';
comment on column webhooks.last_failure_at is
  'The last failure outlives the message that failed, which may have been delivered since. Null: none so far.';
comment on column webhooks.deleted_at is
  'Nobody sees it any more. Its messages, which may be many, are deleted in steps, and then the row.';

create table webhook_messages (
  central_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  subject text not null,
  place bigint not null,
  occurred_at timestamptz not null,
  state text not null default 'waiting'
    constraint webhook_messages_state_known check (state in ('waiting', 'delivered', 'failed', 'expired')),
  attempts integer not null default 0,
  refusals integer not null default 0,
  next_attempt_at timestamptz not null,
  expires_at timestamptz,
  held_until timestamptz,
  holder uuid,
  last_attempt_at timestamptz,
  last_status integer,
  last_duration_ms integer,
  last_answer text,
  last_error text,
  delivered_at timestamptz,
  replayed_at timestamptz,
  primary key (central_id, id),
  constraint webhook_messages_webhook_fkey foreign key (central_id, webhook_id)
    references webhooks (central_id, id) on delete cascade,
  constraint webhook_messages_event_fkey foreign key (central_id, event_id)
    references events (central_id, id) on delete cascade,
  constraint webhook_messages_held_has_holder check ((held_until is null) = (holder is null))
);
-- What a sender looks for, what must go before it, what it holds, and what is no longer worth sending. They hold only
-- waiting rows, so none of them grows with the history.
create index webhook_messages_due on webhook_messages (central_id, webhook_id, next_attempt_at, event_id)
  where state = 'waiting';
create index webhook_messages_order on webhook_messages (central_id, webhook_id, subject, place)
  where state = 'waiting';
create index webhook_messages_held on webhook_messages (central_id, webhook_id, held_until)
  where held_until is not null;
create index webhook_messages_expiring on webhook_messages (expires_at)
  where state = 'waiting' and expires_at is not null;
create index webhook_messages_log on webhook_messages (central_id, webhook_id, occurred_at desc, id desc);
create index webhook_messages_event on webhook_messages (central_id, event_id);
-- The last success of a webhook is the newest row here: an update of the webhook for every message would make all
-- messages of an endpoint wait for one row.
create index webhook_messages_delivered on webhook_messages (central_id, webhook_id, delivered_at desc)
  where delivered_at is not null;

comment on table webhook_messages is
  'One row for each event and each webhook that receives it, written with the event: what was committed will be sent.';
comment on column webhook_messages.id is
  'The id of the event times 1,024, plus a number within the event: a central has at most 500 webhooks. So it needs no counter.';
comment on column webhook_messages.subject is
  'Messages of one subject arrive in order: a delivery, its positions, a scheduled delivery, a test, a driver, a driver''s account, or a company.';
comment on column webhook_messages.place is
  'The order within the subject: the sequence of the event, or its time in microseconds where it has none.';
comment on column webhook_messages.occurred_at is
  'Of the event, so that the log and a replay of a time range are one index.';
comment on column webhook_messages.state is
  'waiting until its webhook has confirmed it (delivered), refused it too often (failed) or it is too old (expired). A replay makes it wait again.';
comment on column webhook_messages.attempts is 'Attempts since it was written or replayed.';
comment on column webhook_messages.refusals is
  'Attempts that failed while the webhook took others. These decide when this message has failed.';
comment on column webhook_messages.next_attempt_at is 'Not sent before; moves away with every failure.';
comment on column webhook_messages.expires_at is
  'Not sent from then on: an old position is worse than none. Null: never expires.';
comment on column webhook_messages.held_until is 'Held by a sender until then. The hold of a dead sender runs out.';
comment on column webhook_messages.holder is 'The process that holds it.';
comment on column webhook_messages.last_status is 'HTTP status of the last answer. Null: no attempt, or no answer.';
comment on column webhook_messages.last_answer is 'The beginning of the last answer''s body.';
comment on column webhook_messages.replayed_at is 'When it was last sent again on request. Null: never.';

-- Most events are recorded several at a time. Called once for each statement, the trigger asks once for each central
-- whether there are webhooks, and raises one notice.
create function fan_out_events() returns trigger language plpgsql as $$
declare
  event record;
  central bigint;
  has_webhooks boolean;
  sends boolean;
  notices text;
begin
  for event in select * from inserted loop
    if event.central_id is distinct from central then
      central = event.central_id;
      has_webhooks = exists (select from webhooks w where w.central_id = central and w.active);
    end if;
    sends = false;
    if has_webhooks then
      insert into webhook_messages (central_id, id, webhook_id, event_id, subject, place, occurred_at, next_attempt_at,
        expires_at)
      select w.central_id, event.id * 1024 + row_number() over (order by w.id), w.id, event.id,
        case when event.type = 'delivery.position' then 'position ' || event.delivery_id
             when event.delivery_id is not null then 'delivery ' || event.delivery_id
             when event.scheduled_id is not null then 'scheduled ' || event.scheduled_id
             when event.type = 'webhook.test' then 'test ' || event.id
             -- The entries of an account have a counter of their own.
             when event.type = 'driver.entry' then 'account ' || (event.payload ->> 'driverId')
             when event.type like 'driver.%' then 'driver ' || (event.payload ->> 'driverId')
             else 'company ' || coalesce(event.company_id, 0) end,
        coalesce(event.sequence, (extract(epoch from event.occurred_at) * 1000000)::bigint),
        event.occurred_at, event.occurred_at,
        case when event.type = 'delivery.position' then event.occurred_at + interval '15 seconds' end
      from webhooks w
      where w.central_id = central and w.active
        and (w.company_id is null or w.company_id = event.company_id)
        and case when event.type = 'webhook.test' then w.id = (event.payload ->> 'webhookId')::bigint
                 else event.type = any (w.types) end;
      sends = found;
    end if;
    notices = concat_ws(', ', notices, central
      || case when event.sequence is null then '' else ' ' || event.id end
      || case when sends then ' send' else '' end);
  end loop;
  if notices is not null then
    raise notice 'malote_event %', notices;
  end if;
  return null;
end $$;
comment on function fan_out_events is
  'Writes the messages of the events that a statement records, in its transaction. A test goes to the webhook that it names. The notice tells the recording process what to announce after the commit, for each event: the central, the event if live feeds read it, and whether there is something to send; server/src/platform/postgres/listen.ts says why it is no NOTIFY.';

create trigger events_fan_out after insert on events referencing new table as inserted
  for each statement execute function fan_out_events();
