-- Couriers of the simulation. A driver is simulated from the day it is registered as such or not at all, so that
-- nobody real is ever impersonated; see server/src/couriers/courier.ts.
alter table drivers add column simulated boolean not null default false;

create index drivers_simulated on drivers (central_id, id) where simulated;

-- Which process simulates a central's couriers. The expiry frees what a dead process held.
create table courier_leases (
  central_id bigint primary key references centrals,
  holder uuid not null,
  expires_at timestamptz not null
);
