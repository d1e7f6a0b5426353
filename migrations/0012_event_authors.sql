-- Who did it: the user, or nobody but the service itself (dispatch, search, merge, simulation). A user that did
-- something is kept for as long as its events are, so that the story never says that the service did it.
alter table events
  add column user_id bigint,
  -- False for what was recorded before there were authors: nobody knows who did that.
  add column author_kept boolean not null default false,
  add constraint events_author foreign key (central_id, user_id) references users (central_id, id);
alter table events alter column author_kept set default true;

-- Asked only when a user is to be deleted, but then all of a central's events would have to be read.
create index events_of_user on events (central_id, user_id) where user_id is not null;
