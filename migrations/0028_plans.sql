-- Plans of who carries which open deliveries, kept for a day.

create table plans (
  central_id bigint not null constraint plans_central_fkey references centrals,
  id bigint not null,
  created_at timestamptz not null,
  user_id bigint,
  automatic boolean not null,
  wish jsonb not null,
  state text not null default 'running' constraint plans_state_known check (state in ('running', 'ready', 'failed')),
  phase text constraint plans_phase_known check (phase in ('reading', 'ways', 'searching')),
  progress smallint not null default 0 constraint plans_progress_range check (progress between 0 and 100),
  best_cost double precision,
  ends_by timestamptz not null,
  ready_at timestamptz,
  given integer constraint plans_given_not_negative check (given >= 0),
  plan jsonb,
  applied jsonb not null default '[]',
  applied_at timestamptz,
  undone_at timestamptz,
  primary key (central_id, id),
  constraint plans_ready_has_plan check ((state = 'ready') = (plan is not null)),
  constraint plans_ready_has_time check ((state = 'ready') = (ready_at is not null))
);
create index plans_newest on plans (central_id, created_at desc, id desc);
create index plans_expired on plans (created_at);

comment on table plans is
  'Computed proposals and what was applied of them. Rows hold ids and times, no personal data, and are deleted after a day.';
comment on column plans.user_id is
  'Who asked for it. Null: the service. Without a foreign key, because a row lives for a day.';
comment on column plans.automatic is 'Made by continuous planning (server/src/dispatch/plans/planContinuously.ts).';
comment on column plans.wish is 'What was asked for: PlanWish in server/src/dispatch/plans/plan.ts.';
comment on column plans.best_cost is 'Of the best plan found so far, in seconds of driving. Null before the first.';
comment on column plans.ends_by is 'A plan that is running after this time belonged to a process that has ended.';
comment on column plans.given is 'How many deliveries it gives to drivers. Null until it is ready.';
comment on column plans.plan is 'StoredPlan in server/src/dispatch/plans/plan.ts. Null until it is ready.';
comment on column plans.applied is 'Which deliveries went to which drivers: a list of Application.';
comment on column plans.applied_at is 'The last application. Null: none.';

alter table offers add column plan_id bigint;
alter table offers add column place_in_run smallint;

comment on column offers.plan_id is
  'The plan that made the offer: all its open offers to the driver are one run, and are accepted together. Without a foreign key, because plans are deleted after a day.';
comment on column offers.place_in_run is 'The order in which the deliveries of a run are carried out, from 0.';
