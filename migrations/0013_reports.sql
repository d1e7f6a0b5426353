-- Reports: totals by day that are kept up as deliveries end, so that no report reads the history.

create table report_queue (
  central_id bigint not null,
  delivery_id bigint not null,
  primary key (central_id, delivery_id)
);

comment on table report_queue is
  'Deliveries that have ended and are not yet in the totals. Written by the transaction that ends a delivery, deleted by the one that counts it: each is counted once, whichever process dies when.';

create function queue_report() returns trigger language plpgsql as $$
begin
  insert into report_queue (central_id, delivery_id) values (new.central_id, new.delivery_id) on conflict do nothing;
  return null;
end $$;

-- A delivery ends once: server/src/deliveries/deliveries/status.ts has no step out of these statuses.
create trigger events_queue_report after insert on events for each row
  when (new.type = 'delivery.status' and new.payload ->> 'status' in ('finished', 'cancelled', 'not_attended'))
  execute function queue_report();

create table report_states (
  central_id bigint not null,
  counted_to bigint not null default 0,
  is_complete boolean not null default true,
  primary key (central_id),
  constraint report_states_central_fkey foreign key (central_id) references centrals (id)
);

comment on table report_states is
  'How far the totals of a central are. Its lock is held by whoever counts, so that one process at a time does.';
comment on column report_states.counted_to is
  'While the history is counted: deliveries up to this id are in the totals if they had ended.';
comment on column report_states.is_complete is
  'The whole history is in the totals, and only the queue is left to count.';

create table report_days (
  central_id bigint not null,
  kind text not null constraint report_days_kind_known
    check (kind in ('total', 'company', 'driver', 'area', 'company_area')),
  company_id bigint not null default 0,
  day date not null,
  of_id bigint not null default 0,
  finished integer not null,
  promised integer not null,
  on_time integer not null,
  cancelled integer not null,
  not_attended integer not null,
  stops_delivered integer not null,
  stops_failed integer not null,
  grouped integer not null,
  saved_metres bigint not null,
  accept_count integer not null,
  accept_seconds bigint not null,
  accept_spread integer[] not null,
  pickup_count integer not null,
  pickup_seconds bigint not null,
  pickup_spread integer[] not null,
  deliver_count integer not null,
  deliver_seconds bigint not null,
  deliver_spread integer[] not null,
  total_count integer not null,
  total_seconds bigint not null,
  total_spread integer[] not null,
  primary key (central_id, kind, company_id, day, of_id),
  constraint report_days_central_fkey foreign key (central_id) references centrals (id)
) with (fillfactor = 70);
-- The days of a single company, driver or area.
create index report_days_of_one on report_days (central_id, kind, of_id, day);

comment on table report_days is
  'Totals of the deliveries that were requested on a day, by the central as a whole and by each company, driver and area. What the figures mean is in docs/reports.md.';
comment on column report_days.company_id is 'Of kind company_area. Otherwise 0.';
comment on column report_days.day is 'On which the delivery was requested, in the time zone of the central.';
comment on column report_days.of_id is
  'The company, driver or area, by kind; of company_area the area. 0: no company, outside all areas, or the central.';
comment on column report_days.promised is 'Finished ones that were handed over and had a promise; on_time is of these.';
comment on column report_days.grouped is 'Finished ones that others were grouped into; saved_metres is of these.';
comment on column report_days.accept_spread is
  'How many fell into each range of seconds; the ranges are in server/src/insight/reports/spread.ts. Gives median and percentiles.';

create table report_hours (
  central_id bigint not null,
  company_id bigint not null,
  day date not null,
  hour smallint not null constraint report_hours_hour_range check (hour between 0 and 23),
  finished integer not null,
  promised integer not null,
  on_time integer not null,
  cancelled integer not null,
  not_attended integer not null,
  accept_count integer not null,
  accept_seconds bigint not null,
  pickup_count integer not null,
  pickup_seconds bigint not null,
  deliver_count integer not null,
  deliver_seconds bigint not null,
  total_count integer not null,
  total_seconds bigint not null,
  primary key (central_id, company_id, day, hour),
  constraint report_hours_central_fkey foreign key (central_id) references centrals (id)
) with (fillfactor = 70);

comment on table report_hours is
  'As report_days, by the local hour of the request, for the central and for each company.';
comment on column report_hours.company_id is '0: all deliveries of the central, with or without a company.';

create table report_reasons (
  central_id bigint not null,
  company_id bigint not null,
  day date not null,
  kind text not null constraint report_reasons_kind_known check (kind in ('cancelled', 'stop_failed')),
  reason text not null,
  count integer not null,
  primary key (central_id, company_id, day, kind, reason),
  constraint report_reasons_central_fkey foreign key (central_id) references centrals (id)
);

comment on table report_reasons is
  'Why deliveries were cancelled and stops not handed over, by the day on which the delivery was requested.';
comment on column report_reasons.company_id is '0: all deliveries of the central, with or without a company.';
comment on column report_reasons.reason is
  'The number of a cancellation reason, or a reason of stop_attempts. Empty: none was given.';
