-- Drivers who change their duty or ask the central for help.

alter table drivers add column event_sequence integer not null default 0;
comment on column drivers.event_sequence is 'The sequence of the driver''s last event.';

create table help_requests (
  central_id bigint not null,
  id bigint not null,
  driver_id bigint not null,
  delivery_id bigint,
  text text not null,
  created_at timestamptz not null,
  primary key (central_id, id),
  constraint help_requests_driver_fkey foreign key (central_id, driver_id)
    references drivers (central_id, id) on delete cascade,
  constraint help_requests_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id)
);
create index help_requests_newest on help_requests (central_id, created_at desc);
create index help_requests_of_driver on help_requests (central_id, driver_id, created_at);

comment on table help_requests is
  'What drivers ask of the central and nobody has answered yet. A row is deleted when an operator takes care of it, or when nobody did for long.';
comment on column help_requests.id is 'Random.';
comment on column help_requests.delivery_id is 'What the driver was carrying, if it is about that.';
