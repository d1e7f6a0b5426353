-- The service decides by its own clock what is due. By the database's clock, an object that nothing refers to any more
-- could be due later than that.
create or replace function remove_proof_object() returns trigger language plpgsql as $$
begin
  insert into proof_removals (central_id, object_key, due_at)
  values (old.central_id, old.object_key, timestamptz 'epoch')
  on conflict do nothing;
  return null;
end $$;
