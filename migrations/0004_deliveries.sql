-- Deliveries and scheduled deliveries.

create table deliveries (
  central_id bigint not null,
  id bigint not null,
  status text not null constraint deliveries_status_known check (status in ('awaiting_release', 'distributing',
    'offered', 'accepted', 'on_hold', 'in_progress', 'finished', 'not_attended', 'cancelled', 'pending')),
  grouped_into bigint,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null constraint deliveries_payment_known check (payment in ('cash', 'voucher', 'ticket',
    'third_party_wallet', 'credit_card', 'debit_card', 'app_card', 'instant_transfer', 'third_party_app',
    'messaging_app', 'credit_wallet', 'invoiced')),
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5, 2) not null default 0
    constraint deliveries_discount_range check (discount_percent between 0 and 100),
  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null constraint deliveries_pickup_lat_range check (pickup_lat between -90 and 90),
  pickup_lng double precision not null
    constraint deliveries_pickup_lng_range check (pickup_lng between -180 and 180),
  planned_metres integer not null constraint deliveries_planned_metres_not_negative check (planned_metres >= 0),
  planned_seconds integer not null constraint deliveries_planned_seconds_not_negative check (planned_seconds >= 0),
  gross_cents bigint not null constraint deliveries_gross_not_negative check (gross_cents >= 0),
  net_cents bigint not null constraint deliveries_net_within_gross check (net_cents between 0 and gross_cents),
  reserved_cents bigint not null default 0 constraint deliveries_reserved_not_negative check (reserved_cents >= 0),
  cancellation_fee_cents bigint constraint deliveries_fee_not_negative check (cancellation_fee_cents >= 0),
  driver_id bigint,
  driver_specified boolean not null default false,
  driver_to_pickup_metres integer not null default 0,
  travelled_metres integer not null default 0,
  requested_at timestamptz not null,
  search_since timestamptz,
  search_again_at timestamptz,
  pending_at timestamptz,
  accepted_at timestamptz,
  arrived_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  not_attended_at timestamptz,
  cancelled_at timestamptz,
  cancellation_reason_id bigint,
  scheduled_id bigint,
  event_sequence integer not null default 0,
  version integer not null default 1,
  personal_data_removed_at timestamptz,
  pickup_located_by text,
  pickup_located_precision text,
  pickup_to_check boolean not null default false,
  share jsonb,
  return_added boolean not null default false,
  held_at timestamptz,
  held_reason text,
  promised_at timestamptz,
  separate_metres integer,
  ordered_again_as bigint,
  dismissed_at timestamptz,
  dismissed_by bigint,
  dismissed_reason text,
  primary key (central_id, id),
  constraint deliveries_grouped_into_fkey foreign key (central_id, grouped_into) references deliveries (central_id, id),
  constraint deliveries_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint deliveries_customer_fkey foreign key (central_id, customer_id) references customers (central_id, id),
  constraint deliveries_category_fkey foreign key (central_id, category_id) references categories (central_id, id),
  constraint deliveries_tariff_fkey foreign key (central_id, tariff_id) references tariffs (central_id, id),
  constraint deliveries_coupon_fkey foreign key (central_id, coupon_id) references coupons (central_id, id),
  constraint deliveries_driver_fkey foreign key (central_id, driver_id) references drivers (central_id, id),
  constraint deliveries_cancellation_reason_fkey foreign key (central_id, cancellation_reason_id)
    references cancellation_reasons (central_id, id),
  constraint deliveries_not_grouped_into_itself check (grouped_into <> id),
  constraint deliveries_carried_has_driver
    check (status not in ('accepted', 'on_hold', 'in_progress', 'finished') or driver_id is not null),
  constraint deliveries_started_has_time
    check (status not in ('in_progress', 'finished') or started_at is not null),
  constraint deliveries_finished_has_time check ((status = 'finished') = (finished_at is not null)),
  constraint deliveries_cancelled_has_time check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint deliveries_not_attended_has_time check ((status = 'not_attended') = (not_attended_at is not null)),
  constraint deliveries_cancelled_reserves_nothing check (status <> 'cancelled' or reserved_cents = 0),
  constraint deliveries_only_credit_is_reserved check (payment = 'credit_wallet' or reserved_cents = 0),
  constraint deliveries_credit_has_company check (payment <> 'credit_wallet' or company_id is not null),
  constraint deliveries_held_awaits_release check (
    (held_at is null) = (held_reason is null) and (held_at is null or status in ('awaiting_release', 'cancelled')))
);
create unique index deliveries_one_current_per_driver on deliveries (central_id, driver_id)
  where status in ('accepted', 'in_progress') and grouped_into is null;
create index deliveries_on_hold on deliveries (central_id, driver_id, accepted_at, id) where status = 'on_hold';
-- One delivery per scheduled delivery, however often the dispatch is tried.
create unique index deliveries_once_per_scheduled on deliveries (central_id, scheduled_id)
  where scheduled_id is not null;
-- The lists of deliveries: newest first, alone or with one filter. Each index serves the order too, so a page never
-- sorts, and page one costs the same whatever the history.
create index deliveries_newest on deliveries (central_id, requested_at desc, id desc);
create index deliveries_by_status on deliveries (central_id, status, requested_at desc, id desc);
create index deliveries_by_payment on deliveries (central_id, payment, requested_at desc, id desc);
create index deliveries_by_driver on deliveries (central_id, driver_id, requested_at desc, id desc)
  where driver_id is not null;
create index deliveries_by_company on deliveries (central_id, company_id, requested_at desc, id desc)
  where company_id is not null;
create index deliveries_grouped on deliveries (central_id, grouped_into) where grouped_into is not null;
-- Holds only what is searched. Begins with the status: one look serves every central.
create index deliveries_searching on deliveries (status, central_id, requested_at)
  where status in ('distributing', 'pending', 'offered') and grouped_into is null;
create index deliveries_coupon_uses on deliveries (central_id, coupon_id, customer_id)
  where coupon_id is not null and status <> 'cancelled' and status <> 'not_attended';
-- What the retention job looks for, oldest first. What is done leaves the index, so it costs what is due.
create index deliveries_with_personal_data on deliveries
  (central_id, (coalesce(finished_at, cancelled_at, not_attended_at)), id)
  where personal_data_removed_at is null and status in ('finished', 'cancelled', 'not_attended');
-- Whether a person has requests left. Requests of companies name no person as their customer.
create index deliveries_of_person on deliveries (central_id, customer_id) where company_id is null;

comment on table deliveries is
  'Deliveries that are carried out now or were. Their life is described in server/src/deliveries/deliveries/delivery.ts. Rows are never deleted; personal data is removed from ended ones.';
comment on column deliveries.status is
  'Changes by the table in server/src/deliveries/deliveries/status.ts. A grouped delivery has the status of its carrier, so that reading a status is always one row.';
comment on column deliveries.grouped_into is 'The delivery that carries the stops of this one. Null: it carries its own.';
comment on column deliveries.company_id is 'Null: ordered by a person.';
comment on column deliveries.customer_id is 'Who it is for: the row of the company, or of the person who ordered.';
comment on column deliveries.tariff_id is 'The tariff that the price was computed with.';
comment on column deliveries.payment is
  'How the customer pays. Only credit_wallet has an effect here: the price is reserved in the company''s wallet.';
comment on column deliveries.has_return is 'The driver comes back to the pickup at the end.';
comment on column deliveries.note is 'Written by whoever ordered, for the driver. Personal data.';
comment on column deliveries.discount_percent is 'Of the coupon at the time of the order.';
comment on column deliveries.pickup_complement is 'Floor, flat, shop and the like.';
comment on column deliveries.pickup_reference is 'How to find the door.';
comment on column deliveries.pickup_state is 'Two letters.';
comment on column deliveries.pickup_lat is 'Degrees, WGS 84.';
comment on column deliveries.planned_metres is 'Length of the planned route over all stops.';
comment on column deliveries.planned_seconds is 'Duration of the planned route over all stops.';
comment on column deliveries.gross_cents is 'Price before the discount.';
comment on column deliveries.net_cents is 'Price after the discount: what the customer pays.';
comment on column deliveries.reserved_cents is 'Held of the company''s wallet for this delivery right now.';
comment on column deliveries.cancellation_fee_cents is 'Charged for the cancellation. Null: not cancelled, or without a fee.';
comment on column deliveries.driver_id is 'Null until a driver is named or accepts.';
comment on column deliveries.driver_specified is 'The order or an operator named the driver, so nobody is searched for.';
comment on column deliveries.driver_to_pickup_metres is 'From the driver to the pickup when the driver accepted.';
comment on column deliveries.travelled_metres is 'Along the reported positions since the start.';
comment on column deliveries.requested_at is 'When it was ordered, or dispatched if it had been scheduled.';
comment on column deliveries.search_since is 'When the search for a driver began again. Null: it began with the request.';
comment on column deliveries.search_again_at is 'A search that found nobody continues then. Null: at once.';
comment on column deliveries.pending_at is 'When the search found nobody, the last time. It goes on until the central''s limit.';
comment on column deliveries.accepted_at is 'When the present driver accepted. Null: nobody has, or a new driver is searched for.';
comment on column deliveries.arrived_at is 'When the driver arrived at the pickup.';
comment on column deliveries.started_at is 'When the driver left the pickup with the goods.';
comment on column deliveries.finished_at is 'When the last stop was concluded or the driver came back; null unless finished.';
comment on column deliveries.not_attended_at is 'When the search was given up; null unless not_attended.';
comment on column deliveries.cancellation_reason_id is 'Null unless cancelled with a reason.';
comment on column deliveries.scheduled_id is 'The scheduled delivery it was made of. Null: ordered for now.';
comment on column deliveries.event_sequence is
  'Number of the last event of this delivery. Counted under the lock of this row, so events have no gaps.';
comment on column deliveries.version is 'Grows with every change of stops or price. A plan made for an older version is not saved.';
comment on column deliveries.personal_data_removed_at is 'Null while the row still names people and exact places.';
comment on column deliveries.share is
  'How its driver is paid, as agreed when the driver accepted. Null: nobody has accepted it.';
comment on column deliveries.return_added is
  'The return to the pickup (has_return) was not ordered: goods that could not be handed over go back.';
comment on column deliveries.held_at is
  'When the central held it back after its release. Null: it awaits its first release, or none.';
comment on column deliveries.held_reason is 'In the operator''s words, for the central only.';
comment on column deliveries.promised_at is
  'Until when the last stop should be handed over, by the estimate at the creation; see server/src/deliveries/deliveries/promise.ts. Grouping and edits do not change it. Null: none was given.';
comment on column deliveries.separate_metres is
  'Of one that others were grouped into: the sum of the routes as each order would have been carried alone. The difference to planned_metres is what the grouping saves. Null: never grouped.';
comment on column deliveries.ordered_again_as is
  'The delivery that was opened for the same order after nobody was found for this one. Written once, with that delivery.';
comment on column deliveries.dismissed_at is
  'When the central said that nothing more is to be done about it, though nobody was found. Null: it waits, or was ordered again.';
comment on column deliveries.dismissed_by is 'The user who said so.';
comment on column deliveries.dismissed_reason is 'In the user''s words, for the central only. Personal data.';

create table scheduled (
  central_id bigint not null,
  id bigint not null,
  situation text not null constraint scheduled_situation_known
    check (situation in ('awaiting', 'dispatched', 'cancelled', 'grouped', 'failed')),
  dispatch_at timestamptz not null,
  requested_at timestamptz not null,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null constraint scheduled_payment_known check (payment in ('cash', 'voucher', 'ticket',
    'third_party_wallet', 'credit_card', 'debit_card', 'app_card', 'instant_transfer', 'third_party_app',
    'messaging_app', 'credit_wallet', 'invoiced')),
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5, 2) not null default 0
    constraint scheduled_discount_range check (discount_percent between 0 and 100),
  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null constraint scheduled_pickup_lat_range check (pickup_lat between -90 and 90),
  pickup_lng double precision not null
    constraint scheduled_pickup_lng_range check (pickup_lng between -180 and 180),
  planned_metres integer not null constraint scheduled_planned_metres_not_negative check (planned_metres >= 0),
  planned_seconds integer not null constraint scheduled_planned_seconds_not_negative check (planned_seconds >= 0),
  gross_cents bigint not null constraint scheduled_gross_not_negative check (gross_cents >= 0),
  net_cents bigint not null constraint scheduled_net_within_gross check (net_cents between 0 and gross_cents),
  estimate_outdated boolean not null default false,
  delivery_id bigint,
  grouped_into bigint,
  grouped_automatically boolean not null default false,
  failure text,
  dispatch_attempts integer not null default 0,
  retry_at timestamptz,
  event_sequence integer not null default 0,
  version integer not null default 1,
  personal_data_removed_at timestamptz,
  pickup_located_by text,
  pickup_located_precision text,
  pickup_to_check boolean not null default false,
  separate_metres integer,
  primary key (central_id, id),
  constraint scheduled_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint scheduled_customer_fkey foreign key (central_id, customer_id) references customers (central_id, id),
  constraint scheduled_category_fkey foreign key (central_id, category_id) references categories (central_id, id),
  constraint scheduled_tariff_fkey foreign key (central_id, tariff_id) references tariffs (central_id, id),
  constraint scheduled_coupon_fkey foreign key (central_id, coupon_id) references coupons (central_id, id),
  constraint scheduled_delivery_fkey foreign key (central_id, delivery_id) references deliveries (central_id, id),
  constraint scheduled_grouped_into_fkey foreign key (central_id, grouped_into) references scheduled (central_id, id),
  constraint scheduled_dispatched_has_delivery check (situation <> 'dispatched' or delivery_id is not null),
  constraint scheduled_failed_has_reason check (situation <> 'failed' or failure is not null),
  constraint scheduled_credit_has_company check (payment <> 'credit_wallet' or company_id is not null)
);
-- Only waiting rows are searched by time, so these indexes hold only those. The first finds the centrals with
-- something due; the second is for what is due, or may be merged automatically, in one of them.
create index scheduled_due on scheduled (dispatch_at, central_id, id) where situation = 'awaiting';
create index scheduled_waiting on scheduled (central_id, dispatch_at, id) where situation = 'awaiting';
-- The operator's lists are by dispatch, the integration interface lists by creation. Each index serves the order too.
create index scheduled_newest on scheduled (central_id, dispatch_at desc, id desc);
create index scheduled_by_company on scheduled (central_id, company_id, dispatch_at desc, id desc)
  where company_id is not null;
create index scheduled_created on scheduled (central_id, requested_at desc, id desc);
create index scheduled_created_by_company on scheduled (central_id, company_id, requested_at desc, id desc)
  where company_id is not null;
create index scheduled_grouped on scheduled (central_id, grouped_into) where grouped_into is not null;
-- Failed dispatches wait for a person until they are cancelled: few among many, and asked for all day long.
create index scheduled_failed on scheduled (central_id, dispatch_at desc, id desc) where situation = 'failed';
-- What waiting scheduled deliveries will take of a wallet is summed under its lock, from this index alone.
create index scheduled_awaiting_credit on scheduled (central_id, company_id) include (net_cents)
  where situation = 'awaiting' and payment = 'credit_wallet';
create index scheduled_coupon_uses on scheduled (central_id, coupon_id, customer_id)
  where coupon_id is not null and (situation = 'awaiting' or situation = 'grouped');
create index scheduled_with_personal_data on scheduled (central_id, dispatch_at, id)
  where personal_data_removed_at is null and situation <> 'awaiting';
create index scheduled_of_person on scheduled (central_id, customer_id) where company_id is null;
create index scheduled_by_situation on scheduled (central_id, situation, dispatch_at desc, id desc);

comment on table scheduled is
  'Deliveries that leave later. At dispatch_at the dispatcher makes a delivery of each that awaits it. Columns that deliveries have too mean the same here.';
comment on column scheduled.situation is
  'awaiting becomes dispatched at its time, or cancelled, or grouped into another, or failed; a failed one may be edited and awaits again.';
comment on column scheduled.dispatch_at is 'When the delivery is made of it. May be changed while it awaits.';
comment on column scheduled.requested_at is 'When it was ordered.';
comment on column scheduled.estimate_outdated is
  'A stop was removed while the routing engine was unavailable. Plan and price are of the stops before, and are computed again before the dispatch.';
comment on column scheduled.delivery_id is 'The delivery that was made of it, or that it was grouped into. Null before.';
comment on column scheduled.grouped_into is
  'The scheduled delivery that carries the stops of this one. Null: it carries its own, or a delivery does.';
comment on column scheduled.grouped_automatically is 'Merged with others by the automatic merge, which does not consider it again.';
comment on column scheduled.failure is 'Why it could not be dispatched, for good. A kind of refusal.';
comment on column scheduled.dispatch_attempts is 'Dispatches that ended in an error.';
comment on column scheduled.retry_at is 'Not dispatched before. Null: no dispatch has failed.';

-- Deliveries and scheduled deliveries name each other.
alter table deliveries add constraint deliveries_scheduled_fkey
  foreign key (central_id, scheduled_id) references scheduled (central_id, id);
