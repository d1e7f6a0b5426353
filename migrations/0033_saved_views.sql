-- Lists that somebody looks at again: their filters and order under a name.

create table saved_views (
  central_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  list text not null,
  name text not null constraint saved_views_name_given check (name <> ''),
  query text not null,
  is_shared boolean not null default false,
  saved_at timestamptz not null,
  constraint saved_views_pkey primary key (central_id, id),
  constraint saved_views_user_fkey foreign key (central_id, user_id)
    references users (central_id, id) on delete cascade
);

create unique index saved_views_name_unique on saved_views (central_id, user_id, list, lower(name));
create index saved_views_shared on saved_views (central_id, list, id) where is_shared;

comment on table saved_views is 'Filters and order of a list under a name. Each user has a limited number.';
comment on column saved_views.user_id is 'Who saved it, and alone may change or delete it.';
comment on column saved_views.list is 'The name of the list in the console.';
comment on column saved_views.query is 'As in the address of the list, without the question mark.';
comment on column saved_views.is_shared is 'Shown to all who see what its user sees: the whole central, or the same company.';
comment on column saved_views.saved_at is 'The last change.';
