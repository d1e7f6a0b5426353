-- A row that comes to a position must find one at the position before it, and a row that leaves one must not leave a
-- row behind it. So each change is a look at one or two keys, whatever the number of stops. The rows are looked at as
-- they are at the commit: whatever came and went meanwhile does not count. A session plans these statements once, when
-- the tables may be small enough to be read whole, and they soon are not: the settings make it use the keys anyway.
create or replace function assert_dense_stops() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  carrier bigint;
begin
  if tg_argv[0] = 'delivery' then
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position - 1)
        and exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position) then
        carrier = new.delivery_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position)
        and exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position + 1) then
        carrier = old.delivery_id;
      end if;
    end if;
  else
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position - 1)
        and exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position) then
        carrier = new.scheduled_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position)
        and exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position + 1) then
        carrier = old.scheduled_id;
      end if;
    end if;
  end if;
  if carrier is not null then
    raise exception 'stops of % % leave a gap', tg_argv[0], carrier using errcode = 'check_violation';
  end if;
  return null;
end $$;
comment on function assert_dense_stops is
  'At the commit the positions of a carrier run without a gap: each but the first has the one before it.';

-- A central without webhooks is answered by one look at a key.
create or replace function fan_out_event() returns trigger language plpgsql as $$
declare
  sends boolean = false;
begin
  if exists (select from webhooks w where w.central_id = new.central_id and w.active) then
    insert into webhook_messages (central_id, id, webhook_id, event_id, subject, place, occurred_at, next_attempt_at,
      expires_at)
    select w.central_id, new.id * 1024 + row_number() over (order by w.id), w.id, new.id,
      case when new.type = 'delivery.position' then 'position ' || new.delivery_id
           when new.delivery_id is not null then 'delivery ' || new.delivery_id
           when new.scheduled_id is not null then 'scheduled ' || new.scheduled_id
           when new.type = 'webhook.test' then 'test ' || new.id
           else 'company ' || coalesce(new.company_id, 0) end,
      coalesce(new.sequence, (extract(epoch from new.occurred_at) * 1000000)::bigint),
      new.occurred_at, new.occurred_at,
      case when new.type = 'delivery.position' then new.occurred_at + interval '15 seconds' end
    from webhooks w
    where w.central_id = new.central_id and w.active
      and (w.company_id is null or w.company_id = new.company_id)
      and case when new.type = 'webhook.test' then w.id = (new.payload ->> 'webhookId')::bigint
               else new.type = any (w.types) end;
    sends = found;
  end if;
  raise notice 'malote_event %', new.central_id
    || case when new.sequence is null then '' else ' ' || new.id end
    || case when sends then ' send' else '' end;
  return null;
end $$;

-- Both checks locked a row that the statement has just written, or one that every event of the central locks.
alter table stops drop constraint stops_ordered_with_fkey;
alter table events drop constraint events_central_fkey;
comment on column stops.ordered_with is
  'The delivery that the stop was ordered with; differs while that one is grouped. No foreign key: it is written once, as the delivery that carries the stop then, and deliveries are never deleted.';
comment on column events.central_id is
  'No foreign key: the writer has just locked or inserted a row of this central, and the check would lock the one row of the central for every event.';

create trigger companies_announce_change after insert or update or delete on companies
  for each row execute function announce_register_change();
