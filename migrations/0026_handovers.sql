-- Deliveries that pass from one driver to another, and deliveries that the central holds back.

alter table stops add column concluded_by bigint;
alter table stops add constraint stops_concluded_by_fkey foreign key (central_id, concluded_by)
  references drivers (central_id, id) not valid;
comment on column stops.concluded_by is
  'The driver who concluded it. It stays that driver''s when the delivery passes to another one. Null of a concluded stop: the delivery''s driver, who has not changed since.';

create table handovers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  from_driver_id bigint not null,
  to_driver_id bigint not null,
  reason text not null,
  handed_over_at timestamptz not null,
  user_id bigint,
  primary key (central_id, id),
  constraint handovers_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id)
    on delete cascade,
  constraint handovers_from_driver_fkey foreign key (central_id, from_driver_id) references drivers (central_id, id),
  constraint handovers_to_driver_fkey foreign key (central_id, to_driver_id) references drivers (central_id, id),
  constraint handovers_between_two check (from_driver_id <> to_driver_id)
);
create index handovers_of_delivery on handovers (central_id, delivery_id, from_driver_id);
comment on table handovers is
  'Each time that an operator gave a delivery that a driver carried to another driver.';
comment on column handovers.reason is 'In the operator''s words, for the central only.';
comment on column handovers.user_id is 'The operator.';

alter table deliveries add column held_at timestamptz;
alter table deliveries add column held_reason text;
alter table deliveries add constraint deliveries_held_awaits_release check (
  (held_at is null) = (held_reason is null) and (held_at is null or status in ('awaiting_release', 'cancelled'))) not valid;
comment on column deliveries.held_at is
  'When the central held it back after it had been let go; null where it awaits its first release, or none.';
comment on column deliveries.held_reason is 'In the operator''s words, for the central only.';

alter table push_messages drop constraint push_messages_kind_known;
alter table push_messages add constraint push_messages_kind_known
  check (kind in ('offer', 'cancellation', 'received', 'taken_away', 'change')) not valid;

create or replace function queue_pushes() returns trigger language plpgsql as $$
begin
  insert into push_messages (central_id, device_id, event_id, kind, delivery_id, queued_at)
  select new.central_id, subscription.device_id, new.id, meant.kind, new.delivery_id, new.occurred_at
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
    and to_jsonb(subscription.driver_id) = meant.driver_id
  on conflict do nothing;
  return null;
end $$;
comment on function queue_pushes is
  'Wakes the phones of drivers to whom a delivery is offered, given or taken away, or whose delivery is changed or cancelled.';

drop trigger events_queue_pushes on events;
create trigger events_queue_pushes after insert on events
  for each row when (
    new.type in ('delivery.driver_changed', 'delivery.changed')
    or new.type = 'delivery.status' and new.payload ->> 'status' in ('offered', 'cancelled', 'awaiting_release'))
  execute function queue_pushes();
