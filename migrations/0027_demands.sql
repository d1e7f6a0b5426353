-- What orders may demand, what vehicles and drivers can carry, and when drivers work. A row exists only where something
-- was given.

create table stop_demands (
  central_id bigint not null constraint stop_demands_central_fkey references centrals,
  stop_id bigint not null,
  ready_at timestamptz,
  pickup_seconds integer constraint stop_demands_pickup_seconds_range check (pickup_seconds between 0 and 14400),
  equipment text[] constraint stop_demands_equipment_known
    check (equipment <@ array['thermal_bag', 'box', 'thermal_box'] and cardinality(equipment) > 0),
  priority smallint constraint stop_demands_priority_range check (priority between 0 and 3),
  window_from timestamptz,
  window_until timestamptz,
  window_is_hard boolean not null default false,
  service_seconds integer constraint stop_demands_service_seconds_range check (service_seconds between 0 and 14400),
  weight_grams integer constraint stop_demands_weight_range check (weight_grams between 0 and 10000000),
  volume_ml integer constraint stop_demands_volume_range check (volume_ml between 0 and 100000000),
  packages integer constraint stop_demands_packages_range check (packages between 0 and 10000),
  primary key (central_id, stop_id),
  constraint stop_demands_window_in_order check (window_from < window_until),
  constraint stop_demands_hard_window_given
    check (not window_is_hard or num_nonnulls(window_from, window_until) > 0)
);

comment on table stop_demands is
  'What a stop demands beside its address. No foreign key to the stop: its id stays the same from the scheduled delivery through dispatch to any delivery it is grouped into, so that its demands follow it without being written.';
comment on column stop_demands.stop_id is 'Of stops or scheduled_stops, which share their numbers.';
comment on column stop_demands.ready_at is 'When its goods are ready at the pickup.';
comment on column stop_demands.pickup_seconds is 'How long the driver is at the pickup for them. Null: as usual.';
comment on column stop_demands.equipment is 'What the driver needs. Null: nothing.';
comment on column stop_demands.priority is '0 is normal. Null: not given.';
comment on column stop_demands.window_from is 'It is not handed over before.';
comment on column stop_demands.window_until is 'Promised to the customer. Null: the central promises by its formula.';
comment on column stop_demands.window_is_hard is 'Outside of the window nobody receives it.';
comment on column stop_demands.service_seconds is 'How long the driver is at the stop. Null: as usual.';

create table category_capacities (
  central_id bigint not null,
  category_id bigint not null,
  weight_grams integer constraint category_capacities_weight_range check (weight_grams between 1 and 100000000),
  volume_ml integer constraint category_capacities_volume_range check (volume_ml between 1 and 1000000000),
  packages integer constraint category_capacities_packages_range check (packages between 1 and 100000),
  equipment text[] constraint category_capacities_equipment_known
    check (equipment <@ array['thermal_bag', 'box', 'thermal_box']),
  primary key (central_id, category_id),
  constraint category_capacities_category_fkey foreign key (central_id, category_id) references categories
    on delete cascade
);

comment on table category_capacities is 'What every vehicle of a category carries, unless its driver has a row of driver_capacities.';
comment on column category_capacities.weight_grams is 'Null: not known, so it excludes nothing. The same for volume and packages.';
comment on column category_capacities.equipment is 'Null: not known. Empty: none.';

create table driver_capacities (
  central_id bigint not null,
  driver_id bigint not null,
  weight_grams integer constraint driver_capacities_weight_range check (weight_grams between 1 and 100000000),
  volume_ml integer constraint driver_capacities_volume_range check (volume_ml between 1 and 1000000000),
  packages integer constraint driver_capacities_packages_range check (packages between 1 and 100000),
  equipment text[] constraint driver_capacities_equipment_known
    check (equipment <@ array['thermal_bag', 'box', 'thermal_box']),
  primary key (central_id, driver_id),
  constraint driver_capacities_driver_fkey foreign key (central_id, driver_id) references drivers on delete cascade
);

comment on table driver_capacities is 'What the vehicle of a driver carries.';
comment on column driver_capacities.weight_grams is 'Null: that of the category. The same for volume and packages.';
comment on column driver_capacities.equipment is 'Null: that of the category. Empty: none.';

create table driver_calendars (
  central_id bigint not null,
  driver_id bigint not null,
  week jsonb not null constraint driver_calendars_week_bounded
    check (jsonb_typeof(week) = 'array' and octet_length(week::text) <= 16384),
  days jsonb not null constraint driver_calendars_days_bounded
    check (jsonb_typeof(days) = 'array' and octet_length(days::text) <= 65536),
  primary key (central_id, driver_id),
  constraint driver_calendars_driver_fkey foreign key (central_id, driver_id) references drivers on delete cascade
);

comment on table driver_calendars is
  'When drivers work. Without a row no shifts are kept, and the driver works whenever available.';
comment on column driver_calendars.week is
  'The shifts of each weekday (server/src/registers/drivers/calendar.ts), by the clock of the central.';
comment on column driver_calendars.days is 'Dates whose shifts replace those of their weekday.';
