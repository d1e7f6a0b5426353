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
  primary key (central_id, id),
  foreign key (central_id, company_id) references companies (central_id, id) on delete cascade,
  check ((failing_since is null) = (failures = 0))
);

-- One row for each event and each endpoint that wants it, written with the event: what was committed will be sent.
create table webhook_sendings (
  central_id bigint not null references centrals,
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  -- What must arrive in order: a delivery, a scheduled delivery, or a company's wallet.
  subject text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Held by a sender until then; a dead sender's hold runs out.
  held_until timestamptz,
  holder uuid,
  last_attempt_at timestamptz,
  last_status integer,
  last_duration_ms integer,
  last_answer text,
  last_error text,
  delivered_at timestamptz,
  primary key (central_id, id),
  foreign key (central_id, webhook_id) references webhooks (central_id, id) on delete cascade,
  foreign key (central_id, event_id) references events (central_id, id) on delete cascade
);
-- What a sender looks for, and what must go before it. Only waiting rows, so neither grows with the history.
create index webhook_sendings_due on webhook_sendings (central_id, webhook_id, next_attempt_at) where state = 'waiting';
create index webhook_sendings_order on webhook_sendings (central_id, webhook_id, subject, event_id) where state = 'waiting';
create index webhook_sendings_log on webhook_sendings (central_id, webhook_id, id desc);
create index webhook_sendings_event on webhook_sendings (central_id, event_id);

-- An event is fanned out to its endpoints by the transaction that records it, whoever records it, and every
-- process with listeners or senders is told once that has committed.
create function fan_out_event() returns trigger language plpgsql as $$
begin
  insert into webhook_sendings (central_id, id, webhook_id, event_id, subject, next_attempt_at)
  select w.central_id, next_id(w.central_id, 'sending'), w.id, new.id,
    case when new.delivery_id is not null then 'delivery ' || new.delivery_id
         when new.scheduled_id is not null then 'scheduled ' || new.scheduled_id
         else 'company ' || coalesce(new.company_id, 0) end,
    new.occurred_at
  from webhooks w
  where w.central_id = new.central_id and w.active and new.type = any (w.types)
    and (w.company_id is null or w.company_id = new.company_id);
  perform pg_notify('malote_events', new.central_id || ' ' || new.id);
  return null;
end $$;
create trigger events_fan_out after insert on events for each row execute function fan_out_event();
