-- Web Push: messages that wake a driver's phone.

create table push_keys (
  central_id bigint primary key constraint push_keys_central_fkey references centrals,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null
);

comment on table push_keys is
  'The VAPID keys with which a central identifies itself to push services, made when a phone first asks for them.';
comment on column push_keys.private_key is
  'Encrypted as the secrets of webhooks are; see server/src/platform/kernel/secretBox.ts.';

create table push_subscriptions (
  central_id bigint not null,
  device_id bigint not null,
  driver_id bigint not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  primary key (central_id, device_id),
  constraint push_subscriptions_device_fkey foreign key (central_id, device_id)
    references devices (central_id, id) on delete cascade
);
create index push_subscriptions_of_driver on push_subscriptions (central_id, driver_id);

comment on table push_subscriptions is
  'Where the push service of a phone takes messages. It ends with the phone''s session, or when the push service says that it is gone.';
comment on column push_subscriptions.driver_id is 'Of the session''s user, whose driver never changes during a session.';
comment on column push_subscriptions.endpoint is 'A URL that is a secret: whoever knows it can send there.';

create table push_messages (
  central_id bigint not null,
  device_id bigint not null,
  event_id bigint not null,
  kind text not null,
  delivery_id bigint not null,
  queued_at timestamptz not null,
  primary key (central_id, device_id, event_id),
  constraint push_messages_subscription_fkey foreign key (central_id, device_id)
    references push_subscriptions (central_id, device_id) on delete cascade,
  constraint push_messages_kind_known
    check (kind in ('offer', 'cancellation', 'received', 'taken_away', 'change'))
);
-- Begins with the time, because one claim serves every central.
create index push_messages_queue on push_messages (central_id, queued_at);

comment on table push_messages is 'What is to be sent to phones, written with the event and deleted by the process that sends it.';

create function queue_pushes() returns trigger language plpgsql as $$
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
comment on function queue_pushes is
  'Wakes the phones of drivers to whom a delivery is offered, given or taken away, or whose delivery is changed or cancelled.';

create trigger events_queue_pushes after insert on events
  for each row when (
    new.type in ('delivery.driver_changed', 'delivery.changed')
    or new.type = 'delivery.status' and new.payload ->> 'status' in ('offered', 'cancelled', 'awaiting_release'))
  execute function queue_pushes();
