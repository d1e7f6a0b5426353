-- A delivery for which no driver was found may be ordered again, once, and then says so.

alter table deliveries add column ordered_again_as bigint;
comment on column deliveries.ordered_again_as is
  'The delivery that was opened for the same order after nobody was found for this one. Written once, with that delivery.';
