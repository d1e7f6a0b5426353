-- Proof of handing over: photos and signatures, and the links under which they are seen.

create function remove_proof_object() returns trigger language plpgsql as $$
begin
  insert into proof_removals (central_id, object_key, due_at)
  values (old.central_id, old.object_key, timestamptz 'epoch')
  on conflict do nothing;
  return null;
end $$;
comment on function remove_proof_object is 'An image that is deleted or replaced, in whatever way, leaves the object store too.';

create table proof_images (
  central_id bigint not null,
  stop_id bigint not null,
  kind text not null constraint proof_images_kind_known check (kind in ('photo', 'signature')),
  media_type text not null
    constraint proof_images_media_type_known check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
  sha256 bytea not null constraint proof_images_digest_length check (length(sha256) = 32),
  size integer not null constraint proof_images_size_range check (size between 1 and 307200),
  width integer not null,
  height integer not null,
  content bytea,
  object_key text,
  taken_at timestamptz not null,
  received_at timestamptz not null,
  moving_until timestamptz,
  attempt integer not null default 0 constraint proof_images_attempt_not_negative check (attempt >= 0),
  primary key (central_id, stop_id, kind, attempt),
  constraint proof_images_stop_fkey foreign key (central_id, stop_id) references stops (central_id, id) on delete cascade,
  constraint proof_images_in_one_place check ((content is null) <> (object_key is null))
);
create index proof_images_to_move on proof_images (central_id, received_at) where content is not null;
-- Images are compressed already.
alter table proof_images alter column content set storage external;
create trigger proof_images_deleted after delete on proof_images
  for each row when (old.object_key is not null) execute function remove_proof_object();
create trigger proof_images_replaced after update of object_key on proof_images
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_proof_object();

comment on table proof_images is
  'Photos and signatures of stops, at most one of each kind for each visit. Written under the lock of the delivery that carries the stop.';
comment on column proof_images.sha256 is 'Digest of the stored content, which tells a repetition from another image.';
comment on column proof_images.size is 'Bytes.';
comment on column proof_images.content is 'The image without metadata. Null once it was moved to the object store.';
comment on column proof_images.object_key is 'Its name in the object store, where one is configured.';
comment on column proof_images.taken_at is 'When it was made, as the phone says.';
comment on column proof_images.received_at is 'When the service got it.';
comment on column proof_images.moving_until is 'A process is moving it to the object store; after this instant another one may try.';
comment on column proof_images.attempt is
  'The failed attempt (stop_attempts.number) whose image it is, once the stop is visited again. 0: of the last visit, or of the one under way.';

create table proof_removals (
  central_id bigint not null constraint proof_removals_central_fkey references centrals,
  object_key text not null,
  due_at timestamptz not null,
  primary key (central_id, object_key)
);
create index proof_removals_due on proof_removals (due_at);

comment on table proof_removals is
  'Objects that must leave the object store. Written before an object is, and taken back when an image refers to it: no object is forgotten, whenever a process dies.';
comment on column proof_removals.due_at is 'Not tried before.';

create table proof_link_keys (
  central_id bigint primary key constraint proof_link_keys_central_fkey references centrals,
  link_key text not null,
  created_at timestamptz not null
);

comment on table proof_link_keys is 'Signs the links under which a central''s proof is read, made when the first one is.';
comment on column proof_link_keys.link_key is
  'Base64, encrypted as the secrets of webhooks are; see server/src/platform/kernel/secretBox.ts.';
