-- Functions only: nothing else changes, so that processes of the version before go on beside it.

create or replace function queue_pushes() returns trigger language plpgsql as $$
declare
  message record;
begin
  -- The lock waits for a phone that is signing out. Without it the foreign key of the message would wait, and fail.
  for message in select subscription.device_id, meant.kind
  from (
    select 'offer' as kind, jsonb_path_query(new.payload, '$.offeredTo[*]') as driver_id
    where new.type = 'delivery.status' and new.payload ->> 'status' = 'offered'
    union all
    select 'cancellation', new.payload -> 'driverId'
    where new.type = 'delivery.status' and new.payload ->> 'status' = 'cancelled'
    union all
    select 'taken_away', new.payload -> 'previousDriverId'
    where new.type = 'delivery.driver_changed'
      or new.type = 'delivery.status' and new.payload ->> 'status' = 'awaiting_release'
    union all
    select 'received', new.payload -> 'driverId' where new.type = 'delivery.driver_changed'
    union all
    select 'change', new.payload -> 'driverId' where new.type = 'delivery.changed') meant
  join push_subscriptions subscription on subscription.central_id = new.central_id
    and subscription.driver_id = (meant.driver_id #>> '{}')::bigint
  for key share of subscription
  loop
    insert into push_messages (central_id, device_id, event_id, kind, delivery_id, queued_at)
    values (new.central_id, message.device_id, new.id, message.kind, new.delivery_id, new.occurred_at)
    on conflict do nothing;
  end loop;
  return null;
end $$;

create or replace function fan_out_events() returns trigger language plpgsql as $$
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

create or replace function end_sessions() returns trigger language plpgsql as $$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $$;

create or replace function end_device_invites() returns trigger language plpgsql as $$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from device_invites where central_id = new.central_id and user_id = new.id;
  return null;
end $$;

comment on column webhook_messages.subject is
  'Messages of one subject arrive in order: a delivery, its positions, a scheduled delivery, a test, a driver, a driver''s account, or a company.';
