-- What the automatic merge did and what it saved, one row for each group it made.
create table automatic_merges (
  central_id bigint not null references centrals,
  id bigint not null,
  company_id bigint not null,
  grouper_id bigint not null,
  orders integer not null check (orders >= 2),
  stops integer not null check (stops between 2 and 10),
  seconds_before integer not null,
  seconds_after integer not null,
  metres_before integer not null,
  metres_after integer not null,
  net_cents_before bigint not null,
  net_cents_after bigint not null,
  merged_at timestamptz not null,
  primary key (central_id, id),
  foreign key (central_id, grouper_id) references scheduled (central_id, id)
);
create index automatic_merges_newest on automatic_merges (central_id, merged_at desc, id desc);

-- What may be merged: waiting, of a company, not merged before; looked for by time.
create index scheduled_mergeable on scheduled (central_id, dispatch_at)
  where situation = 'awaiting' and company_id is not null and not grouped_automatically;
