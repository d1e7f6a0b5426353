-- Stops where nothing could be handed over: each attempt, what the central decided, and who took care of it.

alter table stops add column not_delivered boolean not null default false;
comment on column stops.not_delivered is
  'The stop is over and nothing was handed over there: concluded_at says since when. An operator may put it back into the run.';
comment on column stops.concluded_at is
  'When the stop was over: handed over, or given up as not_delivered. Null while the stop is open. Later than that of the stop concluded before, so that it gives the order of the visits.';

alter table stops add constraint stops_not_delivered_is_over
  check (not not_delivered or concluded_at is not null) not valid;

alter table deliveries add column return_added boolean not null default false;
comment on column deliveries.return_added is
  'The return to the pickup (has_return) was not ordered: goods that could not be handed over go back.';

alter table companies add column failure_rules jsonb;
comment on column companies.failure_rules is
  'What the company wants otherwise than its central when a stop fails; the keys are those of FailureRules in server/src/centrals. Null: nothing.';

alter table companies add column support_text text;
comment on column companies.support_text is
  'How recipients of this company get help: a phone number or a sentence. Null: as the central says.';

create table stop_attempts (
  central_id bigint not null,
  stop_id bigint not null,
  number integer not null constraint stop_attempts_number_positive check (number > 0),
  delivery_id bigint not null,
  driver_id bigint,
  reason text not null
    constraint stop_attempts_reason_known check (reason in ('absent', 'wrong_address', 'refused', 'other')),
  note text,
  decision text not null constraint stop_attempts_decision_known check (decision in ('retry', 'return', 'leave')),
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by bigint,
  undone_at timestamptz,
  resolved_at timestamptz,
  resolved_by bigint,
  resolution text,
  new_delivery_id bigint,
  primary key (central_id, stop_id, number),
  constraint stop_attempts_stop_fkey foreign key (central_id, stop_id) references stops (central_id, id)
    on delete cascade,
  constraint stop_attempts_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint stop_attempts_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint stop_attempts_new_delivery_fkey foreign key (central_id, new_delivery_id)
    references deliveries (central_id, id),
  constraint stop_attempts_resolved_in_words check (
    resolved_at is null or resolution is not null or new_delivery_id is not null)
);
-- What waits for a person is found without the history.
create index stop_attempts_unresolved on stop_attempts (central_id, recorded_at, stop_id)
  where decision <> 'retry' and undone_at is null and resolved_at is null;

comment on table stop_attempts is
  'Visits at which nothing could be handed over. Written only under the lock of the delivery that carries the stop.';
comment on column stop_attempts.number is 'Counts the attempts of the stop, from 1.';
comment on column stop_attempts.delivery_id is 'The delivery that carried the stop at that time.';
comment on column stop_attempts.note is 'What the driver or the operator says about it. Personal data.';
comment on column stop_attempts.decision is
  'What followed: the stop is tried again later in the run, its goods return to the pickup, or they are left until the central says what to do. All but the first end the stop.';
comment on column stop_attempts.happened_at is 'As the phone says, and not before the step before it.';
comment on column stop_attempts.recorded_at is 'By the service''s clock.';
comment on column stop_attempts.recorded_by is
  'The user who recorded it. No foreign key: it names who did it and does not keep the user from being removed.';
comment on column stop_attempts.undone_at is 'When an operator put the stop back into the run.';
comment on column stop_attempts.resolved_at is
  'When somebody took care of what was not delivered. Null: it waits for a person, unless it was undone or is tried again.';
comment on column stop_attempts.resolved_by is 'The user who did; as recorded_by.';
comment on column stop_attempts.resolution is 'What was done about it, in the operator''s words.';
comment on column stop_attempts.new_delivery_id is 'The delivery that tries it again.';
