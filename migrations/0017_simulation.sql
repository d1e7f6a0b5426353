-- The demonstration and its simulated drivers.

create table courier_leases (
  central_id bigint primary key constraint courier_leases_central_fkey references centrals,
  holder uuid not null,
  expires_at timestamptz not null
);

comment on table courier_leases is
  'Which process simulates the drivers of a central. A lease that was not renewed in time is free.';
comment on column courier_leases.holder is 'The process that holds the lease.';

create table demo_rhythms (
  central_id bigint primary key constraint demo_rhythms_central_fkey references centrals,
  next_at timestamptz not null,
  turns bigint not null constraint demo_rhythms_turns_not_negative check (turns >= 0),
  holder uuid,
  held_until timestamptz,
  constraint demo_rhythms_held_has_end check ((holder is null) = (held_until is null))
);

comment on table demo_rhythms is
  'The centrals of the demonstration that order by themselves. Real centrals have no row.';
comment on column demo_rhythms.next_at is 'When the next order is due.';
comment on column demo_rhythms.turns is 'Turns so far; decides what is left to chance in the next one.';
comment on column demo_rhythms.holder is 'The process that makes the next order. Null: none does at this moment.';
comment on column demo_rhythms.held_until is 'After this another process may make it.';
