-- A user has a limited number of sessions: a login too many ends the oldest, and a new password ends all of them.
create index sessions_of_a_user on sessions (central_id, user_id, created_at);
