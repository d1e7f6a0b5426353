-- no transaction: the index of the new key is built beside the running service
-- The images of each failed attempt are kept, also when the stop is tried again.
--
-- A process of the version before names the old key when it stores an image. Between the end of this file and its own
-- end it answers an image with an internal error, and the driver's phone sends it again. Everything else works on both.
alter table proof_images add column if not exists attempt integer not null default 0
  constraint proof_images_attempt_not_negative check (attempt >= 0);
comment on column proof_images.attempt is
  'The failed attempt (stop_attempts.number) whose image it is, once the stop is visited again. 0: of the last visit, or of the one under way.';
comment on table proof_images is
  'Photos and signatures of stops, at most one of each kind for each visit. Written under the lock of the delivery that carries the stop.';

drop index concurrently if exists proof_images_by_visit;
create unique index concurrently proof_images_by_visit on proof_images (central_id, stop_id, kind, attempt);
alter table proof_images drop constraint if exists proof_images_pkey;
alter table proof_images add constraint proof_images_pkey primary key using index proof_images_by_visit;
