-- What happened, written by the transaction that made it happen.
create table events (
  central_id bigint not null references centrals,
  id bigint not null,
  -- What receivers know it by; stays the same however often it is sent.
  uid uuid not null default gen_random_uuid(),
  type text not null,
  company_id bigint,
  delivery_id bigint,
  scheduled_id bigint,
  -- Counts within the delivery or the scheduled delivery; null for events of neither, and for positions, which
  -- change nothing and come too often to take the delivery's row each time.
  sequence integer,
  payload jsonb not null,
  occurred_at timestamptz not null,
  primary key (central_id, id),
  check (num_nonnulls(delivery_id, scheduled_id) <= 1),
  check ((num_nonnulls(delivery_id, scheduled_id) = 1 and type <> 'delivery.position') = (sequence is not null))
);
create unique index events_of_delivery on events (central_id, delivery_id, sequence) where sequence is not null
  and delivery_id is not null;
-- When a delivery's position was told last. Positions are kept for a short while only, so it stays small.
create index events_positions on events (central_id, delivery_id, occurred_at) where type = 'delivery.position';
create unique index events_of_scheduled on events (central_id, scheduled_id, sequence) where scheduled_id is not null;

-- A lease on something that is being regrouped while the router thinks. The key makes it exclusive;
-- the expiry frees what a dead process held.
create table claims (
  central_id bigint not null references centrals,
  noun text not null check (noun in ('delivery', 'scheduled')),
  target_id bigint not null,
  purpose text not null check (purpose in ('grouping', 'automatic_merge')),
  token uuid not null,
  expires_at timestamptz not null,
  primary key (central_id, noun, target_id)
);
create index claims_token on claims (token);

-- One row for each Idempotency-Key that has taken effect, inserted by the very transaction it belongs to.
create table idempotency_keys (
  central_id bigint not null references centrals,
  key text not null,
  -- Of method, path, body and the caller's sight.
  fingerprint bytea not null,
  -- Null for the moment between the commit and the answer being stored.
  status integer,
  answer text,
  created_at timestamptz not null,
  primary key (central_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
