-- Proof of handing over: photos and signatures, who received, what was collected, and which of it is asked for.

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
  primary key (central_id, stop_id, kind),
  constraint proof_images_stop_fkey foreign key (central_id, stop_id) references stops (central_id, id) on delete cascade,
  constraint proof_images_in_one_place check ((content is null) <> (object_key is null))
);
-- Images are compressed already.
alter table proof_images alter column content set storage external;
create index proof_images_to_move on proof_images (central_id, received_at) where content is not null;

comment on table proof_images is
  'Photos and signatures of stops, at most one of each kind. Written under the lock of the delivery that carries the stop.';
comment on column proof_images.sha256 is 'Digest of the stored content, which tells a repetition from another image.';
comment on column proof_images.size is 'Bytes.';
comment on column proof_images.content is 'The image without metadata. Null once it was moved to the object store.';
comment on column proof_images.object_key is 'Its name in the object store, where one is configured.';
comment on column proof_images.taken_at is 'When it was made, as the phone says.';
comment on column proof_images.received_at is 'When the service got it.';
comment on column proof_images.moving_until is 'A process is moving it to the object store; after this instant another one may try.';

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

create function remove_proof_object() returns trigger language plpgsql as $$
begin
  insert into proof_removals (central_id, object_key, due_at) values (old.central_id, old.object_key, now())
  on conflict do nothing;
  return null;
end $$;
comment on function remove_proof_object is 'An image that is deleted or replaced, in whatever way, leaves the object store too.';

create trigger proof_images_deleted after delete on proof_images
  for each row when (old.object_key is not null) execute function remove_proof_object();
create trigger proof_images_replaced after update of object_key on proof_images
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_proof_object();

create table proof_link_keys (
  central_id bigint primary key constraint proof_link_keys_central_fkey references centrals,
  link_key text not null,
  created_at timestamptz not null
);
comment on table proof_link_keys is 'Signs the links under which a central''s proof is read, made when the first one is.';
comment on column proof_link_keys.link_key is
  'Base64, encrypted as the secrets of webhooks are; see server/src/kernel/secretBox.ts.';

alter table stops add column received_by text;
comment on column stops.received_by is 'Who received it, as the driver wrote it. Personal data.';
alter table stops add column received_cents bigint
  constraint stops_received_not_negative check (received_cents >= 0);
comment on column stops.received_cents is 'What the driver collected. Null: nothing was recorded.';
alter table stops add column received_payment text;
comment on column stops.received_payment is 'How it was paid; the forms are in server/src/requests/request.ts.';

alter table companies add column proof_photo text
  constraint companies_proof_photo_known check (proof_photo in ('off', 'optional', 'required'));
alter table companies add column proof_signature text
  constraint companies_proof_signature_known check (proof_signature in ('off', 'optional', 'required'));
alter table companies add column proof_name text
  constraint companies_proof_name_known check (proof_name in ('off', 'optional', 'required'));
alter table companies add column proof_amount boolean;
comment on column companies.proof_photo is 'Whether a photo is asked for at its stops. Null: as the central has it.';
comment on column companies.proof_signature is 'Whether a signature is asked for at its stops. Null: as the central has it.';
comment on column companies.proof_name is 'Whether the name of who received is asked for. Null: as the central has it.';
comment on column companies.proof_amount is 'Whether the collected amount is recorded. Null: as the central has it.';
