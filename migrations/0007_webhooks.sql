-- Where integrators want to be told. A company manager's endpoint hears of that company only.
create table webhooks (
  central_id bigint not null references centrals,
  id bigint not null,
  company_id bigint,
  url text not null,
  types text[] not null check (cardinality(types) > 0),
  -- Kept as it is, because every message is signed with it.
  secret text not null,
  -- After a rotation both sign, until the receiver has had time to change.
  previous_secret text,
  previous_secret_until timestamptz,
  active boolean not null default true,
  -- Failing: no attempt before next_attempt_at, for whatever waits here. Since when decides the pause.
  failures integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null,
  -- Gone for everybody; its sendings, which may be many, are deleted little by little.
  deleted_at timestamptz,
  primary key (central_id, id),
  foreign key (central_id, company_id) references companies (central_id, id) on delete cascade,
  check ((failing_since is null) = (failures = 0)),
  check (deleted_at is null or not active)
);
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

-- One row for each event and each endpoint that wants it, written with the event: what was committed will be sent.
create table webhook_sendings (
  central_id bigint not null references centrals,
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  -- What must arrive in order: a delivery, a scheduled delivery, or a company's wallet.
  subject text not null,
  -- The event's own moment, so that the log and a replay of a time range are one index.
  occurred_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'expired')),
  attempts integer not null default 0,
  -- Attempts that failed while the endpoint took others: these decide when this message has failed.
  refusals integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Not sent any more from then on: an old position is worse than none.
  expires_at timestamptz,
  -- Held by a sender until then; a dead sender's hold runs out.
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
  foreign key (central_id, webhook_id) references webhooks (central_id, id) on delete cascade,
  foreign key (central_id, event_id) references events (central_id, id) on delete cascade,
  check ((held_until is null) = (holder is null))
);
-- What a sender looks for, what must go before it, what it holds, and what is no longer worth sending. Only
-- waiting rows, so none of these grows with the history.
create index webhook_sendings_due on webhook_sendings (central_id, webhook_id, next_attempt_at, event_id)
  where state = 'waiting';
create index webhook_sendings_order on webhook_sendings (central_id, webhook_id, subject, event_id)
  where state = 'waiting';
create index webhook_sendings_held on webhook_sendings (central_id, webhook_id, held_until)
  where held_until is not null;
create index webhook_sendings_expiring on webhook_sendings (expires_at)
  where state = 'waiting' and expires_at is not null;
create index webhook_sendings_log on webhook_sendings (central_id, webhook_id, occurred_at desc, id desc);
create index webhook_sendings_event on webhook_sendings (central_id, event_id);

-- An event is fanned out to its endpoints by the transaction that records it, whoever records it. A test goes to
-- the endpoint that it names. The notice tells the recording process to announce the central, and whether there is
-- something to send, once this has committed; server/src/postgres/announceCommits.ts says why it is no NOTIFY.
create function fan_out_event() returns trigger language plpgsql as $$
begin
  insert into webhook_sendings (central_id, id, webhook_id, event_id, subject, occurred_at, next_attempt_at, expires_at)
  select w.central_id, next_id(w.central_id, 'sending'), w.id, new.id,
    case when new.type = 'delivery.position' then 'position ' || new.delivery_id
         when new.delivery_id is not null then 'delivery ' || new.delivery_id
         when new.scheduled_id is not null then 'scheduled ' || new.scheduled_id
         when new.type = 'webhook.test' then 'test ' || new.id
         else 'company ' || coalesce(new.company_id, 0) end,
    new.occurred_at, new.occurred_at,
    case when new.type = 'delivery.position' then new.occurred_at + interval '15 seconds' end
  from webhooks w
  where w.central_id = new.central_id and w.active
    and (w.company_id is null or w.company_id = new.company_id)
    and case when new.type = 'webhook.test' then w.id = (new.payload ->> 'webhookId')::bigint
             else new.type = any (w.types) end;
  raise notice 'malote_event %', new.central_id || case when found then ' send' else '' end;
  return null;
end $$;
create trigger events_fan_out after insert on events for each row execute function fan_out_event();
