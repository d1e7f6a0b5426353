-- Who changed settings, tariffs, users, keys, money and the like, and from what to what.

create table audit_entries (
  central_id bigint not null constraint audit_entries_central_fkey references centrals,
  id bigint not null,
  happened_at timestamptz not null,
  user_id bigint,
  actor text,
  role text,
  origin text not null
    constraint audit_entries_origin_known check (origin in ('operations', 'integration', 'command_line')),
  action text not null
    constraint audit_entries_action_known check (action in ('created', 'changed', 'deleted')),
  subject text not null,
  subject_id bigint,
  subject_name text,
  before jsonb not null,
  after jsonb not null,
  primary key (central_id, id)
);
-- Read backwards from a moment; the filters look at a limited number of rows from there.
create index audit_entries_by_time on audit_entries (central_id, happened_at, id);
create index audit_entries_old on audit_entries (happened_at);

comment on table audit_entries is
  'Append-only: written by the transaction that makes the change, deleted only when it is old (server/src/audit/forgetChanges.ts). It refers to no other row, so that it outlives what it tells of.';
comment on column audit_entries.user_id is 'Null for the command line.';
comment on column audit_entries.actor is 'The user name of that moment; null for the command line.';
comment on column audit_entries.subject is 'What kind of thing was changed, e.g. tariff; see server/src/audit/change.ts.';
comment on column audit_entries.before is
  'The changed fields only, by their names in the operator''s interface; empty for something new. Never a secret, and no free text about persons.';
comment on column audit_entries.after is 'The same fields afterwards; empty for something deleted.';
