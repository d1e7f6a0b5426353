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
  'Writes the messages of the events that a statement records, in its transaction. A test goes to the webhook that it names. The notice tells the recording process what to announce after the commit, for each event: the central, the event if live feeds read it, and whether there is something to send; server/src/postgres/listen.ts says why it is no NOTIFY.';

-- In one statement, so that no event is recorded without it. A process of an earlier version does not understand the
-- notice of several events: what it records together is found by whoever looks for it, a second later.
create or replace trigger events_fan_out after insert on events referencing new table as inserted
  for each statement execute function fan_out_events();
-- exempt drop-or-rename: only the trigger called it, which has another function now
drop function fan_out_event();
