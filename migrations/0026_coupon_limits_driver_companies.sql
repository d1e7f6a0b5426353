-- Null has no limit. What counts as a use is told in server/src/estimates/couponUseStore.ts.
alter table coupons add column uses_max integer check (uses_max > 0);
alter table coupons add column uses_per_company_max integer check (uses_per_company_max > 0);

-- The companies a coupon is for; a coupon without any is for everybody.
create table coupon_companies (
  central_id bigint not null,
  coupon_id bigint not null,
  company_id bigint not null,
  primary key (central_id, coupon_id, company_id),
  foreign key (central_id, coupon_id) references coupons (central_id, id) on delete cascade,
  foreign key (central_id, company_id) references companies (central_id, id)
);
create index coupon_companies_company on coupon_companies (central_id, company_id);

-- Uses are counted from these alone.
create index deliveries_coupon_uses on deliveries (central_id, coupon_id, customer_id)
  where coupon_id is not null and status <> 'cancelled' and status <> 'not_attended';
create index scheduled_coupon_uses on scheduled (central_id, coupon_id, customer_id)
  where coupon_id is not null and (situation = 'awaiting' or situation = 'grouped');

-- The companies a driver works for; a driver without any works for all.
create table driver_companies (
  central_id bigint not null,
  driver_id bigint not null,
  company_id bigint not null,
  primary key (central_id, driver_id, company_id),
  foreign key (central_id, driver_id) references drivers (central_id, id) on delete cascade,
  foreign key (central_id, company_id) references companies (central_id, id)
);
create index driver_companies_company on driver_companies (central_id, company_id);
-- A company is found by the phone of a driver who works for it alone.
create index drivers_phone on drivers (central_id, phone);
