-- Prices that were promised for some minutes, each for one order.

create table quotes (
  central_id bigint not null constraint quotes_central_fkey references centrals,
  id text not null constraint quotes_id_form check (id ~ '^cot_[A-Za-z0-9_-]{22}$'),
  company_id bigint,
  content bytea not null constraint quotes_content_is_sha256 check (octet_length(content) = 32),
  category_id bigint not null,
  tariff_id bigint not null,
  coupon_id bigint,
  discount_percent numeric(5, 2) not null
    constraint quotes_discount_range check (discount_percent between 0 and 100),
  planned_metres integer not null constraint quotes_metres_not_negative check (planned_metres >= 0),
  planned_seconds integer not null constraint quotes_seconds_not_negative check (planned_seconds >= 0),
  gross_cents bigint not null constraint quotes_gross_not_negative check (gross_cents >= 0),
  net_cents bigint not null constraint quotes_net_within_gross check (net_cents between 0 and gross_cents),
  created_at timestamptz not null,
  expires_at timestamptz not null constraint quotes_expires_later check (expires_at > created_at),
  used_at timestamptz,
  delivery_id bigint,
  scheduled_id bigint,
  primary key (central_id, id),
  constraint quotes_used_for_one check (num_nonnulls(delivery_id, scheduled_id) = (used_at is not null)::integer)
);
create index quotes_oldest on quotes (central_id, created_at);

comment on table quotes is
  'Prices that hold until expires_at for an order with the same content. Deleted after a day.';
comment on column quotes.id is 'Random, because whoever knows it may order for this price.';
comment on column quotes.company_id is 'Who orders. Null: a person, who is part of the content.';
comment on column quotes.content is
  'SHA-256 of what decides price and route: who orders, category, coupon, places, return and time of dispatch.';
comment on column quotes.discount_percent is 'The percentage of the coupon when the quote was made.';
comment on column quotes.used_at is 'When an order was made from it. Null: not used yet.';
comment on column quotes.delivery_id is 'The delivery that was ordered with it.';
comment on column quotes.scheduled_id is 'The scheduled delivery that was ordered with it.';
