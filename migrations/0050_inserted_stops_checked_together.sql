-- Stops are inserted together, several requests at a time, and run without a gap from the start. Checking each of them
-- at the commit took a twentieth of the database's time for a creation.
create function check_inserted_stops() returns trigger language plpgsql as $$
declare
  stop record;
begin
  if tg_argv[0] = 'delivery' then
    for stop in
      select central_id, id from inserted
      where position > 0 and not exists (
        select from inserted previous
        where previous.central_id = inserted.central_id and previous.delivery_id = inserted.delivery_id
          and previous.position = inserted.position - 1)
    loop
      update stops set position = position where central_id = stop.central_id and id = stop.id;
    end loop;
  else
    for stop in
      select central_id, id from inserted
      where position > 0 and not exists (
        select from inserted previous
        where previous.central_id = inserted.central_id and previous.scheduled_id = inserted.scheduled_id
          and previous.position = inserted.position - 1)
    loop
      update scheduled_stops set position = position where central_id = stop.central_id and id = stop.id;
    end loop;
  end if;
  return null;
end $$;
comment on function check_inserted_stops is
  'A stop whose previous one is not inserted by the same statement is checked at the commit, as if it had been moved: its position is written again, which calls assert_dense_stops.';

create trigger stops_inserted after insert on stops referencing new table as inserted
  for each statement execute function check_inserted_stops('delivery');
create trigger scheduled_stops_inserted after insert on scheduled_stops referencing new table as inserted
  for each statement execute function check_inserted_stops('scheduled');

drop trigger stops_dense on stops;
create constraint trigger stops_dense after delete or update of delivery_id, position on stops
  deferrable initially deferred for each row execute function assert_dense_stops('delivery');
drop trigger scheduled_stops_dense on scheduled_stops;
create constraint trigger scheduled_stops_dense after delete or update of scheduled_id, position
  on scheduled_stops deferrable initially deferred for each row execute function assert_dense_stops('scheduled');
