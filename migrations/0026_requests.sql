-- The last requests of each credential: refused ones, and a sample of the others, without personal data.

create table api_requests (
  central_id bigint not null constraint api_requests_central_fkey references centrals,
  id bigint not null,
  happened_at timestamptz not null,
  user_id bigint,
  key_id bigint,
  company_id bigint,
  proof text not null constraint api_requests_proof_known check (proof in ('key', 'session', 'program')),
  method text not null constraint api_requests_method_length check (length(method) between 1 and 10),
  path text not null constraint api_requests_path_length check (length(path) between 1 and 300),
  status smallint not null constraint api_requests_status_range check (status between 100 and 599),
  kind text constraint api_requests_kind_length check (length(kind) between 1 and 60),
  duration_ms integer not null constraint api_requests_duration_not_negative check (duration_ms >= 0),
  request_id text not null constraint api_requests_request_id_length check (length(request_id) between 1 and 64),
  content json not null constraint api_requests_content_bounded check (octet_length(content::text) <= 16384),
  primary key (central_id, id)
);
create index api_requests_newest on api_requests (central_id, happened_at, id);
create index api_requests_of_a_user on api_requests (central_id, user_id, happened_at, id);
create index api_requests_by_request_id on api_requests (central_id, request_id);

comment on table api_requests is
  'Requests that were refused, and a share of the others. Processes write it every few seconds (server/src/events/requests/recordRequests.ts).';
comment on column api_requests.user_id is
  'The login or program. Null: the API key was known, but its login was not. Without a foreign key, because the user may be deleted before the row is written.';
comment on column api_requests.key_id is 'The API key. Null: the request used none.';
comment on column api_requests.company_id is 'The company of the login or program. Null: the whole central.';
comment on column api_requests.path is 'Without the query. What is not an id is left out.';
comment on column api_requests.kind is 'The kind of the refusal, as in X-Error-Kind.';
comment on column api_requests.content is
  'query, body and errors, with the fields in their order. Values are replaced by their type and length, except those that cannot be personal (server/src/api/http/maskContent.ts).';

create table api_request_days (
  central_id bigint not null constraint api_request_days_central_fkey references centrals,
  day date not null,
  refused integer not null constraint api_request_days_refused_not_negative check (refused >= 0),
  sampled integer not null constraint api_request_days_sampled_not_negative check (sampled >= 0),
  dropped bigint not null constraint api_request_days_dropped_not_negative check (dropped >= 0),
  primary key (central_id, day)
);

comment on table api_request_days is
  'How many requests of a UTC day were to be written to api_requests. It limits the rows of a day, for all processes together.';
comment on column api_request_days.refused is
  'The refused ones that processes wanted to write. Beyond a limit they are not written.';
comment on column api_request_days.sampled is 'The same for the others, so that they leave room for refused ones.';
comment on column api_request_days.dropped is
  'The refused ones that were not written, because a limit was reached or the database was away.';
