-- no transaction: the indexes are built beside the running service
-- A recipient's phone finds the places it was served at, and everything that privacy requests ask for. Only rows with a
-- phone are in these indexes, and no later step of a stop changes it.
-- Few stops are to be checked; the condition of that index names no column that a usual step changes.

drop index concurrently if exists stops_phone;
create index concurrently stops_phone on stops (central_id, phone_digits(recipient_phone), id)
  where recipient_phone is not null;
drop index concurrently if exists scheduled_stops_phone;
create index concurrently scheduled_stops_phone on scheduled_stops (central_id, phone_digits(recipient_phone), id)
  where recipient_phone is not null;
drop index concurrently if exists stops_to_check;
create index concurrently stops_to_check on stops (central_id, delivery_id) where to_check;
