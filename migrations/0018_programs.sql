-- Programs: logins without a password, which prove themselves by a secret and may use only what they were given.

alter table users add column is_program boolean not null default false;
comment on column users.is_program is
  'A program acts as a user of its own, so that events, the audit log and repeated requests name it. It never logs in with a password and is not shown among the users. Its label and scopes are in programs.';

create table programs (
  central_id bigint not null,
  id bigint not null,
  label text not null constraint programs_label_given check (label <> ''),
  scopes text[] not null constraint programs_scopes_given check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  created_by text,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint programs_pkey primary key (central_id, id),
  constraint programs_login_fkey foreign key (central_id, id) references users (central_id, id)
);
create trigger programs_announce_change after update on programs
  for each row execute function announce_register_change();

comment on table programs is 'Credentials of programs. The id is that of the user as which the program acts.';
comment on column programs.label is 'Chosen by whoever created the program, to recognise it later.';
comment on column programs.scopes is
  'Permissions by their names in server/src/centrals/permissions.ts. The company, if it is bound to one, is that of the user.';
comment on column programs.created_by is 'The name of the user; null: the command line.';
comment on column programs.expires_at is 'Null: it does not expire.';
comment on column programs.revoked_at is
  'Null while the program may act.';

create table program_secrets (
  central_id bigint not null,
  sha256 bytea not null constraint program_secrets_digest_length check (length(sha256) = 32),
  program_id bigint not null,
  kind text not null constraint program_secrets_kind_known check (kind in ('token', 'access')),
  scopes text[],
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint program_secrets_pkey primary key (central_id, sha256),
  constraint program_secrets_access_expires check (kind = 'token' or expires_at is not null),
  constraint program_secrets_program_fkey foreign key (central_id, program_id)
    references programs (central_id, id) on delete cascade
);
create index program_secrets_of_a_program on program_secrets (central_id, program_id, created_at);
create index program_secrets_expired on program_secrets (expires_at) where expires_at is not null;
create trigger program_secrets_announce_change after update on program_secrets
  for each row execute function announce_register_change();

comment on table program_secrets is
  'What a program sends as a bearer token. Expired rows are deleted by a job. New rows are not announced, because no process remembers that a secret is unknown.';
comment on column program_secrets.sha256 is
  'Digest of the whole secret. It has 256 random bits, so a plain digest is enough and can be looked up. The secret carries the central too, so that it is looked up within it.';
comment on column program_secrets.kind is
  'token: long-lived, shown once. access: given for an hour by OAuth to whoever sends the long-lived one.';
comment on column program_secrets.scopes is 'Null: those of the program. An access token may have fewer.';
comment on column program_secrets.expires_at is
  'Null: as long as the program. Set for the old secret when a new one is made, so that both work for a while.';

create table program_uses (
  central_id bigint not null,
  program_id bigint not null,
  address text not null,
  used_at timestamptz not null,
  constraint program_uses_pkey primary key (central_id, program_id, address),
  constraint program_uses_program_fkey foreign key (central_id, program_id)
    references programs (central_id, id) on delete cascade
);

comment on table program_uses is
  'When each program was last used, and from which addresses, the last few of them. Processes write it every few seconds (server/src/centrals/programUses.ts).';
