-- The search for a driver: when it began (again), and when a delivery nobody could be found for is looked at next.
alter table deliveries add column search_since timestamptz;
alter table deliveries add column search_again_at timestamptz;

-- Begins with the status and not with the central: one look serves every central, and holds only what is searched.
create index deliveries_searching on deliveries (status, central_id, requested_at)
  where status in ('distributing', 'pending', 'offered') and grouped_into is null;
