-- What all migrations together make, for reading and review. Written by scripts/dumpSchema.ts.

-- Places of addresses as people of the central corrected them; found before any other source.
create table address_corrections (
  central_id bigint not null,
  -- Keys of the words of the street's name; see server/src/geo/geocoding/embedded/wordKey.ts.
  words text not null,
  -- 0: the address has none.
  number integer not null,
  -- The code of IBGE. 0: not known.
  municipality integer not null,
  -- The kind of street. Empty: not given.
  type text not null,
  -- Standardised. Empty: not given.
  district text not null,
  -- As it was written.
  street text not null,
  city text not null,
  state text not null,
  lat double precision not null,
  lng double precision not null,
  origin text not null,
  corrected_at timestamp with time zone not null,
  -- The user who placed it. No foreign key: the correction outlives the user. Null: not known.
  corrected_by bigint,
  constraint address_corrections_pkey PRIMARY KEY (central_id, words, number, municipality, type, district),
  constraint address_corrections_central FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint address_corrections_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint address_corrections_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint address_corrections_origin_known CHECK ((origin = ANY (ARRAY['operator'::text, 'driver'::text])))
);

-- Districts of municipalities, for addresses whose street is not known. Reference data shared by all centrals.
create table address_districts (
  set_id bigint not null,
  municipality integer not null,
  name text not null,
  tokens text[] not null,
  lat double precision not null,
  lng double precision not null,
  radius_metres integer not null,
  address_count integer not null,
  constraint address_districts_pkey PRIMARY KEY (set_id, municipality, name),
  constraint address_districts_set FOREIGN KEY (set_id) REFERENCES address_sets(id) ON DELETE CASCADE
);
CREATE INDEX address_districts_tokens ON address_districts USING gin (tokens) WITH (fastupdate=off);

-- Positions of addresses that drivers propose and that have no effect until the central accepts them. Deleted when
-- decided, when old, and with the personal data of the delivery.
create table address_proposals (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  stop_id bigint not null,
  driver_id bigint not null,
  -- The login that proposed it.
  user_id bigint,
  -- The address of the stop as it was written.
  line text not null,
  district text,
  city text,
  state text,
  lat double precision not null,
  lng double precision not null,
  -- From the position of the stop to the proposed one.
  metres integer not null,
  proposed_at timestamp with time zone not null,
  constraint address_proposals_pkey PRIMARY KEY (central_id, id),
  constraint address_proposals_one_per_stop UNIQUE (central_id, stop_id),
  constraint address_proposals_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint address_proposals_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint address_proposals_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint address_proposals_metres_not_negative CHECK ((metres >= 0))
);
CREATE INDEX address_proposals_old ON address_proposals USING btree (proposed_at);

-- One row for each import of addresses. Reference data shared by all centrals.
create table address_sets (
  id bigint not null generated always as identity,
  -- Look-ups read this set. Others are being imported, or are left from an import that ended early.
  is_current boolean not null default false,
  -- The imported files: name and kind.
  sources jsonb not null,
  -- How many rows were read, stored and skipped, and why.
  counts jsonb not null default '{}'::jsonb,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint address_sets_pkey PRIMARY KEY (id),
  constraint address_sets_current_finished CHECK (((finished_at IS NOT NULL) OR (NOT is_current))),
  constraint address_sets_sources_list CHECK ((jsonb_typeof(sources) = 'array'::text))
);
CREATE UNIQUE INDEX address_sets_current_unique ON address_sets USING btree (is_current) WHERE is_current;

-- A street within one district of a municipality, with its house numbers. Reference data shared by all centrals.
create table address_streets (
  set_id bigint not null,
  id bigint not null generated always as identity,
  -- The code of IBGE.
  municipality integer not null,
  district text not null,
  name text not null,
  -- Keys of the words of name, district, municipality and state; see server/src/geo/geocoding/embedded/wordKey.ts.
  tokens text[] not null,
  postcodes integer[] not null,
  -- Of the address nearest to the middle of the street.
  lat double precision not null,
  lng double precision not null,
  -- Nine of ten addresses are not farther than this from lat and lng.
  radius_metres integer not null,
  -- The bounds, longitude first.
  extent box not null,
  address_count integer not null,
  -- House numbers with their places, packed; see server/src/geo/geocoding/embedded/numberTable.ts. One value for each
  -- street instead of a row for each number keeps an import short and lets a set be deleted quickly.
  numbers bytea not null,
  constraint address_streets_pkey PRIMARY KEY (set_id, id),
  constraint address_streets_set FOREIGN KEY (set_id) REFERENCES address_sets(id) ON DELETE CASCADE,
  constraint address_streets_name_given CHECK ((name <> ''::text))
);
CREATE INDEX address_streets_extent ON address_streets USING gist (extent);
CREATE INDEX address_streets_postcodes ON address_streets USING gin (postcodes) WITH (fastupdate=off);
CREATE INDEX address_streets_tokens ON address_streets USING gin (tokens) WITH (fastupdate=off);

-- Every key in the tokens of streets and districts, to correct typing errors. Reference data shared by all centrals.
create table address_words (
  set_id bigint not null,
  word text collate "C" not null,
  -- In how many streets and districts it is; rare words decide more.
  uses integer not null,
  -- The key, and what is left of it without any one letter.
  variants text[] not null,
  constraint address_words_pkey PRIMARY KEY (set_id, word),
  constraint address_words_set FOREIGN KEY (set_id) REFERENCES address_sets(id) ON DELETE CASCADE
);
CREATE INDEX address_words_variants ON address_words USING gin (variants) WITH (fastupdate=off);

-- Keys that integrators send with each request. A key is unique over all centrals, because it says which central a
-- request is for. The table is small and changes rarely, so a distributed database keeps a copy on each machine
-- (reference table).
create table api_keys (
  central_id bigint not null,
  id bigint not null,
  -- Chosen by whoever created the key, to recognise it later.
  label text not null,
  -- Digest of the key. The key is long and random, so a plain digest is enough and can be looked up.
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  -- Null while the key is valid. The oldest revoked keys are deleted once there are many.
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (central_id, id),
  constraint api_keys_digest_unique UNIQUE (sha256),
  constraint api_keys_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint api_keys_digest_length CHECK ((length(sha256) = 32))
);
CREATE TRIGGER api_keys_announce_change AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- How many requests of a UTC day were to be written to api_requests. It limits the rows of a day, for all processes
-- together.
create table api_request_days (
  central_id bigint not null,
  day date not null,
  -- The refused ones that processes wanted to write. Beyond a limit they are not written.
  refused integer not null,
  -- The same for the others, so that they leave room for refused ones.
  sampled integer not null,
  -- The refused ones that were not written, because a limit was reached or the database was away.
  dropped bigint not null,
  constraint api_request_days_pkey PRIMARY KEY (central_id, day),
  constraint api_request_days_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint api_request_days_dropped_not_negative CHECK ((dropped >= 0)),
  constraint api_request_days_refused_not_negative CHECK ((refused >= 0)),
  constraint api_request_days_sampled_not_negative CHECK ((sampled >= 0))
);

-- Requests that were refused, and a share of the others. Processes write it every few seconds
-- (server/src/events/requests/recordRequests.ts).
create table api_requests (
  central_id bigint not null,
  id bigint not null,
  happened_at timestamp with time zone not null,
  -- The login or program. Null: the API key was known, but its login was not. Without a foreign key, because the user
  -- may be deleted before the row is written.
  user_id bigint,
  -- The API key. Null: the request used none.
  key_id bigint,
  -- The company of the login or program. Null: the whole central.
  company_id bigint,
  proof text not null,
  method text not null,
  -- Without the query. What is not an id is left out.
  path text not null,
  status smallint not null,
  -- The kind of the refusal, as in X-Error-Kind.
  kind text,
  duration_ms integer not null,
  request_id text not null,
  -- query, body and errors, with the fields in their order. Values are replaced by their type and length, except those
  -- that cannot be personal (server/src/api/http/maskContent.ts).
  content json not null,
  constraint api_requests_pkey PRIMARY KEY (central_id, id),
  constraint api_requests_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint api_requests_content_bounded CHECK ((octet_length((content)::text) <= 16384)),
  constraint api_requests_duration_not_negative CHECK ((duration_ms >= 0)),
  constraint api_requests_kind_length CHECK (((length(kind) >= 1) AND (length(kind) <= 60))),
  constraint api_requests_method_length CHECK (((length(method) >= 1) AND (length(method) <= 10))),
  constraint api_requests_path_length CHECK (((length(path) >= 1) AND (length(path) <= 300))),
  constraint api_requests_proof_known CHECK ((proof = ANY (ARRAY['key'::text, 'session'::text, 'program'::text]))),
  constraint api_requests_request_id_length CHECK (((length(request_id) >= 1) AND (length(request_id) <= 64))),
  constraint api_requests_status_range CHECK (((status >= 100) AND (status <= 599)))
);
CREATE INDEX api_requests_by_request_id ON api_requests USING btree (central_id, request_id);
CREATE INDEX api_requests_newest ON api_requests USING btree (central_id, happened_at, id);
CREATE INDEX api_requests_of_a_user ON api_requests USING btree (central_id, user_id, happened_at, id);

-- Append-only: written by the transaction that makes the change, deleted only when it is old
-- (server/src/events/audit/forgetChanges.ts). It refers to no other row, so that it outlives what it tells of.
create table audit_entries (
  central_id bigint not null,
  id bigint not null,
  happened_at timestamp with time zone not null,
  -- Null for the command line.
  user_id bigint,
  -- The user name of that moment; null for the command line.
  actor text,
  role text,
  origin text not null,
  action text not null,
  -- What kind of thing was changed, e.g. tariff; see server/src/events/audit/change.ts.
  subject text not null,
  subject_id bigint,
  subject_name text,
  -- The changed fields only, by their names in the operator's interface; empty for something new. Never a secret, and
  -- no free text about persons.
  before jsonb not null,
  -- The same fields afterwards; empty for something deleted.
  after jsonb not null,
  constraint audit_entries_pkey PRIMARY KEY (central_id, id),
  constraint audit_entries_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint audit_entries_action_known CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'deleted'::text]))),
  constraint audit_entries_origin_known CHECK ((origin = ANY (ARRAY['operations'::text, 'integration'::text, 'command_line'::text])))
);
CREATE INDEX audit_entries_by_time ON audit_entries USING btree (central_id, happened_at, id);
CREATE INDEX audit_entries_old ON audit_entries USING btree (happened_at);

-- What the automatic merge did and saved: one row for each group. The sums before and after are over all orders of the
-- group.
create table automatic_merges (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  -- The scheduled delivery that carries the stops of the group.
  grouper_id bigint not null,
  -- Scheduled deliveries in the group, the carrier included.
  orders integer not null,
  stops integer not null,
  seconds_before integer not null,
  seconds_after integer not null,
  metres_before integer not null,
  metres_after integer not null,
  net_cents_before bigint not null,
  net_cents_after bigint not null,
  merged_at timestamp with time zone not null,
  constraint automatic_merges_pkey PRIMARY KEY (central_id, id),
  constraint automatic_merges_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint automatic_merges_grouper_fkey FOREIGN KEY (central_id, grouper_id) REFERENCES scheduled(central_id, id),
  constraint automatic_merges_orders_min CHECK ((orders >= 2)),
  constraint automatic_merges_stops_range CHECK (((stops >= 2) AND (stops <= 10)))
);
CREATE INDEX automatic_merges_newest ON automatic_merges USING btree (central_id, merged_at DESC, id DESC);

-- Reasons that a caller may give for a cancellation. Each central starts with the reasons of the integration contract
-- and may add its own.
create table cancellation_reasons (
  central_id bigint not null,
  -- The number that integrators send; chosen, not generated.
  id bigint not null,
  -- In Portuguese.
  name text not null,
  -- In English.
  name_en text not null,
  -- An inactive reason is refused for new cancellations.
  active boolean not null default true,
  constraint cancellation_reasons_pkey PRIMARY KEY (central_id, id),
  constraint cancellation_reasons_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint cancellation_reasons_id_positive CHECK ((id > 0))
);

-- Kinds of vehicle that a delivery can be ordered with.
create table categories (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  description text not null default ''::text,
  -- How its vehicles use the roads; selects the profile of the routing engine.
  profile text not null default 'motorcycle'::text,
  -- An inactive category is refused in new orders and stays in old ones.
  active boolean not null default true,
  constraint categories_pkey PRIMARY KEY (central_id, id),
  constraint categories_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint categories_name_given CHECK ((name <> ''::text)),
  constraint categories_profile_known CHECK ((profile = ANY (ARRAY['motorcycle'::text, 'car'::text, 'bicycle'::text])))
);
CREATE UNIQUE INDEX categories_name_unique ON categories USING btree (central_id, lower(name));
CREATE TRIGGER categories_announce_change AFTER INSERT OR DELETE OR UPDATE ON categories FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- What every vehicle of a category carries, unless its driver has a row of driver_capacities.
create table category_capacities (
  central_id bigint not null,
  category_id bigint not null,
  -- Null: not known, so it excludes nothing. The same for volume and packages.
  weight_grams integer,
  volume_ml integer,
  packages integer,
  -- Null: not known. Empty: none.
  equipment text[],
  constraint category_capacities_pkey PRIMARY KEY (central_id, category_id),
  constraint category_capacities_category_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id) ON DELETE CASCADE,
  constraint category_capacities_equipment_known CHECK ((equipment <@ ARRAY['thermal_bag'::text, 'box'::text, 'thermal_box'::text])),
  constraint category_capacities_packages_range CHECK (((packages >= 1) AND (packages <= 100000))),
  constraint category_capacities_volume_range CHECK (((volume_ml >= 1) AND (volume_ml <= 1000000000))),
  constraint category_capacities_weight_range CHECK (((weight_grams >= 1) AND (weight_grams <= 100000000)))
);

-- Tenants. A central is created by the command line and never deleted, only made inactive.
create table centrals (
  id bigint not null generated by default as identity,
  -- People choose their central by name or number when they log in. So no two names look the same (fold_name), and
  -- none looks like a number.
  name text not null,
  -- IANA name. Local times at the interfaces are in this zone.
  time_zone text not null,
  -- An inactive central answers no request; its data stays.
  active boolean not null default true,
  -- What a central may set. Its shape and the defaults of missing keys are in server/src/centrals/central.ts.
  settings jsonb not null default '{}'::jsonb,
  -- The central that this is the sandbox of; null for a real central. A sandbox that is inactive was wiped, or its
  -- central was closed: a job deletes it with all its rows. No foreign key, because no other central is ever deleted.
  sandbox_of bigint,
  -- How far the clock of a sandbox was put forward. Always 0 for a real central.
  clock_ahead_seconds bigint not null default 0,
  constraint centrals_pkey PRIMARY KEY (id),
  constraint centrals_name_given CHECK ((name <> ''::text)),
  constraint centrals_name_has_letter CHECK ((fold_name(name) ~ '[^0-9 ]'::text)),
  constraint centrals_settings_object CHECK ((jsonb_typeof(settings) = 'object'::text))
);
CREATE UNIQUE INDEX centrals_name_unique ON centrals USING btree (fold_name(name));
CREATE UNIQUE INDEX centrals_one_sandbox ON centrals USING btree (sandbox_of) WHERE active;
CREATE TRIGGER centrals_announce_change AFTER UPDATE ON centrals FOR EACH ROW EXECUTE FUNCTION announce_central_change();

-- Leases on requests that are being grouped while the routing engine is asked. The key makes a lease exclusive; the
-- expiry frees what a dead process held. A row lives for seconds.
create table claims (
  central_id bigint not null,
  noun text not null,
  -- The delivery or scheduled delivery, by noun. No foreign key, because it names one of two tables, and the claim's
  -- own transaction has just read the row; neither table's rows are deleted.
  target_id bigint not null,
  -- Decides which refusal others get: a grouping or an automatic merge is in progress.
  purpose text not null,
  -- The same for all targets of one grouping.
  token uuid not null,
  expires_at timestamp with time zone not null,
  -- The database session that took the claim. What an ended session held may be taken over at once.
  holder_pid integer,
  -- When that session began, because process ids are used again.
  holder_since timestamp with time zone,
  -- Digest of the HTTP request, if it may be repeated. A repetition waits instead of being refused.
  request bytea,
  constraint claims_pkey PRIMARY KEY (central_id, noun, target_id),
  constraint claims_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint claims_noun_known CHECK ((noun = ANY (ARRAY['delivery'::text, 'scheduled'::text]))),
  constraint claims_purpose_known CHECK ((purpose = ANY (ARRAY['grouping'::text, 'automatic_merge'::text])))
);
CREATE INDEX claims_token ON claims USING btree (central_id, token);

-- What was billed to a company or settled with a driver: the entries of its account from one number to another. Each
-- begins where the one before ended, so that no entry is closed twice.
create table closings (
  central_id bigint not null,
  id bigint not null,
  company_id bigint,
  driver_id bigint,
  from_number bigint not null,
  to_number bigint not null,
  from_day date not null,
  to_day date not null,
  -- The sums of the entries by kind, in cents, and the number of deliveries.
  totals jsonb not null,
  -- What the company owes for them, or what the driver is owed; negative is the other way round.
  due_cents bigint not null,
  created_at timestamp with time zone not null,
  user_id bigint,
  paid_at timestamp with time zone,
  paid_by bigint,
  -- The entry of the same account that paid it. It is no part of a later closing's sum.
  paid_entry_id bigint,
  -- The name of the company or driver when it was closed.
  party_name text not null,
  -- The document of the company when it was closed. Null for a driver.
  party_document text,
  -- The name of the central when it was closed.
  central_name text not null,
  -- Payments of it that were taken back, and the entries that took them back. They are no part of a later closing's
  -- sum.
  undone_entry_ids bigint[] not null default '{}'::bigint[],
  constraint closings_pkey PRIMARY KEY (central_id, id),
  constraint closings_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES company_accounts(central_id, company_id),
  constraint closings_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES driver_accounts(central_id, driver_id),
  constraint closings_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint closings_not_empty CHECK ((from_number <= to_number)),
  constraint closings_of_one CHECK (((company_id IS NULL) <> (driver_id IS NULL)))
);
CREATE UNIQUE INDEX closings_company_once ON closings USING btree (central_id, company_id, from_number) WHERE (company_id IS NOT NULL);
CREATE UNIQUE INDEX closings_driver_once ON closings USING btree (central_id, driver_id, from_number) WHERE (driver_id IS NOT NULL);
CREATE INDEX closings_newest ON closings USING btree (central_id, created_at DESC, id DESC);

-- Customers of the central that order on account, with managers and a credit wallet. A company that was never used can
-- be deleted; others are made inactive.
create table companies (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  -- CPF or CNPJ, digits and letters only.
  document text not null,
  -- Area code and number, digits only.
  phone text,
  -- One of four ways in which external systems name a company.
  contract_number text,
  -- The name of the company in an external system.
  identifier text,
  -- Used where an order names no category. Null: the order must name one.
  default_category_id bigint,
  -- Its deliveries wait (awaiting_release) until the central releases them.
  needs_release boolean not null default false,
  active boolean not null default true,
  -- What the company wants otherwise than its central when a stop fails; the keys are those of FailureRules in
  -- server/src/centrals. Null: nothing.
  failure_rules jsonb,
  -- How recipients of this company get help: a phone number or a sentence. Null: as the central says.
  support_text text,
  -- Whether a photo is asked for at its stops. Null: as the central has it.
  proof_photo text,
  -- Whether a signature is asked for at its stops. Null: as the central has it.
  proof_signature text,
  -- Whether the name of who received is asked for. Null: as the central has it.
  proof_name text,
  -- Whether the collected amount is recorded. Null: as the central has it.
  proof_amount boolean,
  constraint companies_pkey PRIMARY KEY (central_id, id),
  constraint companies_contract_number_unique UNIQUE (central_id, contract_number),
  constraint companies_document_unique UNIQUE (central_id, document),
  constraint companies_identifier_unique UNIQUE (central_id, identifier),
  constraint companies_phone_unique UNIQUE (central_id, phone),
  constraint companies_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint companies_default_category_fkey FOREIGN KEY (central_id, default_category_id) REFERENCES categories(central_id, id),
  constraint companies_document_form CHECK ((document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'::text)),
  constraint companies_name_given CHECK ((name <> ''::text)),
  constraint companies_phone_form CHECK ((phone ~ '^[0-9]{10,11}$'::text)),
  constraint companies_proof_name_known CHECK ((proof_name = ANY (ARRAY['off'::text, 'optional'::text, 'required'::text]))),
  constraint companies_proof_photo_known CHECK ((proof_photo = ANY (ARRAY['off'::text, 'optional'::text, 'required'::text]))),
  constraint companies_proof_signature_known CHECK ((proof_signature = ANY (ARRAY['off'::text, 'optional'::text, 'required'::text])))
);
CREATE INDEX companies_by_name ON companies USING btree (central_id, fold_name(name), id);
CREATE TRIGGER companies_announce_change AFTER INSERT OR DELETE OR UPDATE ON companies FOR EACH ROW EXECUTE FUNCTION announce_register_change();
CREATE TRIGGER companies_search_changed AFTER INSERT OR DELETE OR UPDATE OF name, document, phone, contract_number, identifier ON companies FOR EACH ROW EXECUTE FUNCTION mark_search_outdated('company');

-- What each company owes the central. A row begins with its first entry or closing; its figures are written by the
-- trigger of company_entries only.
create table company_accounts (
  central_id bigint not null,
  company_id bigint not null,
  -- The sum of its entries. Positive is owed by the company, negative is owed to it.
  balance_cents bigint not null default 0,
  entry_count bigint not null default 0,
  -- The day of the newest entry: no later entry has an earlier day.
  last_day date not null default '-infinity'::date,
  constraint company_accounts_pkey PRIMARY KEY (central_id, company_id),
  constraint company_accounts_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id)
);

-- Addresses that a company registered for its orders. Favourites are personal data.
create table company_addresses (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  -- pickup: where the company hands goods over. favourite: where it often sends them.
  kind text not null,
  -- What people call it. Personal data in a favourite, as is all else that it says.
  name text not null,
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null,
  lng double precision not null,
  recipient_name text,
  recipient_phone text,
  -- The pickup that a new order begins with; at most one per company.
  is_default boolean not null default false,
  -- The last change. The retention of personal data counts from it.
  saved_at timestamp with time zone not null,
  constraint company_addresses_pkey PRIMARY KEY (central_id, id),
  constraint company_addresses_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint company_addresses_default_is_pickup CHECK (((kind = 'pickup'::text) OR (NOT is_default))),
  constraint company_addresses_kind_known CHECK ((kind = ANY (ARRAY['pickup'::text, 'favourite'::text]))),
  constraint company_addresses_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint company_addresses_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint company_addresses_name_given CHECK ((name <> ''::text))
);
CREATE INDEX company_addresses_of_company ON company_addresses USING btree (central_id, company_id, id);
CREATE UNIQUE INDEX company_addresses_one_default ON company_addresses USING btree (central_id, company_id) WHERE is_default;
CREATE INDEX company_addresses_phone ON company_addresses USING btree (central_id, phone_digits(recipient_phone)) WHERE (recipient_phone IS NOT NULL);

-- What deliveries cost and how that was paid, append-only. A charge is divided between the driver and the central.
create table company_entries (
  central_id bigint not null,
  id bigint not null,
  -- Null: the delivery was ordered by nobody's company.
  company_id bigint,
  -- Place in the company's account: 1, 2, 3 … Given by the trigger under the account's lock, as the day is: by both
  -- the order is the same. Null without a company.
  number bigint,
  -- delivery and cancellation_fee charge; wallet was paid by credit, cash was collected by the driver, direct was paid
  -- in another way when it was ordered; payment settles a closing.
  kind text not null,
  -- Positive is owed by the company, negative was paid. Positive cash was taken back.
  amount_cents bigint not null,
  -- Of a charge: the price before the coupon.
  gross_cents bigint not null default 0,
  -- Of a charge: the drivers' shares of it. The rest is the central's.
  driver_cents bigint not null default 0,
  balance_after_cents bigint,
  -- Of a charge: how the delivery is paid.
  payment text,
  -- The day in the central's time zone on which it was entered.
  day date not null,
  delivery_id bigint,
  stop_id bigint,
  -- Who made the entry. Null: the service.
  user_id bigint,
  created_at timestamp with time zone not null,
  constraint company_entries_pkey PRIMARY KEY (central_id, id),
  constraint company_entries_account_fkey FOREIGN KEY (central_id, company_id) REFERENCES company_accounts(central_id, company_id),
  constraint company_entries_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint company_entries_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint company_entries_charge_shared CHECK (((kind = ANY (ARRAY['delivery'::text, 'cancellation_fee'::text])) OR (driver_cents = 0))),
  constraint company_entries_kind_known CHECK ((kind = ANY (ARRAY['delivery'::text, 'cancellation_fee'::text, 'wallet'::text, 'cash'::text, 'direct'::text, 'payment'::text]))),
  constraint company_entries_sign CHECK (
CASE
    WHEN (kind = ANY (ARRAY['delivery'::text, 'cancellation_fee'::text])) THEN (amount_cents >= 0)
    WHEN (kind = ANY (ARRAY['payment'::text, 'cash'::text])) THEN (amount_cents <> 0)
    ELSE (amount_cents < 0)
END)
);
CREATE INDEX company_entries_by_time ON company_entries USING btree (central_id, created_at DESC, id DESC);
CREATE INDEX company_entries_cash ON company_entries USING btree (central_id, delivery_id) WHERE (kind = 'cash'::text);
CREATE UNIQUE INDEX company_entries_in_order ON company_entries USING btree (central_id, company_id, day, number);
CREATE UNIQUE INDEX company_entries_one_charge ON company_entries USING btree (central_id, delivery_id) WHERE (kind = ANY (ARRAY['delivery'::text, 'cancellation_fee'::text]));
CREATE TRIGGER company_entries_add BEFORE INSERT ON company_entries FOR EACH ROW EXECUTE FUNCTION add_to_company_account();
CREATE TRIGGER company_entries_append_only BEFORE DELETE OR UPDATE ON company_entries FOR EACH ROW EXECUTE FUNCTION refuse_company_ledger_change();
CREATE CONSTRAINT TRIGGER company_entries_cash_balanced AFTER INSERT ON company_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'cash'::text)) EXECUTE FUNCTION assert_cash_on_both_sides('company');
CREATE TRIGGER company_entries_no_truncate BEFORE TRUNCATE ON company_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_company_ledger_change();

-- The companies that may use a coupon. A coupon without any is for everybody.
create table coupon_companies (
  central_id bigint not null,
  coupon_id bigint not null,
  company_id bigint not null,
  constraint coupon_companies_pkey PRIMARY KEY (central_id, coupon_id, company_id),
  constraint coupon_companies_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint coupon_companies_coupon_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id) ON DELETE CASCADE
);
CREATE INDEX coupon_companies_company ON coupon_companies USING btree (central_id, company_id);

-- Discounts by code. A use is counted while its request is neither cancelled nor unattended.
create table coupons (
  central_id bigint not null,
  id bigint not null,
  -- What the customer enters; upper and lower case are the same.
  code text not null,
  -- Share of the gross price that the customer does not pay.
  percent numeric(5,2) not null,
  -- Identifies whoever generated the coupon, in the numbering of that system.
  generator_id text not null default ''::text,
  -- Null: no end.
  valid_until timestamp with time zone,
  -- Null: no limit.
  uses_max integer,
  -- Null: no limit.
  uses_per_company_max integer,
  active boolean not null default true,
  constraint coupons_pkey PRIMARY KEY (central_id, id),
  constraint coupons_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint coupons_code_given CHECK ((code <> ''::text)),
  constraint coupons_percent_range CHECK (((percent > (0)::numeric) AND (percent <= (100)::numeric))),
  constraint coupons_uses_max_positive CHECK ((uses_max > 0)),
  constraint coupons_uses_per_company_max_positive CHECK ((uses_per_company_max > 0))
);
CREATE UNIQUE INDEX coupons_code_unique ON coupons USING btree (central_id, upper(code));

-- Which process simulates the drivers of a central. A lease that was not renewed in time is free.
create table courier_leases (
  central_id bigint not null,
  -- The process that holds the lease.
  holder uuid not null,
  expires_at timestamp with time zone not null,
  constraint courier_leases_pkey PRIMARY KEY (central_id),
  constraint courier_leases_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

-- Who a delivery is for: a company, or a person who orders without one.
create table customers (
  central_id bigint not null,
  id bigint not null,
  -- The company that this customer stands for. Null for a person.
  company_id bigint,
  name text not null,
  -- Document of a person, digits only. Null for a company, and for a person whose personal data was removed.
  cpf text,
  phone text,
  constraint customers_pkey PRIMARY KEY (central_id, id),
  constraint customers_cpf_unique UNIQUE (central_id, cpf),
  constraint customers_one_per_company UNIQUE (central_id, company_id),
  constraint customers_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint customers_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint customers_company_or_person CHECK ((num_nonnulls(company_id, cpf) <= 1)),
  constraint customers_cpf_form CHECK ((cpf ~ '^[0-9]{11}$'::text)),
  constraint customers_name_given CHECK ((name <> ''::text))
);

-- Deliveries that are carried out now or were. Their life is described in
-- server/src/deliveries/deliveries/delivery.ts. Rows are never deleted; personal data is removed from ended ones.
create table deliveries (
  central_id bigint not null,
  id bigint not null,
  -- Changes by the table in server/src/deliveries/deliveries/status.ts. A grouped delivery has the status of its
  -- carrier, so that reading a status is always one row.
  status text not null,
  -- The delivery that carries the stops of this one. Null: it carries its own.
  grouped_into bigint,
  -- Null: ordered by a person.
  company_id bigint,
  -- Who it is for: the row of the company, or of the person who ordered.
  customer_id bigint not null,
  category_id bigint not null,
  -- The tariff that the price was computed with.
  tariff_id bigint not null,
  -- How the customer pays. Only credit_wallet has an effect here: the price is reserved in the company's wallet.
  payment text not null,
  -- The driver comes back to the pickup at the end.
  has_return boolean not null,
  -- Written by whoever ordered, for the driver. Personal data.
  note text,
  coupon_id bigint,
  -- Of the coupon at the time of the order.
  discount_percent numeric(5,2) not null default 0,
  pickup_address text not null,
  -- Floor, flat, shop and the like.
  pickup_complement text,
  -- How to find the door.
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  -- Two letters.
  pickup_state text not null,
  -- Degrees, WGS 84.
  pickup_lat double precision not null,
  pickup_lng double precision not null,
  -- Length of the planned route over all stops.
  planned_metres integer not null,
  -- Duration of the planned route over all stops.
  planned_seconds integer not null,
  -- Price before the discount.
  gross_cents bigint not null,
  -- Price after the discount: what the customer pays.
  net_cents bigint not null,
  -- Held of the company's wallet for this delivery right now.
  reserved_cents bigint not null default 0,
  -- Charged for the cancellation. Null: not cancelled, or without a fee.
  cancellation_fee_cents bigint,
  -- Null until a driver is named or accepts.
  driver_id bigint,
  -- The order or an operator named the driver, so nobody is searched for.
  driver_specified boolean not null default false,
  -- From the driver to the pickup when the driver accepted.
  driver_to_pickup_metres integer not null default 0,
  -- Along the reported positions since the start.
  travelled_metres integer not null default 0,
  -- When it was ordered, or dispatched if it had been scheduled.
  requested_at timestamp with time zone not null,
  -- When the search for a driver began again. Null: it began with the request.
  search_since timestamp with time zone,
  -- A search that found nobody continues then. Null: at once.
  search_again_at timestamp with time zone,
  -- When the search found nobody, the last time. It goes on until the central's limit.
  pending_at timestamp with time zone,
  -- When the present driver accepted. Null: nobody has, or a new driver is searched for.
  accepted_at timestamp with time zone,
  -- When the driver arrived at the pickup.
  arrived_at timestamp with time zone,
  -- When the driver left the pickup with the goods.
  started_at timestamp with time zone,
  -- When the last stop was concluded or the driver came back; null unless finished.
  finished_at timestamp with time zone,
  -- When the search was given up; null unless not_attended.
  not_attended_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  -- Null unless cancelled with a reason.
  cancellation_reason_id bigint,
  -- The scheduled delivery it was made of. Null: ordered for now.
  scheduled_id bigint,
  -- Number of the last event of this delivery. Counted under the lock of this row, so events have no gaps.
  event_sequence integer not null default 0,
  -- Grows with every change of stops or price. A plan made for an older version is not saved.
  version integer not null default 1,
  -- Null while the row still names people and exact places.
  personal_data_removed_at timestamp with time zone,
  pickup_located_by text,
  pickup_located_precision text,
  pickup_to_check boolean not null default false,
  -- How its driver is paid, as agreed when the driver accepted. Null: nobody has accepted it.
  share jsonb,
  -- The return to the pickup (has_return) was not ordered: goods that could not be handed over go back.
  return_added boolean not null default false,
  -- When the central held it back after its release. Null: it awaits its first release, or none.
  held_at timestamp with time zone,
  -- In the operator's words, for the central only.
  held_reason text,
  -- Until when the last stop should be handed over, by the estimate at the creation; see
  -- server/src/deliveries/deliveries/promise.ts. Grouping and edits do not change it. Null: none was given.
  promised_at timestamp with time zone,
  -- Of one that others were grouped into: the sum of the routes as each order would have been carried alone. The
  -- difference to planned_metres is what the grouping saves. Null: never grouped.
  separate_metres integer,
  -- The delivery that was opened for the same order after nobody was found for this one. Written once, with that
  -- delivery.
  ordered_again_as bigint,
  -- When the central said that nothing more is to be done about it, though nobody was found. Null: it waits, or was
  -- ordered again.
  dismissed_at timestamp with time zone,
  -- The user who said so.
  dismissed_by bigint,
  -- In the user's words, for the central only. Personal data.
  dismissed_reason text,
  -- Chosen by whoever ordered it; unique among the deliveries of a company, and among those without a company. The
  -- deliveries that dispatches make have none.
  external_id text,
  -- SHA-256 of what the last creation with external_id asked for. Null: no external_id, or personal data was removed.
  external_content bytea,
  -- The transaction that changed last what the integration interface shows of it, as a number of this database server.
  -- 0: before this column existed, or loaded without triggers.
  changed_in bigint not null default 0,
  -- When that was, by the clock of the database.
  changed_at timestamp with time zone not null default now(),
  constraint deliveries_pkey PRIMARY KEY (central_id, id),
  constraint deliveries_cancellation_reason_fkey FOREIGN KEY (central_id, cancellation_reason_id) REFERENCES cancellation_reasons(central_id, id),
  constraint deliveries_category_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint deliveries_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint deliveries_coupon_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id),
  constraint deliveries_customer_fkey FOREIGN KEY (central_id, customer_id) REFERENCES customers(central_id, id),
  constraint deliveries_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint deliveries_grouped_into_fkey FOREIGN KEY (central_id, grouped_into) REFERENCES deliveries(central_id, id),
  constraint deliveries_scheduled_fkey FOREIGN KEY (central_id, scheduled_id) REFERENCES scheduled(central_id, id),
  constraint deliveries_tariff_fkey FOREIGN KEY (central_id, tariff_id) REFERENCES tariffs(central_id, id),
  constraint deliveries_cancelled_has_time CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  constraint deliveries_cancelled_reserves_nothing CHECK (((status <> 'cancelled'::text) OR (reserved_cents = 0))),
  constraint deliveries_carried_has_driver CHECK (((status <> ALL (ARRAY['accepted'::text, 'on_hold'::text, 'in_progress'::text, 'finished'::text])) OR (driver_id IS NOT NULL))),
  constraint deliveries_credit_has_company CHECK (((payment <> 'credit_wallet'::text) OR (company_id IS NOT NULL))),
  constraint deliveries_discount_range CHECK (((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))),
  constraint deliveries_external_content_has_id CHECK (((external_content IS NULL) OR (external_id IS NOT NULL))),
  constraint deliveries_external_content_is_sha256 CHECK ((octet_length(external_content) = 32)),
  constraint deliveries_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 100))),
  constraint deliveries_fee_not_negative CHECK ((cancellation_fee_cents >= 0)),
  constraint deliveries_finished_has_time CHECK (((status = 'finished'::text) = (finished_at IS NOT NULL))),
  constraint deliveries_gross_not_negative CHECK ((gross_cents >= 0)),
  constraint deliveries_held_awaits_release CHECK ((((held_at IS NULL) = (held_reason IS NULL)) AND ((held_at IS NULL) OR (status = ANY (ARRAY['awaiting_release'::text, 'cancelled'::text]))))),
  constraint deliveries_net_within_gross CHECK (((net_cents >= 0) AND (net_cents <= gross_cents))),
  constraint deliveries_not_attended_has_time CHECK (((status = 'not_attended'::text) = (not_attended_at IS NOT NULL))),
  constraint deliveries_not_grouped_into_itself CHECK ((grouped_into <> id)),
  constraint deliveries_only_credit_is_reserved CHECK (((payment = 'credit_wallet'::text) OR (reserved_cents = 0))),
  constraint deliveries_payment_known CHECK ((payment = ANY (ARRAY['cash'::text, 'voucher'::text, 'ticket'::text, 'third_party_wallet'::text, 'credit_card'::text, 'debit_card'::text, 'app_card'::text, 'instant_transfer'::text, 'third_party_app'::text, 'messaging_app'::text, 'credit_wallet'::text, 'invoiced'::text]))),
  constraint deliveries_pickup_lat_range CHECK (((pickup_lat >= ('-90'::integer)::double precision) AND (pickup_lat <= (90)::double precision))),
  constraint deliveries_pickup_lng_range CHECK (((pickup_lng >= ('-180'::integer)::double precision) AND (pickup_lng <= (180)::double precision))),
  constraint deliveries_planned_metres_not_negative CHECK ((planned_metres >= 0)),
  constraint deliveries_planned_seconds_not_negative CHECK ((planned_seconds >= 0)),
  constraint deliveries_reserved_not_negative CHECK ((reserved_cents >= 0)),
  constraint deliveries_started_has_time CHECK (((status <> ALL (ARRAY['in_progress'::text, 'finished'::text])) OR (started_at IS NOT NULL))),
  constraint deliveries_status_known CHECK ((status = ANY (ARRAY['awaiting_release'::text, 'distributing'::text, 'offered'::text, 'accepted'::text, 'on_hold'::text, 'in_progress'::text, 'finished'::text, 'not_attended'::text, 'cancelled'::text, 'pending'::text])))
);
CREATE INDEX deliveries_by_change ON deliveries USING btree (central_id, changed_in, id);
CREATE INDEX deliveries_by_change_time ON deliveries USING btree (central_id, changed_at, id);
CREATE INDEX deliveries_by_company ON deliveries USING btree (central_id, company_id, requested_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX deliveries_by_driver ON deliveries USING btree (central_id, driver_id, requested_at DESC, id DESC) WHERE (driver_id IS NOT NULL);
CREATE INDEX deliveries_by_finish ON deliveries USING btree (central_id, finished_at DESC, id DESC) WHERE (finished_at IS NOT NULL);
CREATE INDEX deliveries_by_payment ON deliveries USING btree (central_id, payment, requested_at DESC, id DESC);
CREATE INDEX deliveries_by_status ON deliveries USING btree (central_id, status, requested_at DESC, id DESC);
CREATE INDEX deliveries_coupon_uses ON deliveries USING btree (central_id, coupon_id, customer_id) WHERE ((coupon_id IS NOT NULL) AND (status <> 'cancelled'::text) AND (status <> 'not_attended'::text));
CREATE UNIQUE INDEX deliveries_external_id_unique ON deliveries USING btree (central_id, external_id, company_id) NULLS NOT DISTINCT WHERE (external_id IS NOT NULL);
CREATE INDEX deliveries_grouped ON deliveries USING btree (central_id, grouped_into) WHERE (grouped_into IS NOT NULL);
CREATE INDEX deliveries_newest ON deliveries USING btree (central_id, requested_at DESC, id DESC);
CREATE INDEX deliveries_of_person ON deliveries USING btree (central_id, customer_id) WHERE (company_id IS NULL);
CREATE INDEX deliveries_on_hold ON deliveries USING btree (central_id, driver_id, accepted_at, id) WHERE (status = 'on_hold'::text);
CREATE UNIQUE INDEX deliveries_once_per_scheduled ON deliveries USING btree (central_id, scheduled_id) WHERE (scheduled_id IS NOT NULL);
CREATE UNIQUE INDEX deliveries_one_current_per_driver ON deliveries USING btree (central_id, driver_id) WHERE ((status = ANY (ARRAY['accepted'::text, 'in_progress'::text])) AND (grouped_into IS NULL));
CREATE INDEX deliveries_searching ON deliveries USING btree (status, central_id, requested_at) WHERE ((status = ANY (ARRAY['distributing'::text, 'pending'::text, 'offered'::text])) AND (grouped_into IS NULL));
CREATE INDEX deliveries_with_personal_data ON deliveries USING btree (central_id, COALESCE(finished_at, cancelled_at, not_attended_at), id) WHERE ((personal_data_removed_at IS NULL) AND (status = ANY (ARRAY['finished'::text, 'cancelled'::text, 'not_attended'::text])));
CREATE TRIGGER deliveries_changed BEFORE INSERT OR UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION mark_delivery_changed();

-- The centrals of the demonstration that order by themselves. Real centrals have no row.
create table demo_rhythms (
  central_id bigint not null,
  -- When the next order is due.
  next_at timestamp with time zone not null,
  -- Turns so far; decides what is left to chance in the next one.
  turns bigint not null,
  -- The process that makes the next order. Null: none does at this moment.
  holder uuid,
  -- After this another process may make it.
  held_until timestamp with time zone,
  constraint demo_rhythms_pkey PRIMARY KEY (central_id),
  constraint demo_rhythms_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint demo_rhythms_held_has_end CHECK (((holder IS NULL) = (held_until IS NULL))),
  constraint demo_rhythms_turns_not_negative CHECK ((turns >= 0))
);

-- One-time codes with which a driver signs in on a phone. A row is deleted when its code is used; expired rows are
-- deleted by a job.
create table device_invites (
  central_id bigint not null,
  -- Digest of the code.
  sha256 bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint device_invites_pkey PRIMARY KEY (central_id, sha256),
  constraint device_invites_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id) ON DELETE CASCADE,
  constraint device_invites_digest_length CHECK ((length(sha256) = 32))
);
CREATE INDEX device_invites_expired ON device_invites USING btree (expires_at);
CREATE INDEX device_invites_of_a_user ON device_invites USING btree (central_id, user_id, created_at);

-- What is known of a driver's phone beside its session, which it begins and ends with. A session without a device is a
-- login at the console.
create table devices (
  central_id bigint not null,
  -- Random: it is only a name for operators.
  id bigint not null,
  -- The digest of the session's token.
  sha256 bytea not null,
  -- What the app calls the phone.
  label text not null,
  -- When the phone last sent a request; written at most once a minute.
  seen_at timestamp with time zone not null,
  -- As the app says; null until it does.
  app_version text,
  -- Percent, as the app says; null until it does.
  battery smallint,
  constraint devices_pkey PRIMARY KEY (central_id, id),
  constraint devices_session_unique UNIQUE (central_id, sha256),
  constraint devices_session_fkey FOREIGN KEY (central_id, sha256) REFERENCES sessions(central_id, sha256) ON DELETE CASCADE,
  constraint devices_battery_range CHECK (((battery >= 0) AND (battery <= 100)))
);

-- What the central owes each driver. A row begins with the driver's first finished delivery or entry; its figures are
-- written by the trigger of driver_entries only.
create table driver_accounts (
  central_id bigint not null,
  driver_id bigint not null,
  -- The sum of its entries. Positive is owed to the driver, negative is owed by the driver.
  balance_cents bigint not null default 0,
  -- Cash that the driver has collected, and neither handed in nor settled by the payment of a closing.
  cash_cents bigint not null default 0,
  -- The number of its entries; gives each entry its number.
  entry_count bigint not null default 0,
  -- The day of the newest entry: no later entry has an earlier day.
  last_day date not null default '-infinity'::date,
  constraint driver_accounts_pkey PRIMARY KEY (central_id, driver_id),
  constraint driver_accounts_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint driver_accounts_cash_not_negative CHECK ((cash_cents >= 0))
);

-- When drivers work. Without a row no shifts are kept, and the driver works whenever available.
create table driver_calendars (
  central_id bigint not null,
  driver_id bigint not null,
  -- The shifts of each weekday (server/src/registers/drivers/calendar.ts), by the clock of the central.
  week jsonb not null,
  -- Dates whose shifts replace those of their weekday.
  days jsonb not null,
  constraint driver_calendars_pkey PRIMARY KEY (central_id, driver_id),
  constraint driver_calendars_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE,
  constraint driver_calendars_days_bounded CHECK (((jsonb_typeof(days) = 'array'::text) AND (octet_length((days)::text) <= 65536))),
  constraint driver_calendars_week_bounded CHECK (((jsonb_typeof(week) = 'array'::text) AND (octet_length((week)::text) <= 16384)))
);

-- What the vehicle of a driver carries.
create table driver_capacities (
  central_id bigint not null,
  driver_id bigint not null,
  -- Null: that of the category. The same for volume and packages.
  weight_grams integer,
  volume_ml integer,
  packages integer,
  -- Null: that of the category. Empty: none.
  equipment text[],
  constraint driver_capacities_pkey PRIMARY KEY (central_id, driver_id),
  constraint driver_capacities_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE,
  constraint driver_capacities_equipment_known CHECK ((equipment <@ ARRAY['thermal_bag'::text, 'box'::text, 'thermal_box'::text])),
  constraint driver_capacities_packages_range CHECK (((packages >= 1) AND (packages <= 100000))),
  constraint driver_capacities_volume_range CHECK (((volume_ml >= 1) AND (volume_ml <= 1000000000))),
  constraint driver_capacities_weight_range CHECK (((weight_grams >= 1) AND (weight_grams <= 100000000)))
);

-- The categories that a driver can carry.
create table driver_categories (
  central_id bigint not null,
  driver_id bigint not null,
  category_id bigint not null,
  constraint driver_categories_pkey PRIMARY KEY (central_id, driver_id, category_id),
  constraint driver_categories_category_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint driver_categories_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);
CREATE INDEX driver_categories_category ON driver_categories USING btree (central_id, category_id);

-- The companies that a driver works for. A driver without any works for all.
create table driver_companies (
  central_id bigint not null,
  driver_id bigint not null,
  company_id bigint not null,
  constraint driver_companies_pkey PRIMARY KEY (central_id, driver_id, company_id),
  constraint driver_companies_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint driver_companies_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);
CREATE INDEX driver_companies_company ON driver_companies USING btree (central_id, company_id);

-- Totals of each driver and day, kept with the entries, so that nobody sums a history.
create table driver_days (
  central_id bigint not null,
  driver_id bigint not null,
  day date not null,
  -- Finished deliveries, those grouped into them included.
  deliveries integer not null default 0,
  -- Shares and adjustments.
  earned_cents bigint not null default 0,
  -- Cash that was collected.
  collected_cents bigint not null default 0,
  constraint driver_days_pkey PRIMARY KEY (central_id, driver_id, day),
  constraint driver_days_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);

-- The ledger of each driver's account, append-only.
create table driver_entries (
  central_id bigint not null,
  id bigint not null,
  driver_id bigint not null,
  -- Place in the statement: 1, 2, 3 … Given by the trigger under the account's lock, as the day is: by both the order
  -- is the same.
  number bigint not null,
  -- share: the driver's part of a delivery. collected: cash that the driver took and owes. handed_in: cash that the
  -- driver gave to the central. payment: what the central paid to the driver. adjustment: by hand, for a reason.
  kind text not null,
  -- Positive is owed to the driver, negative is taken from what is owed.
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  cash_after_cents bigint not null,
  -- The day in the central's time zone on which it was entered.
  day date not null,
  delivery_id bigint,
  -- Where cash was collected. Null: for the delivery as a whole.
  stop_id bigint,
  -- The entry that this one takes back: it is of the same kind and has the opposite amount.
  reverses_id bigint,
  -- May be removed later (personal data); nothing else of an entry ever changes.
  note text,
  -- Who made the entry. Null: the service.
  user_id bigint,
  created_at timestamp with time zone not null,
  -- Cash that need not be handed in any more, because a closing set it off; negative: that was taken back.
  settled_cash_cents bigint not null default 0,
  constraint driver_entries_pkey PRIMARY KEY (central_id, id),
  constraint driver_entries_account_fkey FOREIGN KEY (central_id, driver_id) REFERENCES driver_accounts(central_id, driver_id),
  constraint driver_entries_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint driver_entries_reverses_fkey FOREIGN KEY (central_id, reverses_id) REFERENCES driver_entries(central_id, id),
  constraint driver_entries_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint driver_entries_amount_not_zero CHECK (((amount_cents <> 0) OR (settled_cash_cents <> 0) OR (reverses_id IS NOT NULL))),
  constraint driver_entries_kind_known CHECK ((kind = ANY (ARRAY['share'::text, 'collected'::text, 'handed_in'::text, 'payment'::text, 'adjustment'::text]))),
  constraint driver_entries_of_delivery CHECK (((kind <> ALL (ARRAY['share'::text, 'collected'::text])) OR (delivery_id IS NOT NULL))),
  constraint driver_entries_sign CHECK (((kind = ANY (ARRAY['adjustment'::text, 'payment'::text])) OR ((amount_cents > 0) = ((kind = ANY (ARRAY['share'::text, 'handed_in'::text])) = (reverses_id IS NULL)))))
);
CREATE INDEX driver_entries_by_time ON driver_entries USING btree (central_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX driver_entries_newest ON driver_entries USING btree (central_id, driver_id, day DESC, number DESC);
CREATE INDEX driver_entries_noted ON driver_entries USING btree (central_id, created_at, id) WHERE (note IS NOT NULL);
CREATE UNIQUE INDEX driver_entries_one_collection ON driver_entries USING btree (central_id, delivery_id, driver_id, stop_id) NULLS NOT DISTINCT WHERE ((kind = 'collected'::text) AND (reverses_id IS NULL));
CREATE UNIQUE INDEX driver_entries_one_reversal ON driver_entries USING btree (central_id, reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE UNIQUE INDEX driver_entries_one_share ON driver_entries USING btree (central_id, delivery_id, driver_id) WHERE ((kind = 'share'::text) AND (reverses_id IS NULL));
CREATE TRIGGER driver_entries_add BEFORE INSERT ON driver_entries FOR EACH ROW EXECUTE FUNCTION add_to_driver_account();
CREATE TRIGGER driver_entries_append_only BEFORE DELETE OR UPDATE ON driver_entries FOR EACH ROW EXECUTE FUNCTION refuse_driver_ledger_change();
CREATE CONSTRAINT TRIGGER driver_entries_cash_balanced AFTER INSERT ON driver_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'collected'::text)) EXECUTE FUNCTION assert_cash_on_both_sides('driver');
CREATE TRIGGER driver_entries_no_truncate BEFORE TRUNCATE ON driver_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_driver_ledger_change();

-- The last known position of each driver, in degrees (WGS 84). Apart from drivers, because it changes every few
-- seconds and the rest of a driver hardly ever.
create table driver_positions (
  central_id bigint not null,
  driver_id bigint not null,
  lat double precision not null,
  lng double precision not null,
  -- When the driver was there, as the phone says, and not later than it was received.
  at timestamp with time zone not null,
  constraint driver_positions_pkey PRIMARY KEY (central_id, driver_id),
  constraint driver_positions_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE,
  constraint driver_positions_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint driver_positions_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))
) with (fillfactor=50);

-- People who carry deliveries.
create table drivers (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  -- Area code and number, digits only.
  phone text not null,
  vehicle text not null default ''::text,
  plate text not null default ''::text,
  -- Of the vehicle.
  color text,
  -- Whether the driver takes offers now. Set by the driver or an operator.
  available boolean not null default false,
  active boolean not null default true,
  -- Set when the driver is registered and never changed, so that the simulation never acts for a real person.
  simulated boolean not null default false,
  -- The sequence of the driver's last event.
  event_sequence integer not null default 0,
  constraint drivers_pkey PRIMARY KEY (central_id, id),
  constraint drivers_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint drivers_name_given CHECK ((name <> ''::text)),
  constraint drivers_phone_form CHECK ((phone ~ '^[0-9]{10,11}$'::text))
);
CREATE INDEX drivers_by_name ON drivers USING btree (central_id, fold_name(name), id);
CREATE INDEX drivers_phone ON drivers USING btree (central_id, phone);
CREATE INDEX drivers_simulated ON drivers USING btree (central_id, id) WHERE simulated;
CREATE TRIGGER drivers_search_changed AFTER INSERT OR DELETE OR UPDATE OF name, phone, plate ON drivers FOR EACH ROW EXECUTE FUNCTION mark_search_outdated('driver');

-- What happened, written by the transaction that made it happen and never changed. Old events are deleted by a job.
-- The types are defined in server/src/events/record.
create table events (
  -- No foreign key: the writer has just locked or inserted a row of this central, and the check would lock the one row
  -- of the central for every event.
  central_id bigint not null,
  -- Says nothing about the order: processes take ids from blocks of their own. The order of events is that of their
  -- sequence, or else of the time.
  id bigint not null,
  -- What receivers know the event by; the same however often it is sent.
  uid uuid not null default gen_random_uuid(),
  type text not null,
  -- The company concerned, whose webhooks and live feeds receive it. Null: none. No foreign key: it is copied from the
  -- request or wallet, which has one.
  company_id bigint,
  -- Null for events of no delivery. No foreign key: the writer has just locked or inserted that row, rows of
  -- deliveries are never deleted, and the check would write a row lock into the delivery for each of its positions
  -- (measured: a tenth more CPU and WAL).
  delivery_id bigint,
  -- Null for events of no scheduled delivery. No foreign key, for the reasons given at delivery_id.
  scheduled_id bigint,
  -- Counts within the delivery, the scheduled delivery or the wallet, in the order of the commits. Null for tests, and
  -- for positions: those change nothing and are too many to lock the delivery each time.
  sequence integer,
  -- What the event says, by its type.
  payload jsonb not null,
  occurred_at timestamp with time zone not null,
  -- Who did it. Null: the service itself. A user is kept for as long as its events are, so that no event names the
  -- service instead.
  user_id bigint,
  -- When it happened, where a phone without network said so later. Null: at occurred_at, which is when it was recorded
  -- and gives the order.
  happened_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (central_id, id),
  constraint events_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint events_numbered CHECK (((type = ANY (ARRAY['delivery.position'::text, 'webhook.test'::text])) = (sequence IS NULL))),
  constraint events_of_one_request CHECK ((num_nonnulls(delivery_id, scheduled_id) <= 1))
);
CREATE INDEX events_by_time ON events USING btree (central_id, occurred_at) INCLUDE (id);
CREATE UNIQUE INDEX events_of_delivery ON events USING btree (central_id, delivery_id, sequence) WHERE ((sequence IS NOT NULL) AND (delivery_id IS NOT NULL));
CREATE UNIQUE INDEX events_of_scheduled ON events USING btree (central_id, scheduled_id, sequence) WHERE (scheduled_id IS NOT NULL);
CREATE INDEX events_of_user ON events USING btree (central_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX events_old_positions ON events USING btree (central_id, occurred_at) WHERE (type = 'delivery.position'::text);
CREATE INDEX events_positions ON events USING btree (central_id, delivery_id, occurred_at) WHERE (type = 'delivery.position'::text);
CREATE TRIGGER events_fan_out AFTER INSERT ON events REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION fan_out_events();
CREATE TRIGGER events_queue_pushes AFTER INSERT ON events FOR EACH ROW WHEN (((new.type = ANY (ARRAY['delivery.driver_changed'::text, 'delivery.changed'::text])) OR ((new.type = 'delivery.status'::text) AND ((new.payload ->> 'status'::text) = ANY (ARRAY['offered'::text, 'cancelled'::text, 'awaiting_release'::text]))))) EXECUTE FUNCTION queue_pushes();
CREATE TRIGGER events_queue_report AFTER INSERT ON events FOR EACH ROW WHEN (((new.type = 'delivery.status'::text) AND ((new.payload ->> 'status'::text) = ANY (ARRAY['finished'::text, 'cancelled'::text, 'not_attended'::text])))) EXECUTE FUNCTION queue_report();

-- Each time that an operator gave a delivery that a driver carried to another driver.
create table handovers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  from_driver_id bigint not null,
  to_driver_id bigint not null,
  -- In the operator's words, for the central only.
  reason text not null,
  handed_over_at timestamp with time zone not null,
  -- The operator.
  user_id bigint,
  constraint handovers_pkey PRIMARY KEY (central_id, id),
  constraint handovers_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id) ON DELETE CASCADE,
  constraint handovers_from_driver_fkey FOREIGN KEY (central_id, from_driver_id) REFERENCES drivers(central_id, id),
  constraint handovers_to_driver_fkey FOREIGN KEY (central_id, to_driver_id) REFERENCES drivers(central_id, id),
  constraint handovers_between_two CHECK ((from_driver_id <> to_driver_id))
);
CREATE INDEX handovers_of_delivery ON handovers USING btree (central_id, delivery_id, from_driver_id);

-- What drivers ask of the central and nobody has answered yet. A row is deleted when an operator takes care of it, or
-- when nobody did for long.
create table help_requests (
  central_id bigint not null,
  -- Random.
  id bigint not null,
  driver_id bigint not null,
  -- What the driver was carrying, if it is about that.
  delivery_id bigint,
  text text not null,
  created_at timestamp with time zone not null,
  constraint help_requests_pkey PRIMARY KEY (central_id, id),
  constraint help_requests_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint help_requests_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id) ON DELETE CASCADE
);
CREATE INDEX help_requests_newest ON help_requests USING btree (central_id, created_at DESC);
CREATE INDEX help_requests_of_driver ON help_requests USING btree (central_id, driver_id, created_at);

-- Where the ids of each central and noun go on. Processes reserve blocks of ids (server/src/platform/postgres/ids.ts).
-- Ids count per central, so that nobody can read a neighbour's volume from their own ids, and each central has a range
-- of its own (ten million per noun), so that an id used with the wrong api-key answers 404 and does not find another
-- record of the same number.
create table id_counters (
  -- No foreign key: while a central is being created, the connection that reserves ids does not see it.
  central_id bigint not null,
  noun text not null,
  -- The first id that no process has reserved.
  next bigint not null,
  constraint id_counters_pkey PRIMARY KEY (central_id, noun)
);

-- One row for each Idempotency-Key that has taken effect, written by the transaction of its request. Rows are deleted
-- after two days.
create table idempotency_keys (
  central_id bigint not null,
  -- Whose key it is: two logins may choose the same one. 0: the service itself. No foreign key: the row lives for two
  -- days, the request was authenticated just before, and every repeatable request would lock the row of its login.
  user_id bigint not null,
  key text not null,
  -- Digest of method, path, body and the caller's scope. The same key with another one is refused.
  fingerprint bytea not null,
  -- Null only within the transaction that carries the request out.
  answer text,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (central_id, user_id, key),
  constraint idempotency_keys_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

-- The migrations that were applied. Written by server/src/platform/postgres/migrate.ts.
create table migrations (
  name text not null,
  -- Digest of the file: one that was edited afterwards is refused.
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

-- Deliveries offered to drivers, and what became of each offer. Rows stay: they say who need not be asked again.
create table offers (
  central_id bigint not null,
  id bigint not null,
  delivery_id bigint not null,
  driver_id bigint not null,
  -- open until the driver accepts or refuses it, it expires, or it is withdrawn because somebody else accepted or the
  -- delivery ended.
  state text not null,
  offered_at timestamp with time zone not null,
  -- Null: open until somebody closes it, as when an operator names the driver.
  expires_at timestamp with time zone,
  -- Null while open.
  closed_at timestamp with time zone,
  -- Why the driver refused, if the driver said so; the reasons are in server/src/deliveries/deliveries.
  refusal_reason text,
  -- The driver's own words about a refusal.
  refusal_note text,
  -- The plan that made the offer: all its open offers to the driver are one run, and are accepted together. Without a
  -- foreign key, because plans are deleted after a day.
  plan_id bigint,
  -- The order in which the deliveries of a run are carried out, from 0.
  place_in_run smallint,
  constraint offers_pkey PRIMARY KEY (central_id, id),
  constraint offers_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint offers_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint offers_closed_has_time CHECK (((state = 'open'::text) = (closed_at IS NULL))),
  constraint offers_expire_later CHECK ((expires_at > offered_at)),
  constraint offers_state_known CHECK ((state = ANY (ARRAY['open'::text, 'refused'::text, 'expired'::text, 'accepted'::text, 'withdrawn'::text])))
);
CREATE INDEX offers_due ON offers USING btree (expires_at, central_id, id) WHERE ((state = 'open'::text) AND (expires_at IS NOT NULL));
CREATE INDEX offers_of_delivery ON offers USING btree (central_id, delivery_id, driver_id);
CREATE UNIQUE INDEX offers_one_accepted ON offers USING btree (central_id, delivery_id) WHERE (state = 'accepted'::text);
CREATE UNIQUE INDEX offers_one_open ON offers USING btree (central_id, delivery_id, driver_id) WHERE (state = 'open'::text);
CREATE INDEX offers_open_of_driver ON offers USING btree (central_id, driver_id) WHERE (state = 'open'::text);

-- Where a central works. Tariffs may differ by area.
create table operating_areas (
  central_id bigint not null,
  id bigint not null,
  name text not null,
  -- A central with areas has exactly one default area. Where areas overlap it has the lowest priority.
  is_default boolean not null default false,
  -- GeoJSON Polygon or MultiPolygon, WGS 84.
  shape jsonb not null,
  constraint operating_areas_pkey PRIMARY KEY (central_id, id),
  constraint operating_areas_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint operating_areas_name_given CHECK ((name <> ''::text)),
  constraint operating_areas_shape_kind CHECK (((shape ->> 'type'::text) = ANY (ARRAY['Polygon'::text, 'MultiPolygon'::text])))
);
CREATE UNIQUE INDEX operating_areas_name_unique ON operating_areas USING btree (central_id, lower(name));
CREATE UNIQUE INDEX operating_areas_one_default ON operating_areas USING btree (central_id) WHERE is_default;
CREATE TRIGGER operating_areas_announce_change AFTER INSERT OR DELETE OR UPDATE ON operating_areas FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- Pix codes that were made for the wallet of a company. Each is credited at most once.
create table pix_top_ups (
  central_id bigint not null,
  -- What the receiver finds on the bank statement.
  identifier text not null,
  company_id bigint not null,
  amount_cents bigint not null,
  requested_at timestamp with time zone not null,
  -- Who asked for the code.
  user_id bigint,
  -- The entry that credited it. Null: the money has not arrived.
  entry_id bigint,
  constraint pix_top_ups_pkey PRIMARY KEY (central_id, identifier),
  constraint pix_top_ups_one_entry UNIQUE (central_id, entry_id),
  constraint pix_top_ups_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint pix_top_ups_entry_fkey FOREIGN KEY (central_id, entry_id) REFERENCES wallet_entries(central_id, id),
  constraint pix_top_ups_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint pix_top_ups_amount_positive CHECK ((amount_cents > 0)),
  constraint pix_top_ups_identifier_form CHECK ((identifier ~ '^[A-Z0-9]{1,25}$'::text))
);
CREATE INDEX pix_top_ups_awaited ON pix_top_ups USING btree (central_id, company_id, requested_at DESC) WHERE (entry_id IS NULL);

-- Computed proposals and what was applied of them. Rows hold ids and times, no personal data, and are deleted after a
-- day.
create table plans (
  central_id bigint not null,
  id bigint not null,
  created_at timestamp with time zone not null,
  -- Who asked for it. Null: the service. Without a foreign key, because a row lives for a day.
  user_id bigint,
  -- Made by continuous planning (server/src/dispatch/plans/planContinuously.ts).
  automatic boolean not null,
  -- What was asked for: PlanWish in server/src/dispatch/plans/plan.ts.
  wish jsonb not null,
  state text not null default 'running'::text,
  phase text,
  progress smallint not null default 0,
  -- Of the best plan found so far, in seconds of driving. Null before the first.
  best_cost double precision,
  -- A plan that is running after this time belonged to a process that has ended.
  ends_by timestamp with time zone not null,
  ready_at timestamp with time zone,
  -- How many deliveries it gives to drivers. Null until it is ready.
  given integer,
  -- StoredPlan in server/src/dispatch/plans/plan.ts. Null until it is ready.
  plan jsonb,
  -- Which deliveries went to which drivers: a list of Application.
  applied jsonb not null default '[]'::jsonb,
  -- The last application. Null: none.
  applied_at timestamp with time zone,
  undone_at timestamp with time zone,
  constraint plans_pkey PRIMARY KEY (central_id, id),
  constraint plans_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint plans_given_not_negative CHECK ((given >= 0)),
  constraint plans_phase_known CHECK ((phase = ANY (ARRAY['reading'::text, 'ways'::text, 'searching'::text]))),
  constraint plans_progress_range CHECK (((progress >= 0) AND (progress <= 100))),
  constraint plans_ready_has_plan CHECK (((state = 'ready'::text) = (plan IS NOT NULL))),
  constraint plans_ready_has_time CHECK (((state = 'ready'::text) = (ready_at IS NOT NULL))),
  constraint plans_state_known CHECK ((state = ANY (ARRAY['running'::text, 'ready'::text, 'failed'::text])))
);
CREATE INDEX plans_expired ON plans USING btree (created_at);
CREATE INDEX plans_newest ON plans USING btree (central_id, created_at DESC, id DESC);

-- Who asked for personal data to be exported or erased, and what came of it. Kept for good.
create table privacy_actions (
  central_id bigint not null,
  id uuid not null default gen_random_uuid(),
  action text not null,
  done_at timestamp with time zone not null,
  -- The login, the command line, or the retention job.
  done_by text not null,
  -- A slow digest of the person: shows whether somebody's data was asked for, and cannot be reversed. Null for
  -- retention.
  person_digest bytea,
  -- Records concerned, by kind.
  counts jsonb not null,
  constraint privacy_actions_pkey PRIMARY KEY (central_id, id),
  constraint privacy_actions_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint privacy_actions_action_known CHECK ((action = ANY (ARRAY['export'::text, 'erase'::text, 'retention'::text]))),
  constraint privacy_actions_person_given CHECK (((action = 'retention'::text) = (person_digest IS NULL)))
);

-- What a program sends as a bearer token. Expired rows are deleted by a job. New rows are not announced, because no
-- process remembers that a secret is unknown.
create table program_secrets (
  central_id bigint not null,
  -- Digest of the whole secret. It has 256 random bits, so a plain digest is enough and can be looked up. The secret
  -- carries the central too, so that it is looked up within it.
  sha256 bytea not null,
  program_id bigint not null,
  -- token: long-lived, shown once. access: given for an hour by OAuth to whoever sends the long-lived one.
  kind text not null,
  -- Null: those of the program. An access token may have fewer.
  scopes text[],
  created_at timestamp with time zone not null,
  -- Null: as long as the program. Set for the old secret when a new one is made, so that both work for a while.
  expires_at timestamp with time zone,
  constraint program_secrets_pkey PRIMARY KEY (central_id, sha256),
  constraint program_secrets_program_fkey FOREIGN KEY (central_id, program_id) REFERENCES programs(central_id, id) ON DELETE CASCADE,
  constraint program_secrets_access_expires CHECK (((kind = 'token'::text) OR (expires_at IS NOT NULL))),
  constraint program_secrets_digest_length CHECK ((length(sha256) = 32)),
  constraint program_secrets_kind_known CHECK ((kind = ANY (ARRAY['token'::text, 'access'::text])))
);
CREATE INDEX program_secrets_expired ON program_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX program_secrets_of_a_program ON program_secrets USING btree (central_id, program_id, created_at);
CREATE TRIGGER program_secrets_announce_change AFTER UPDATE ON program_secrets FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- When each program was last used, and from which addresses, the last few of them. Processes write it every few
-- seconds (server/src/centrals/programUses.ts).
create table program_uses (
  central_id bigint not null,
  program_id bigint not null,
  address text not null,
  used_at timestamp with time zone not null,
  constraint program_uses_pkey PRIMARY KEY (central_id, program_id, address),
  constraint program_uses_program_fkey FOREIGN KEY (central_id, program_id) REFERENCES programs(central_id, id) ON DELETE CASCADE
);

-- Credentials of programs. The id is that of the user as which the program acts.
create table programs (
  central_id bigint not null,
  id bigint not null,
  -- Chosen by whoever created the program, to recognise it later.
  label text not null,
  -- Permissions by their names in server/src/centrals/permissions.ts. The company, if it is bound to one, is that of
  -- the user.
  scopes text[] not null,
  created_at timestamp with time zone not null,
  -- The name of the user; null: the command line.
  created_by text,
  -- Null: it does not expire.
  expires_at timestamp with time zone,
  -- Null while the program may act.
  revoked_at timestamp with time zone,
  -- Whether the program reaches the sandbox of its central, and only that. Its secrets begin with teste_.
  is_test boolean not null default false,
  constraint programs_pkey PRIMARY KEY (central_id, id),
  constraint programs_login_fkey FOREIGN KEY (central_id, id) REFERENCES users(central_id, id),
  constraint programs_label_given CHECK ((label <> ''::text)),
  constraint programs_scopes_given CHECK ((cardinality(scopes) > 0))
);
CREATE TRIGGER programs_announce_change AFTER UPDATE ON programs FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- Photos and signatures of stops, at most one of each kind for each visit. Written under the lock of the delivery that
-- carries the stop.
create table proof_images (
  central_id bigint not null,
  stop_id bigint not null,
  kind text not null,
  media_type text not null,
  -- Digest of the stored content, which tells a repetition from another image.
  sha256 bytea not null,
  -- Bytes.
  size integer not null,
  width integer not null,
  height integer not null,
  -- The image without metadata. Null once it was moved to the object store.
  content bytea,
  -- Its name in the object store, where one is configured.
  object_key text,
  -- When it was made, as the phone says.
  taken_at timestamp with time zone not null,
  -- When the service got it.
  received_at timestamp with time zone not null,
  -- A process is moving it to the object store; after this instant another one may try.
  moving_until timestamp with time zone,
  -- The failed attempt (stop_attempts.number) whose image it is, once the stop is visited again. 0: of the last visit,
  -- or of the one under way.
  attempt integer not null default 0,
  constraint proof_images_pkey PRIMARY KEY (central_id, stop_id, kind, attempt),
  constraint proof_images_stop_fkey FOREIGN KEY (central_id, stop_id) REFERENCES stops(central_id, id) ON DELETE CASCADE,
  constraint proof_images_attempt_not_negative CHECK ((attempt >= 0)),
  constraint proof_images_digest_length CHECK ((length(sha256) = 32)),
  constraint proof_images_in_one_place CHECK (((content IS NULL) <> (object_key IS NULL))),
  constraint proof_images_kind_known CHECK ((kind = ANY (ARRAY['photo'::text, 'signature'::text]))),
  constraint proof_images_media_type_known CHECK ((media_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text]))),
  constraint proof_images_size_range CHECK (((size >= 1) AND (size <= 307200)))
);
CREATE INDEX proof_images_to_move ON proof_images USING btree (central_id, received_at) WHERE (content IS NOT NULL);
CREATE TRIGGER proof_images_deleted AFTER DELETE ON proof_images FOR EACH ROW WHEN ((old.object_key IS NOT NULL)) EXECUTE FUNCTION remove_proof_object();
CREATE TRIGGER proof_images_replaced AFTER UPDATE OF object_key ON proof_images FOR EACH ROW WHEN (((old.object_key IS NOT NULL) AND (old.object_key IS DISTINCT FROM new.object_key))) EXECUTE FUNCTION remove_proof_object();

-- Signs the links under which a central's proof is read, made when the first one is.
create table proof_link_keys (
  central_id bigint not null,
  -- Base64, encrypted as the secrets of webhooks are; see server/src/platform/kernel/secretBox.ts.
  link_key text not null,
  created_at timestamp with time zone not null,
  constraint proof_link_keys_pkey PRIMARY KEY (central_id),
  constraint proof_link_keys_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

-- Objects that must leave the object store. Written before an object is, and taken back when an image refers to it: no
-- object is forgotten, whenever a process dies.
create table proof_removals (
  central_id bigint not null,
  object_key text not null,
  -- Not tried before.
  due_at timestamp with time zone not null,
  constraint proof_removals_pkey PRIMARY KEY (central_id, object_key),
  constraint proof_removals_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);
CREATE INDEX proof_removals_due ON proof_removals USING btree (due_at);

-- The VAPID keys with which a central identifies itself to push services, made when a phone first asks for them.
create table push_keys (
  central_id bigint not null,
  public_key text not null,
  -- Encrypted as the secrets of webhooks are; see server/src/platform/kernel/secretBox.ts.
  private_key text not null,
  created_at timestamp with time zone not null,
  constraint push_keys_pkey PRIMARY KEY (central_id),
  constraint push_keys_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

-- What is to be sent to phones, written with the event and deleted by the process that sends it.
create table push_messages (
  central_id bigint not null,
  device_id bigint not null,
  event_id bigint not null,
  kind text not null,
  delivery_id bigint not null,
  queued_at timestamp with time zone not null,
  constraint push_messages_pkey PRIMARY KEY (central_id, device_id, event_id),
  constraint push_messages_subscription_fkey FOREIGN KEY (central_id, device_id) REFERENCES push_subscriptions(central_id, device_id) ON DELETE CASCADE,
  constraint push_messages_kind_known CHECK ((kind = ANY (ARRAY['offer'::text, 'cancellation'::text, 'received'::text, 'taken_away'::text, 'change'::text])))
);
CREATE INDEX push_messages_queue ON push_messages USING btree (central_id, queued_at);

-- Where the push service of a phone takes messages. It ends with the phone's session, or when the push service says
-- that it is gone.
create table push_subscriptions (
  central_id bigint not null,
  device_id bigint not null,
  -- Of the session's user, whose driver never changes during a session.
  driver_id bigint not null,
  -- A URL that is a secret: whoever knows it can send there.
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone not null,
  constraint push_subscriptions_pkey PRIMARY KEY (central_id, device_id),
  constraint push_subscriptions_device_fkey FOREIGN KEY (central_id, device_id) REFERENCES devices(central_id, id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_of_driver ON push_subscriptions USING btree (central_id, driver_id);

-- Prices that hold until expires_at for an order with the same content. Deleted after a day.
create table quotes (
  central_id bigint not null,
  -- Random, because whoever knows it may order for this price.
  id text not null,
  -- Who orders. Null: a person, who is part of the content.
  company_id bigint,
  -- SHA-256 of what decides price and route: who orders, category, coupon, places, return and time of dispatch.
  content bytea not null,
  category_id bigint not null,
  tariff_id bigint not null,
  coupon_id bigint,
  -- The percentage of the coupon when the quote was made.
  discount_percent numeric(5,2) not null,
  planned_metres integer not null,
  planned_seconds integer not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  -- When an order was made from it. Null: not used yet.
  used_at timestamp with time zone,
  -- The delivery that was ordered with it.
  delivery_id bigint,
  -- The scheduled delivery that was ordered with it.
  scheduled_id bigint,
  constraint quotes_pkey PRIMARY KEY (central_id, id),
  constraint quotes_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint quotes_content_is_sha256 CHECK ((octet_length(content) = 32)),
  constraint quotes_discount_range CHECK (((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))),
  constraint quotes_expires_later CHECK ((expires_at > created_at)),
  constraint quotes_gross_not_negative CHECK ((gross_cents >= 0)),
  constraint quotes_id_form CHECK ((id ~ '^cot_[A-Za-z0-9_-]{22}$'::text)),
  constraint quotes_metres_not_negative CHECK ((planned_metres >= 0)),
  constraint quotes_net_within_gross CHECK (((net_cents >= 0) AND (net_cents <= gross_cents))),
  constraint quotes_seconds_not_negative CHECK ((planned_seconds >= 0)),
  constraint quotes_used_for_one CHECK ((num_nonnulls(delivery_id, scheduled_id) = ((used_at IS NOT NULL))::integer))
);
CREATE INDEX quotes_oldest ON quotes USING btree (central_id, created_at);

-- Totals of the deliveries that were requested on a day, by the central as a whole and by each company, driver and
-- area. What the figures mean is in docs/reports.md.
create table report_days (
  central_id bigint not null,
  kind text not null,
  -- Of kind company_area. Otherwise 0.
  company_id bigint not null default 0,
  -- On which the delivery was requested, in the time zone of the central.
  day date not null,
  -- The company, driver or area, by kind; of company_area the area. 0: no company, outside all areas, or the central.
  of_id bigint not null default 0,
  finished integer not null,
  -- Finished ones that were handed over and had a promise; on_time is of these.
  promised integer not null,
  on_time integer not null,
  cancelled integer not null,
  not_attended integer not null,
  stops_delivered integer not null,
  stops_failed integer not null,
  -- Finished ones that others were grouped into; saved_metres is of these.
  grouped integer not null,
  saved_metres bigint not null,
  accept_count integer not null,
  accept_seconds bigint not null,
  -- How many fell into each range of seconds; the ranges are in server/src/insight/reports/spread.ts. Gives median and
  -- percentiles.
  accept_spread integer[] not null,
  pickup_count integer not null,
  pickup_seconds bigint not null,
  pickup_spread integer[] not null,
  deliver_count integer not null,
  deliver_seconds bigint not null,
  deliver_spread integer[] not null,
  total_count integer not null,
  total_seconds bigint not null,
  total_spread integer[] not null,
  constraint report_days_pkey PRIMARY KEY (central_id, kind, company_id, day, of_id),
  constraint report_days_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint report_days_kind_known CHECK ((kind = ANY (ARRAY['total'::text, 'company'::text, 'driver'::text, 'area'::text, 'company_area'::text])))
) with (fillfactor=70);
CREATE INDEX report_days_of_one ON report_days USING btree (central_id, kind, of_id, day);

-- As report_days, by the local hour of the request, for the central and for each company.
create table report_hours (
  central_id bigint not null,
  -- 0: all deliveries of the central, with or without a company.
  company_id bigint not null,
  day date not null,
  hour smallint not null,
  finished integer not null,
  promised integer not null,
  on_time integer not null,
  cancelled integer not null,
  not_attended integer not null,
  accept_count integer not null,
  accept_seconds bigint not null,
  pickup_count integer not null,
  pickup_seconds bigint not null,
  deliver_count integer not null,
  deliver_seconds bigint not null,
  total_count integer not null,
  total_seconds bigint not null,
  constraint report_hours_pkey PRIMARY KEY (central_id, company_id, day, hour),
  constraint report_hours_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint report_hours_hour_range CHECK (((hour >= 0) AND (hour <= 23)))
) with (fillfactor=70);

-- Deliveries that have ended and are not yet in the totals. Written by the transaction that ends a delivery, deleted
-- by the one that counts it: each is counted once, whichever process dies when.
create table report_queue (
  central_id bigint not null,
  delivery_id bigint not null,
  constraint report_queue_pkey PRIMARY KEY (central_id, delivery_id)
);

-- Why deliveries were cancelled and stops not handed over, by the day on which the delivery was requested.
create table report_reasons (
  central_id bigint not null,
  -- 0: all deliveries of the central, with or without a company.
  company_id bigint not null,
  day date not null,
  kind text not null,
  -- The number of a cancellation reason, or a reason of stop_attempts. Empty: none was given.
  reason text not null,
  count integer not null,
  constraint report_reasons_pkey PRIMARY KEY (central_id, company_id, day, kind, reason),
  constraint report_reasons_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint report_reasons_kind_known CHECK ((kind = ANY (ARRAY['cancelled'::text, 'stop_failed'::text])))
);

-- How far the totals of a central are. Its lock is held by whoever counts, so that one process at a time does.
create table report_states (
  central_id bigint not null,
  -- While the history is counted: deliveries up to this id are in the totals if they had ended.
  counted_to bigint not null default 0,
  -- The whole history is in the totals, and only the queue is left to count.
  is_complete boolean not null default true,
  constraint report_states_pkey PRIMARY KEY (central_id),
  constraint report_states_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id)
);

-- Keys of the sandbox of a central. They begin with teste_, by which this table is searched instead of api_keys.
-- Small, and unique over all centrals (reference table).
create table sandbox_keys (
  -- The real central. Its present sandbox is what the key reaches.
  central_id bigint not null,
  id bigint not null,
  -- Chosen by whoever created the key, to recognise it later.
  label text not null,
  -- Digest of the key. The key is long and random, so a plain digest is enough and can be looked up.
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  -- Null while the key is valid.
  revoked_at timestamp with time zone,
  constraint sandbox_keys_pkey PRIMARY KEY (central_id, id),
  constraint sandbox_keys_digest_unique UNIQUE (sha256),
  constraint sandbox_keys_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint sandbox_keys_digest_length CHECK ((length(sha256) = 32))
);
CREATE TRIGGER sandbox_keys_announce_change AFTER INSERT OR DELETE OR UPDATE ON sandbox_keys FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- Filters and order of a list under a name. Each user has a limited number.
create table saved_views (
  central_id bigint not null,
  id bigint not null,
  -- Who saved it, and alone may change or delete it.
  user_id bigint not null,
  -- The name of the list in the console.
  list text not null,
  name text not null,
  -- As in the address of the list, without the question mark.
  query text not null,
  -- Shown to all who see what its user sees: the whole central, or the same company.
  is_shared boolean not null default false,
  -- The last change.
  saved_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (central_id, id),
  constraint saved_views_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id) ON DELETE CASCADE,
  constraint saved_views_name_given CHECK ((name <> ''::text))
);
CREATE UNIQUE INDEX saved_views_name_unique ON saved_views USING btree (central_id, user_id, list, lower(name));
CREATE INDEX saved_views_shared ON saved_views USING btree (central_id, list, id) WHERE is_shared;

-- Deliveries that leave later. At dispatch_at the dispatcher makes a delivery of each that awaits it. Columns that
-- deliveries have too mean the same here.
create table scheduled (
  central_id bigint not null,
  id bigint not null,
  -- awaiting becomes dispatched at its time, or cancelled, or grouped into another, or failed; a failed one may be
  -- edited and awaits again.
  situation text not null,
  -- When the delivery is made of it. May be changed while it awaits.
  dispatch_at timestamp with time zone not null,
  -- When it was ordered.
  requested_at timestamp with time zone not null,
  company_id bigint,
  customer_id bigint not null,
  category_id bigint not null,
  tariff_id bigint not null,
  payment text not null,
  has_return boolean not null,
  note text,
  coupon_id bigint,
  discount_percent numeric(5,2) not null default 0,
  pickup_address text not null,
  pickup_complement text,
  pickup_reference text,
  pickup_district text not null,
  pickup_city text not null,
  pickup_state text not null,
  pickup_lat double precision not null,
  pickup_lng double precision not null,
  planned_metres integer not null,
  planned_seconds integer not null,
  gross_cents bigint not null,
  net_cents bigint not null,
  -- A stop was removed while the routing engine was unavailable. Plan and price are of the stops before, and are
  -- computed again before the dispatch.
  estimate_outdated boolean not null default false,
  -- The delivery that was made of it, or that it was grouped into. Null before.
  delivery_id bigint,
  -- The scheduled delivery that carries the stops of this one. Null: it carries its own, or a delivery does.
  grouped_into bigint,
  -- Merged with others by the automatic merge, which does not consider it again.
  grouped_automatically boolean not null default false,
  -- Why it could not be dispatched, for good. A kind of refusal.
  failure text,
  -- Dispatches that ended in an error.
  dispatch_attempts integer not null default 0,
  -- Not dispatched before. Null: no dispatch has failed.
  retry_at timestamp with time zone,
  event_sequence integer not null default 0,
  version integer not null default 1,
  personal_data_removed_at timestamp with time zone,
  pickup_located_by text,
  pickup_located_precision text,
  pickup_to_check boolean not null default false,
  separate_metres integer,
  -- Chosen by whoever ordered it; unique among the scheduled deliveries of a company, and among those without a
  -- company.
  external_id text,
  -- SHA-256 of what the last creation with external_id asked for. Null: no external_id, or personal data was removed.
  external_content bytea,
  -- As in deliveries.
  changed_in bigint not null default 0,
  -- As in deliveries.
  changed_at timestamp with time zone not null default now(),
  constraint scheduled_pkey PRIMARY KEY (central_id, id),
  constraint scheduled_category_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint scheduled_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint scheduled_coupon_fkey FOREIGN KEY (central_id, coupon_id) REFERENCES coupons(central_id, id),
  constraint scheduled_customer_fkey FOREIGN KEY (central_id, customer_id) REFERENCES customers(central_id, id),
  constraint scheduled_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint scheduled_grouped_into_fkey FOREIGN KEY (central_id, grouped_into) REFERENCES scheduled(central_id, id),
  constraint scheduled_tariff_fkey FOREIGN KEY (central_id, tariff_id) REFERENCES tariffs(central_id, id),
  constraint scheduled_credit_has_company CHECK (((payment <> 'credit_wallet'::text) OR (company_id IS NOT NULL))),
  constraint scheduled_discount_range CHECK (((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))),
  constraint scheduled_dispatched_has_delivery CHECK (((situation <> 'dispatched'::text) OR (delivery_id IS NOT NULL))),
  constraint scheduled_external_content_has_id CHECK (((external_content IS NULL) OR (external_id IS NOT NULL))),
  constraint scheduled_external_content_is_sha256 CHECK ((octet_length(external_content) = 32)),
  constraint scheduled_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 100))),
  constraint scheduled_failed_has_reason CHECK (((situation <> 'failed'::text) OR (failure IS NOT NULL))),
  constraint scheduled_gross_not_negative CHECK ((gross_cents >= 0)),
  constraint scheduled_net_within_gross CHECK (((net_cents >= 0) AND (net_cents <= gross_cents))),
  constraint scheduled_payment_known CHECK ((payment = ANY (ARRAY['cash'::text, 'voucher'::text, 'ticket'::text, 'third_party_wallet'::text, 'credit_card'::text, 'debit_card'::text, 'app_card'::text, 'instant_transfer'::text, 'third_party_app'::text, 'messaging_app'::text, 'credit_wallet'::text, 'invoiced'::text]))),
  constraint scheduled_pickup_lat_range CHECK (((pickup_lat >= ('-90'::integer)::double precision) AND (pickup_lat <= (90)::double precision))),
  constraint scheduled_pickup_lng_range CHECK (((pickup_lng >= ('-180'::integer)::double precision) AND (pickup_lng <= (180)::double precision))),
  constraint scheduled_planned_metres_not_negative CHECK ((planned_metres >= 0)),
  constraint scheduled_planned_seconds_not_negative CHECK ((planned_seconds >= 0)),
  constraint scheduled_situation_known CHECK ((situation = ANY (ARRAY['awaiting'::text, 'dispatched'::text, 'cancelled'::text, 'grouped'::text, 'failed'::text])))
);
CREATE INDEX scheduled_awaiting_credit ON scheduled USING btree (central_id, company_id) INCLUDE (net_cents) WHERE ((situation = 'awaiting'::text) AND (payment = 'credit_wallet'::text));
CREATE INDEX scheduled_by_change ON scheduled USING btree (central_id, changed_in, id);
CREATE INDEX scheduled_by_change_time ON scheduled USING btree (central_id, changed_at, id);
CREATE INDEX scheduled_by_company ON scheduled USING btree (central_id, company_id, dispatch_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX scheduled_by_situation ON scheduled USING btree (central_id, situation, dispatch_at DESC, id DESC);
CREATE INDEX scheduled_coupon_uses ON scheduled USING btree (central_id, coupon_id, customer_id) WHERE ((coupon_id IS NOT NULL) AND ((situation = 'awaiting'::text) OR (situation = 'grouped'::text)));
CREATE INDEX scheduled_created ON scheduled USING btree (central_id, requested_at DESC, id DESC);
CREATE INDEX scheduled_created_by_company ON scheduled USING btree (central_id, company_id, requested_at DESC, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX scheduled_due ON scheduled USING btree (dispatch_at, central_id, id) WHERE (situation = 'awaiting'::text);
CREATE UNIQUE INDEX scheduled_external_id_unique ON scheduled USING btree (central_id, external_id, company_id) NULLS NOT DISTINCT WHERE (external_id IS NOT NULL);
CREATE INDEX scheduled_failed ON scheduled USING btree (central_id, dispatch_at DESC, id DESC) WHERE (situation = 'failed'::text);
CREATE INDEX scheduled_grouped ON scheduled USING btree (central_id, grouped_into) WHERE (grouped_into IS NOT NULL);
CREATE INDEX scheduled_newest ON scheduled USING btree (central_id, dispatch_at DESC, id DESC);
CREATE INDEX scheduled_of_person ON scheduled USING btree (central_id, customer_id) WHERE (company_id IS NULL);
CREATE INDEX scheduled_waiting ON scheduled USING btree (central_id, dispatch_at, id) WHERE (situation = 'awaiting'::text);
CREATE INDEX scheduled_with_personal_data ON scheduled USING btree (central_id, dispatch_at, id) WHERE ((personal_data_removed_at IS NULL) AND (situation <> 'awaiting'::text));
CREATE TRIGGER scheduled_carrier_dispatched AFTER UPDATE OF delivery_id ON scheduled FOR EACH ROW WHEN ((old.delivery_id IS DISTINCT FROM new.delivery_id)) EXECUTE FUNCTION mark_grouped_changed();
CREATE TRIGGER scheduled_changed BEFORE INSERT OR UPDATE ON scheduled FOR EACH ROW EXECUTE FUNCTION mark_scheduled_changed();

-- The stops of scheduled deliveries. Columns that stops have too mean the same here. The dispatch copies them, so that
-- a dispatched scheduled delivery keeps its stops as they were ordered.
create table scheduled_stops (
  central_id bigint not null,
  -- From the numbering of stops: a stop keeps its id when it is dispatched.
  id bigint not null,
  scheduled_id bigint not null,
  ordered_with bigint not null,
  "position" integer not null,
  address text not null,
  complement text,
  reference text,
  district text not null,
  city text not null,
  state text not null,
  lat double precision not null,
  lng double precision not null,
  order_number text,
  external_id text,
  recipient_name text,
  recipient_phone text,
  note text,
  collect_cents bigint,
  confirmation_code integer,
  located_by text,
  located_precision text,
  to_check boolean not null default false,
  constraint scheduled_stops_pkey PRIMARY KEY (central_id, id),
  constraint scheduled_stops_one_per_position UNIQUE (central_id, scheduled_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint scheduled_stops_ordered_with_fkey FOREIGN KEY (central_id, ordered_with) REFERENCES scheduled(central_id, id),
  constraint scheduled_stops_scheduled_fkey FOREIGN KEY (central_id, scheduled_id) REFERENCES scheduled(central_id, id),
  constraint scheduled_stops_collect_not_negative CHECK ((collect_cents >= 0)),
  constraint scheduled_stops_confirmation_code_range CHECK (((confirmation_code >= 0) AND (confirmation_code <= 9999))),
  constraint scheduled_stops_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint scheduled_stops_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint scheduled_stops_position_not_negative CHECK (("position" >= 0))
);
CREATE INDEX scheduled_stops_order_number ON scheduled_stops USING btree (central_id, order_number, scheduled_id) WHERE (order_number IS NOT NULL);
CREATE INDEX scheduled_stops_ordered_with ON scheduled_stops USING btree (central_id, ordered_with);
CREATE INDEX scheduled_stops_phone ON scheduled_stops USING btree (central_id, phone_digits(recipient_phone), id) WHERE (recipient_phone IS NOT NULL);
CREATE TRIGGER scheduled_stops_changed AFTER UPDATE OF scheduled_id, "position", address, complement, reference, district, city, state, lat, lng, order_number, recipient_name, recipient_phone, note ON scheduled_stops FOR EACH ROW EXECUTE FUNCTION mark_scheduled_stop_changed();
CREATE CONSTRAINT TRIGGER scheduled_stops_dense AFTER DELETE OR UPDATE OF scheduled_id, "position" ON scheduled_stops DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION assert_dense_stops('scheduled');
CREATE TRIGGER scheduled_stops_inserted AFTER INSERT ON scheduled_stops REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION check_inserted_stops('scheduled');

-- What can be found, and by which words. Written in the background by server/src/insight/search; personal data,
-- emptied with the data that it was made of.
create table search_entries (
  central_id bigint not null,
  noun text not null,
  -- Of the row that the noun names. No foreign key: entries follow those rows a moment later.
  id bigint not null,
  -- Each word with its central, noun and bucket of ids in front, so that a search reads one bucket of one central at a
  -- time, the newest first.
  words tsvector not null,
  -- The event_sequence of the row when it was indexed; 0 for rows without events. Negative: to be indexed again.
  sequence integer not null,
  constraint search_entries_pkey PRIMARY KEY (central_id, noun, id),
  constraint search_entries_noun_known CHECK ((noun = ANY (ARRAY['delivery'::text, 'scheduled'::text, 'company'::text, 'driver'::text, 'customer'::text])))
);
CREATE INDEX search_entries_outdated ON search_entries USING btree (central_id, noun, id) WHERE (sequence < 0);
CREATE INDEX search_entries_words ON search_entries USING gin (words) WITH (fastupdate='on', gin_pending_list_limit='64');

-- How far each central is indexed. Whoever writes entries or words of a central holds the lock of its row.
create table search_progress (
  central_id bigint not null,
  -- Events up to this time have been looked at. Later ones are announced when they are committed, and looked for now
  -- and then.
  looked_until timestamp with time zone not null,
  -- Deliveries with ids below it may lack an entry: they are older than the index. 0: none.
  deliveries_below bigint not null,
  -- The same for scheduled deliveries.
  scheduled_below bigint not null,
  constraint search_progress_pkey PRIMARY KEY (central_id),
  constraint search_progress_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id) ON DELETE CASCADE
);
CREATE INDEX search_progress_unfinished ON search_progress USING btree (central_id) WHERE ((deliveries_below > 0) OR (scheduled_below > 0));

-- Every word of the entries once, for typing errors, beginnings of words, and to know where a rare word occurs. A word
-- that no entry has any more is deleted.
create table search_words (
  central_id bigint not null,
  noun text not null,
  word text collate "C" not null,
  -- The key of server/src/geo/geocoding/embedded/wordKey.ts: spellings that sound alike have the same.
  sound text collate "C" not null,
  -- The sound with one letter left out at each place, with central and noun in front. Two words with a typing error
  -- between them share one.
  variants text[] not null,
  -- The buckets of ids in which the word occurs, or occurred.
  buckets int4multirange not null,
  constraint search_words_pkey PRIMARY KEY (central_id, noun, word)
);
CREATE INDEX search_words_sound ON search_words USING btree (central_id, noun, sound);
CREATE INDEX search_words_variants ON search_words USING gin (variants) WITH (fastupdate=off);

-- Logins at the console. A user has a limited number: a login too many ends the oldest. Expired rows are deleted by a
-- job.
create table sessions (
  central_id bigint not null,
  -- Digest of the random part of the cookie. The cookie carries the central too, so that a session is looked up within
  -- it.
  sha256 bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (central_id, sha256),
  constraint sessions_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id) ON DELETE CASCADE,
  constraint sessions_digest_length CHECK ((length(sha256) = 32))
);
CREATE INDEX sessions_expired ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_a_user ON sessions USING btree (central_id, user_id, created_at);

-- Visits at which nothing could be handed over. Written only under the lock of the delivery that carries the stop.
create table stop_attempts (
  central_id bigint not null,
  stop_id bigint not null,
  -- Counts the attempts of the stop, from 1.
  number integer not null,
  -- The delivery that carried the stop at that time.
  delivery_id bigint not null,
  driver_id bigint,
  reason text not null,
  -- What the driver or the operator says about it. Personal data.
  note text,
  -- What followed: the stop is tried again later in the run, its goods return to the pickup, or they are left until
  -- the central says what to do. All but the first end the stop.
  decision text not null,
  -- As the phone says, and not before the step before it.
  happened_at timestamp with time zone not null,
  -- By the service's clock.
  recorded_at timestamp with time zone not null,
  -- The user who recorded it. No foreign key: it names who did it and does not keep the user from being removed.
  recorded_by bigint,
  -- When an operator put the stop back into the run.
  undone_at timestamp with time zone,
  -- When somebody took care of what was not delivered. Null: it waits for a person, unless it was undone or is tried
  -- again.
  resolved_at timestamp with time zone,
  -- The user who did; as recorded_by.
  resolved_by bigint,
  -- What was done about it, in the operator's words.
  resolution text,
  -- The delivery that tries it again.
  new_delivery_id bigint,
  constraint stop_attempts_pkey PRIMARY KEY (central_id, stop_id, number),
  constraint stop_attempts_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint stop_attempts_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint stop_attempts_new_delivery_fkey FOREIGN KEY (central_id, new_delivery_id) REFERENCES deliveries(central_id, id),
  constraint stop_attempts_stop_fkey FOREIGN KEY (central_id, stop_id) REFERENCES stops(central_id, id) ON DELETE CASCADE,
  constraint stop_attempts_decision_known CHECK ((decision = ANY (ARRAY['retry'::text, 'return'::text, 'leave'::text]))),
  constraint stop_attempts_number_positive CHECK ((number > 0)),
  constraint stop_attempts_reason_known CHECK ((reason = ANY (ARRAY['absent'::text, 'wrong_address'::text, 'refused'::text, 'other'::text]))),
  constraint stop_attempts_resolved_in_words CHECK (((resolved_at IS NULL) OR (resolution IS NOT NULL) OR (new_delivery_id IS NOT NULL)))
);
CREATE INDEX stop_attempts_unresolved ON stop_attempts USING btree (central_id, recorded_at, stop_id) WHERE ((decision <> 'retry'::text) AND (undone_at IS NULL) AND (resolved_at IS NULL));

-- What a stop demands beside its address. No foreign key to the stop: its id stays the same from the scheduled
-- delivery through dispatch to any delivery it is grouped into, so that its demands follow it without being written.
create table stop_demands (
  central_id bigint not null,
  -- Of stops or scheduled_stops, which share their numbers.
  stop_id bigint not null,
  -- When its goods are ready at the pickup.
  ready_at timestamp with time zone,
  -- How long the driver is at the pickup for them. Null: as usual.
  pickup_seconds integer,
  -- What the driver needs. Null: nothing.
  equipment text[],
  -- 0 is normal. Null: not given.
  priority smallint,
  -- It is not handed over before.
  window_from timestamp with time zone,
  -- Promised to the customer. Null: the central promises by its formula.
  window_until timestamp with time zone,
  -- Outside of the window nobody receives it.
  window_is_hard boolean not null default false,
  -- How long the driver is at the stop. Null: as usual.
  service_seconds integer,
  weight_grams integer,
  volume_ml integer,
  packages integer,
  constraint stop_demands_pkey PRIMARY KEY (central_id, stop_id),
  constraint stop_demands_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint stop_demands_equipment_known CHECK (((equipment <@ ARRAY['thermal_bag'::text, 'box'::text, 'thermal_box'::text]) AND (cardinality(equipment) > 0))),
  constraint stop_demands_hard_window_given CHECK (((NOT window_is_hard) OR (num_nonnulls(window_from, window_until) > 0))),
  constraint stop_demands_packages_range CHECK (((packages >= 0) AND (packages <= 10000))),
  constraint stop_demands_pickup_seconds_range CHECK (((pickup_seconds >= 0) AND (pickup_seconds <= 14400))),
  constraint stop_demands_priority_range CHECK (((priority >= 0) AND (priority <= 3))),
  constraint stop_demands_service_seconds_range CHECK (((service_seconds >= 0) AND (service_seconds <= 14400))),
  constraint stop_demands_volume_range CHECK (((volume_ml >= 0) AND (volume_ml <= 100000000))),
  constraint stop_demands_weight_range CHECK (((weight_grams >= 0) AND (weight_grams <= 10000000))),
  constraint stop_demands_window_in_order CHECK ((window_from < window_until))
);

-- The stops of deliveries. Written only under the lock of the delivery that carries them.
create table stops (
  central_id bigint not null,
  id bigint not null,
  -- The delivery that carries the stop now.
  delivery_id bigint not null,
  -- The delivery that the stop was ordered with; differs while that one is grouped. No foreign key: it is written
  -- once, as the delivery that carries the stop then, and deliveries are never deleted.
  ordered_with bigint not null,
  -- Place in the planned order: 0, 1, 2 … without a gap.
  "position" integer not null,
  address text not null,
  -- Floor, flat, shop and the like.
  complement text,
  -- How to find the door.
  reference text,
  district text not null,
  city text not null,
  -- Two letters.
  state text not null,
  -- Degrees, WGS 84.
  lat double precision not null,
  lng double precision not null,
  -- The number of the order in the system of whoever ordered.
  order_number text,
  -- The id of the stop in the system of whoever ordered.
  external_id text,
  recipient_name text,
  recipient_phone text,
  -- For the driver. Personal data, as are recipient, complement and reference.
  note text,
  -- What the driver collects from the recipient. Null: nothing.
  collect_cents bigint,
  -- The four digits that the recipient tells the driver, as a number: 123 is 0123. Null: none given or made yet.
  confirmation_code integer,
  -- Wrong codes entered so far; too many block the stop.
  wrong_codes integer not null default 0,
  -- The secret part of the tracking link, which carries the central too.
  tracking_token text not null,
  -- When the stop was over: handed over, or given up as not_delivered. Null while the stop is open. Later than that of
  -- the stop concluded before, so that it gives the order of the visits.
  concluded_at timestamp with time zone,
  -- Which source found the coordinates: imported addresses, a correction or a service. Null: they came with the order.
  located_by text,
  -- How precisely; see server/src/geo/geocoding/geocoder.ts. Null: the coordinates came with the order.
  located_precision text,
  -- Found less precisely than the central demands, and accepted: somebody should check it.
  to_check boolean not null default false,
  -- When the driver came to the stop, if the driver said so.
  arrived_at timestamp with time zone,
  -- The stop is over and nothing was handed over there: concluded_at says since when. An operator may put it back into
  -- the run.
  not_delivered boolean not null default false,
  -- Who received it, as the driver wrote it. Personal data.
  received_by text,
  -- What the driver collected. Null: nothing was recorded.
  received_cents bigint,
  -- How it was paid; the forms are in server/src/deliveries/orders/request.ts.
  received_payment text,
  -- The driver who concluded it. It stays that driver's when the delivery passes to another one. Null of a concluded
  -- stop: the delivery's driver, who has not changed since.
  concluded_by bigint,
  constraint stops_pkey PRIMARY KEY (central_id, id),
  constraint stops_one_per_position UNIQUE (central_id, delivery_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint stops_tracking_token_unique UNIQUE (central_id, tracking_token),
  constraint stops_concluded_by_fkey FOREIGN KEY (central_id, concluded_by) REFERENCES drivers(central_id, id),
  constraint stops_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint stops_collect_not_negative CHECK ((collect_cents >= 0)),
  constraint stops_confirmation_code_range CHECK (((confirmation_code >= 0) AND (confirmation_code <= 9999))),
  constraint stops_lat_range CHECK (((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision))),
  constraint stops_lng_range CHECK (((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision))),
  constraint stops_not_delivered_is_over CHECK (((NOT not_delivered) OR (concluded_at IS NOT NULL))),
  constraint stops_position_not_negative CHECK (("position" >= 0)),
  constraint stops_received_not_negative CHECK ((received_cents >= 0))
);
CREATE INDEX stops_order_number ON stops USING btree (central_id, order_number, delivery_id) WHERE (order_number IS NOT NULL);
CREATE INDEX stops_ordered_with ON stops USING btree (central_id, ordered_with);
CREATE INDEX stops_phone ON stops USING btree (central_id, phone_digits(recipient_phone), id) WHERE (recipient_phone IS NOT NULL);
CREATE INDEX stops_to_check ON stops USING btree (central_id, delivery_id) WHERE to_check;
CREATE TRIGGER stops_changed AFTER UPDATE OF delivery_id, "position", address, complement, district, city, state, lat, lng, order_number ON stops FOR EACH ROW EXECUTE FUNCTION mark_stop_changed();
CREATE CONSTRAINT TRIGGER stops_dense AFTER DELETE OR UPDATE OF delivery_id, "position" ON stops DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION assert_dense_stops('delivery');
CREATE TRIGGER stops_inserted AFTER INSERT ON stops REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION check_inserted_stops('delivery');

-- Prices of a category in an area. The price of a delivery is computed in server/src/money/pricing/price.ts.
create table tariffs (
  central_id bigint not null,
  id bigint not null,
  category_id bigint not null,
  -- Null: applies where the category has no tariff for the area.
  area_id bigint,
  name text not null,
  -- Charged for every delivery, before distance and time.
  base_cents bigint not null,
  -- Cents and fractions of a cent, per kilometre.
  per_km_cents numeric(12,4) not null,
  -- Cents and fractions of a cent, per minute.
  per_minute_cents numeric(12,4) not null,
  -- For each stop after the first.
  per_extra_stop_cents bigint not null,
  -- The way back is charged at this share of its kilometres and minutes.
  return_factor numeric(6,4) not null default 1,
  -- The lowest price before the discount.
  minimum_cents bigint not null,
  -- Hours at which the price is multiplied, in local time: {days, from, to, factor}. The first window that fits
  -- applies.
  windows jsonb not null default '[]'::jsonb,
  -- How much of a delivery its driver earns; the form is in server/src/money/pricing/share.ts. Null: what the
  -- central's settings say.
  share jsonb,
  constraint tariffs_pkey PRIMARY KEY (central_id, id),
  constraint tariffs_one_per_category_and_area UNIQUE NULLS NOT DISTINCT (central_id, category_id, area_id),
  constraint tariffs_area_fkey FOREIGN KEY (central_id, area_id) REFERENCES operating_areas(central_id, id),
  constraint tariffs_category_fkey FOREIGN KEY (central_id, category_id) REFERENCES categories(central_id, id),
  constraint tariffs_base_not_negative CHECK ((base_cents >= 0)),
  constraint tariffs_minimum_not_negative CHECK ((minimum_cents >= 0)),
  constraint tariffs_name_given CHECK ((name <> ''::text)),
  constraint tariffs_per_extra_stop_not_negative CHECK ((per_extra_stop_cents >= 0)),
  constraint tariffs_per_km_not_negative CHECK ((per_km_cents >= (0)::numeric)),
  constraint tariffs_per_minute_not_negative CHECK ((per_minute_cents >= (0)::numeric)),
  constraint tariffs_return_factor_not_negative CHECK ((return_factor >= (0)::numeric)),
  constraint tariffs_windows_array CHECK ((jsonb_typeof(windows) = 'array'::text))
);
CREATE TRIGGER tariffs_announce_change AFTER INSERT OR DELETE OR UPDATE ON tariffs FOR EACH ROW EXECUTE FUNCTION announce_register_change();

-- Logins. A user whose events or wallet entries exist cannot be deleted, only made inactive.
create table users (
  central_id bigint not null,
  id bigint not null,
  -- Without a colon, which separates it from the password in HTTP Basic authentication.
  username text not null,
  -- argon2id, with its parameters and salt; see server/src/centrals/passwords.ts.
  password_hash text not null,
  -- What each may do is one table in server/src/centrals/permissions.ts. A manager sees one company, a driver what is
  -- offered to or carried by that driver, the others the whole central.
  role text not null,
  -- Of a manager; null for other roles.
  company_id bigint,
  -- Of a driver; null for other roles.
  driver_id bigint,
  active boolean not null default true,
  -- A program acts as a user of its own, so that events, the audit log and repeated requests name it. It never logs in
  -- with a password and is not shown among the users. Its label and scopes are in programs.
  is_program boolean not null default false,
  constraint users_pkey PRIMARY KEY (central_id, id),
  constraint users_username_unique UNIQUE (central_id, username),
  constraint users_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint users_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id),
  constraint users_driver_fkey FOREIGN KEY (central_id, driver_id) REFERENCES drivers(central_id, id),
  constraint users_driver_has_driver CHECK (((role = 'driver'::text) = (driver_id IS NOT NULL))),
  constraint users_manager_has_company CHECK (((role = 'manager'::text) = (company_id IS NOT NULL))),
  constraint users_role_known CHECK ((role = ANY (ARRAY['operator'::text, 'supervisor'::text, 'finance'::text, 'attendant'::text, 'viewer'::text, 'integrator'::text, 'manager'::text, 'driver'::text]))),
  constraint users_username_form CHECK (((username <> ''::text) AND (POSITION((':'::text) IN (username)) = 0)))
);
CREATE TRIGGER users_announce_change AFTER INSERT OR DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION announce_register_change();
CREATE TRIGGER users_end_device_invites AFTER UPDATE OF password_hash, active, role, company_id, driver_id ON users FOR EACH ROW EXECUTE FUNCTION end_device_invites();
CREATE TRIGGER users_end_sessions AFTER UPDATE OF password_hash, active, role, company_id, driver_id ON users FOR EACH ROW EXECUTE FUNCTION end_sessions();

-- The ledger, append-only.
create table wallet_entries (
  central_id bigint not null,
  id bigint not null,
  company_id bigint not null,
  -- Place in the statement: 1, 2, 3 … Given by the trigger under the wallet's lock; ids are taken before the lock and
  -- may overtake each other.
  number bigint not null,
  -- top_up and withdrawal are made by hand. A delivery holds its price when it is ordered (reserve) and gives it back
  -- when it ends (release); one that is finished then charges its final price (settlement), a cancelled one perhaps a
  -- cancellation_fee.
  kind text not null,
  -- Positive is credit to the company, negative is taken from it.
  amount_cents bigint not null,
  -- The balance after this entry. Given by the trigger.
  balance_after_cents bigint not null,
  -- Null for entries made by hand: top_up and withdrawal.
  delivery_id bigint,
  -- May be removed later (personal data); nothing else of an entry ever changes.
  note text,
  -- Who made the entry. Null: the service.
  user_id bigint,
  created_at timestamp with time zone not null,
  constraint wallet_entries_pkey PRIMARY KEY (central_id, id),
  constraint wallet_entries_delivery_fkey FOREIGN KEY (central_id, delivery_id) REFERENCES deliveries(central_id, id),
  constraint wallet_entries_user_fkey FOREIGN KEY (central_id, user_id) REFERENCES users(central_id, id),
  constraint wallet_entries_wallet_fkey FOREIGN KEY (central_id, company_id) REFERENCES wallets(central_id, company_id),
  constraint wallet_entries_amount_not_zero CHECK ((amount_cents <> 0)),
  constraint wallet_entries_by_hand_or_delivery CHECK (((kind = ANY (ARRAY['top_up'::text, 'withdrawal'::text])) = (delivery_id IS NULL))),
  constraint wallet_entries_kind_known CHECK ((kind = ANY (ARRAY['top_up'::text, 'withdrawal'::text, 'reserve'::text, 'release'::text, 'settlement'::text, 'cancellation_fee'::text]))),
  constraint wallet_entries_top_up_positive CHECK (((kind <> 'top_up'::text) OR (amount_cents > 0))),
  constraint wallet_entries_withdrawal_negative CHECK (((kind <> 'withdrawal'::text) OR (amount_cents < 0)))
);
CREATE INDEX wallet_entries_by_time ON wallet_entries USING btree (central_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX wallet_entries_newest ON wallet_entries USING btree (central_id, company_id, number DESC);
CREATE INDEX wallet_entries_noted ON wallet_entries USING btree (central_id, created_at, id) WHERE (note IS NOT NULL);
CREATE INDEX wallet_entries_of_company ON wallet_entries USING btree (central_id, company_id, created_at DESC, id DESC);
CREATE TRIGGER wallet_entries_add BEFORE INSERT ON wallet_entries FOR EACH ROW EXECUTE FUNCTION add_to_balance();
CREATE TRIGGER wallet_entries_append_only BEFORE DELETE OR UPDATE ON wallet_entries FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER wallet_entries_no_truncate BEFORE TRUNCATE ON wallet_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- One per company, created with it.
create table wallets (
  central_id bigint not null,
  company_id bigint not null,
  -- The sum of its entries. Written by the trigger of wallet_entries only.
  balance_cents bigint not null default 0,
  -- The number of its entries; gives each entry its number.
  entry_count bigint not null default 0,
  constraint wallets_pkey PRIMARY KEY (central_id, company_id),
  constraint wallets_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint wallets_not_overdrawn CHECK ((balance_cents >= 0))
);

-- One row for each event and each webhook that receives it, written with the event: what was committed will be sent.
create table webhook_messages (
  central_id bigint not null,
  -- The id of the event times 1,024, plus a number within the event: a central has at most 500 webhooks. So it needs
  -- no counter.
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  -- Messages of one subject arrive in order: a delivery, its positions, a scheduled delivery, a test, a driver, a
  -- driver's account, or a company.
  subject text not null,
  -- The order within the subject: the sequence of the event, or its time in microseconds where it has none.
  place bigint not null,
  -- Of the event, so that the log and a replay of a time range are one index.
  occurred_at timestamp with time zone not null,
  -- waiting until its webhook has confirmed it (delivered), refused it too often (failed) or it is too old (expired).
  -- A replay makes it wait again.
  state text not null default 'waiting'::text,
  -- Attempts since it was written or replayed.
  attempts integer not null default 0,
  -- Attempts that failed while the webhook took others. These decide when this message has failed.
  refusals integer not null default 0,
  -- Not sent before; moves away with every failure.
  next_attempt_at timestamp with time zone not null,
  -- Not sent from then on: an old position is worse than none. Null: never expires.
  expires_at timestamp with time zone,
  -- Held by a sender until then. The hold of a dead sender runs out.
  held_until timestamp with time zone,
  -- The process that holds it.
  holder uuid,
  last_attempt_at timestamp with time zone,
  -- HTTP status of the last answer. Null: no attempt, or no answer.
  last_status integer,
  last_duration_ms integer,
  -- The beginning of the last answer's body.
  last_answer text,
  last_error text,
  delivered_at timestamp with time zone,
  -- When it was last sent again on request. Null: never.
  replayed_at timestamp with time zone,
  constraint webhook_messages_pkey PRIMARY KEY (central_id, id),
  constraint webhook_messages_event_fkey FOREIGN KEY (central_id, event_id) REFERENCES events(central_id, id) ON DELETE CASCADE,
  constraint webhook_messages_webhook_fkey FOREIGN KEY (central_id, webhook_id) REFERENCES webhooks(central_id, id) ON DELETE CASCADE,
  constraint webhook_messages_held_has_holder CHECK (((held_until IS NULL) = (holder IS NULL))),
  constraint webhook_messages_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX webhook_messages_delivered ON webhook_messages USING btree (central_id, webhook_id, delivered_at DESC) WHERE (delivered_at IS NOT NULL);
CREATE INDEX webhook_messages_due ON webhook_messages USING btree (central_id, webhook_id, next_attempt_at, event_id) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_messages_event ON webhook_messages USING btree (central_id, event_id);
CREATE INDEX webhook_messages_expiring ON webhook_messages USING btree (expires_at) WHERE ((state = 'waiting'::text) AND (expires_at IS NOT NULL));
CREATE INDEX webhook_messages_held ON webhook_messages USING btree (central_id, webhook_id, held_until) WHERE (held_until IS NOT NULL);
CREATE INDEX webhook_messages_log ON webhook_messages USING btree (central_id, webhook_id, occurred_at DESC, id DESC);
CREATE INDEX webhook_messages_order ON webhook_messages USING btree (central_id, webhook_id, subject, place) WHERE (state = 'waiting'::text);

-- Endpoints that receive events.
create table webhooks (
  central_id bigint not null,
  id bigint not null,
  -- Receives events of this company only. Null: of the whole central.
  company_id bigint,
  url text not null,
  -- The event types that it receives.
  types text[] not null,
  -- Signs every message, so it is no digest. Encrypted, where the service has a MALOTE_SECRET_KEY.
  secret text not null,
  -- After a rotation both secrets sign until previous_secret_until, so that the receiver has time to change.
  previous_secret text,
  previous_secret_until timestamp with time zone,
  active boolean not null default true,
  -- Failed attempts in a row. 0: the last attempt succeeded.
  failures integer not null default 0,
  -- Null: not failing. A webhook that fails for long is paused.
  failing_since timestamp with time zone,
  -- While it fails: no message is sent before. Null: not failing.
  next_attempt_at timestamp with time zone,
  -- Null: not paused.
  paused_at timestamp with time zone,
  -- The last failure outlives the message that failed, which may have been delivered since. Null: none so far.
  last_failure_at timestamp with time zone,
  last_failure_status integer,
  last_failure_error text,
  created_at timestamp with time zone not null,
  -- Nobody sees it any more. Its messages, which may be many, are deleted in steps, and then the row.
  deleted_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (central_id, id),
  constraint webhooks_central_fkey FOREIGN KEY (central_id) REFERENCES centrals(id),
  constraint webhooks_company_fkey FOREIGN KEY (central_id, company_id) REFERENCES companies(central_id, id) ON DELETE CASCADE,
  constraint webhooks_deleted_is_inactive CHECK (((deleted_at IS NULL) OR (NOT active))),
  constraint webhooks_failing_has_time CHECK (((failing_since IS NULL) = (failures = 0))),
  constraint webhooks_types_given CHECK ((cardinality(types) > 0))
);
CREATE INDEX webhooks_deleted ON webhooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Keeps the wallet's row equal to its ledger.
CREATE OR REPLACE FUNCTION add_to_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update wallets set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count into new.balance_after_cents, new.number;
  return new;
end $function$;

-- Keeps a company's account equal to its ledger.
CREATE OR REPLACE FUNCTION add_to_company_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.company_id is null then
    return new;
  end if;
  insert into company_accounts (central_id, company_id) values (new.central_id, new.company_id) on conflict do nothing;
  update company_accounts set balance_cents = balance_cents + new.amount_cents, entry_count = entry_count + 1,
      last_day = greatest(last_day, new.day)
    where central_id = new.central_id and company_id = new.company_id
    returning balance_cents, entry_count, last_day into new.balance_after_cents, new.number, new.day;
  return new;
end $function$;

-- Keeps a driver's account and day totals equal to the ledger.
CREATE OR REPLACE FUNCTION add_to_driver_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  earned bigint := case when new.kind in ('share', 'adjustment') then new.amount_cents else 0 end;
  collected bigint := case when new.kind = 'collected' then -new.amount_cents else 0 end;
  cash bigint := case when new.kind in ('collected', 'handed_in') then -new.amount_cents else 0 end;
begin
  insert into driver_accounts (central_id, driver_id) values (new.central_id, new.driver_id) on conflict do nothing;
  update driver_accounts set balance_cents = balance_cents + new.amount_cents,
      cash_cents = cash_cents + cash - new.settled_cash_cents,
      entry_count = entry_count + 1, last_day = greatest(last_day, new.day)
    where central_id = new.central_id and driver_id = new.driver_id
    returning balance_cents, cash_cents, entry_count, last_day
    into new.balance_after_cents, new.cash_after_cents, new.number, new.day;
  if earned <> 0 or collected <> 0 then
    insert into driver_days as known (central_id, driver_id, day, earned_cents, collected_cents)
    values (new.central_id, new.driver_id, new.day, earned, collected)
    on conflict (central_id, driver_id, day) do update
      set earned_cents = known.earned_cents + excluded.earned_cents,
        collected_cents = known.collected_cents + excluded.collected_cents;
  end if;
  return new;
end $function$;

-- The same as announce_register_change, for the row of the central itself.
CREATE OR REPLACE FUNCTION announce_central_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise notice 'malote_register %', new.id;
  return null;
end $function$;

-- Processes keep identities and registers in memory. The writing process turns this notice into a NOTIFY after the
-- commit (server/src/platform/postgres/listen.ts), and all processes load that central's again. They do so after 15
-- seconds anyway, so a change made by another program is noticed too.
CREATE OR REPLACE FUNCTION announce_register_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise notice 'malote_register %', coalesce(new.central_id, old.central_id);
  return null;
end $function$;

-- At the commit, the cash collected at a stop, or for a delivery as a whole, is the same in both accounts.
CREATE OR REPLACE FUNCTION assert_cash_on_both_sides()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  collected_at bigint := new.stop_id;
  of_driver bigint;
  of_company bigint;
begin
  -- A reversal belongs to the stop of the entry that it takes back.
  if tg_argv[0] = 'driver' then
    if new.reverses_id is not null then
      select stop_id into collected_at from driver_entries
        where central_id = new.central_id and id = new.reverses_id;
    end if;
  end if;
  select coalesce(sum(cash.amount_cents + coalesce(taken.amount_cents, 0)), 0) into of_driver
    from driver_entries cash
    left join driver_entries taken on taken.central_id = new.central_id and taken.reverses_id = cash.id
    where cash.central_id = new.central_id and cash.delivery_id = new.delivery_id and cash.kind = 'collected'
      and cash.reverses_id is null and cash.stop_id is not distinct from collected_at;
  select coalesce(sum(amount_cents), 0) into of_company from company_entries
    where central_id = new.central_id and delivery_id = new.delivery_id and kind = 'cash'
      and stop_id is not distinct from collected_at;
  if of_driver <> of_company then
    raise exception 'the cash of delivery % in the accounts of the driver and of the company differ: % and %',
      new.delivery_id, of_driver, of_company
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $function$;

-- At the commit the positions of a carrier run without a gap: each but the first has the one before it.
CREATE OR REPLACE FUNCTION assert_dense_stops()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  carrier bigint;
begin
  if tg_argv[0] = 'delivery' then
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position - 1)
        and exists (
          select from stops where central_id = new.central_id and delivery_id = new.delivery_id
            and position = new.position) then
        carrier = new.delivery_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position)
        and exists (
          select from stops where central_id = old.central_id and delivery_id = old.delivery_id
            and position = old.position + 1) then
        carrier = old.delivery_id;
      end if;
    end if;
  else
    if tg_op <> 'DELETE' and new.position > 0 then
      if not exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position - 1)
        and exists (
          select from scheduled_stops where central_id = new.central_id and scheduled_id = new.scheduled_id
            and position = new.position) then
        carrier = new.scheduled_id;
      end if;
    end if;
    if tg_op <> 'INSERT' then
      if not exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position)
        and exists (
          select from scheduled_stops where central_id = old.central_id and scheduled_id = old.scheduled_id
            and position = old.position + 1) then
        carrier = old.scheduled_id;
      end if;
    end if;
  end if;
  if carrier is not null then
    raise exception 'stops of % % leave a gap', tg_argv[0], carrier using errcode = 'check_violation';
  end if;
  return null;
end $function$;

-- A stop whose previous one is not inserted by the same statement is checked at the commit, as if it had been moved:
-- its position is written again, which calls assert_dense_stops.
CREATE OR REPLACE FUNCTION check_inserted_stops()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

-- What ends the sessions of a user ends the invitations too.
CREATE OR REPLACE FUNCTION end_device_invites()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from device_invites where central_id = new.central_id and user_id = new.id;
  return null;
end $function$;

-- A new password, another role or scope, or a user made inactive ends the sessions that began before.
CREATE OR REPLACE FUNCTION end_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Whoever saves a user sets all columns, changed or not.
  if (old.password_hash, old.active, old.role, old.company_id, old.driver_id) is not distinct from
    (new.password_hash, new.active, new.role, new.company_id, new.driver_id) then
    return null;
  end if;
  delete from sessions where central_id = new.central_id and user_id = new.id;
  return null;
end $function$;

-- Writes the messages of the events that a statement records, in its transaction. A test goes to the webhook that it
-- names. The notice tells the recording process what to announce after the commit, for each event: the central, the
-- event if live feeds read it, and whether there is something to send; server/src/platform/postgres/listen.ts says why
-- it is no NOTIFY.
CREATE OR REPLACE FUNCTION fan_out_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  event record;
  central bigint;
  has_webhooks boolean;
  sends boolean;
  notices text;
begin
  for event in select * from inserted loop
    if event.central_id is distinct from central then
      central = event.central_id;
      has_webhooks = exists (select from webhooks w where w.central_id = central and w.active);
    end if;
    sends = false;
    if has_webhooks then
      insert into webhook_messages (central_id, id, webhook_id, event_id, subject, place, occurred_at, next_attempt_at,
        expires_at)
      select w.central_id, event.id * 1024 + row_number() over (order by w.id), w.id, event.id,
        case when event.type = 'delivery.position' then 'position ' || event.delivery_id
             when event.delivery_id is not null then 'delivery ' || event.delivery_id
             when event.scheduled_id is not null then 'scheduled ' || event.scheduled_id
             when event.type = 'webhook.test' then 'test ' || event.id
             -- The entries of an account have a counter of their own.
             when event.type = 'driver.entry' then 'account ' || (event.payload ->> 'driverId')
             when event.type like 'driver.%' then 'driver ' || (event.payload ->> 'driverId')
             else 'company ' || coalesce(event.company_id, 0) end,
        coalesce(event.sequence, (extract(epoch from event.occurred_at) * 1000000)::bigint),
        event.occurred_at, event.occurred_at,
        case when event.type = 'delivery.position' then event.occurred_at + interval '15 seconds' end
      from webhooks w
      where w.central_id = central and w.active
        and (w.company_id is null or w.company_id = event.company_id)
        and case when event.type = 'webhook.test' then w.id = (event.payload ->> 'webhookId')::bigint
                 else event.type = any (w.types) end;
      sends = found;
    end if;
    notices = concat_ws(', ', notices, central
      || case when event.sequence is null then '' else ' ' || event.id end
      || case when sends then ' send' else '' end);
  end loop;
  if notices is not null then
    raise notice 'malote_event %', notices;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION fold_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g')),
    '\s+', ' ', 'g'))
$function$;

-- Marks a row with the transaction that changes what is shown of it. A reader takes rows of transactions before the
-- oldest that still runs: no other row can come in there later.
CREATE OR REPLACE FUNCTION mark_delivery_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if tg_op = 'UPDATE' then
    -- The first change of a transaction marks the row, so that its further updates of the row need no index entries.
    if old.changed_in = own then
      return new;
    end if;
    if (old.version, old.status, old.grouped_into, old.company_id, old.customer_id, old.category_id, old.tariff_id,
          old.payment, old.has_return, old.coupon_id, old.discount_percent, old.pickup_address,
          old.pickup_complement, old.pickup_reference, old.pickup_district, old.pickup_city, old.pickup_state,
          old.pickup_lat, old.pickup_lng, old.net_cents, old.cancellation_fee_cents, old.driver_id,
          old.driver_specified, old.driver_to_pickup_metres, old.travelled_metres, old.requested_at, old.pending_at,
          old.accepted_at, old.arrived_at, old.started_at, old.finished_at, old.cancelled_at, old.external_id,
          old.personal_data_removed_at)
      is distinct from (new.version, new.status, new.grouped_into, new.company_id, new.customer_id, new.category_id,
          new.tariff_id, new.payment, new.has_return, new.coupon_id, new.discount_percent, new.pickup_address,
          new.pickup_complement, new.pickup_reference, new.pickup_district, new.pickup_city, new.pickup_state,
          new.pickup_lat, new.pickup_lng, new.net_cents, new.cancellation_fee_cents, new.driver_id,
          new.driver_specified, new.driver_to_pickup_metres, new.travelled_metres, new.requested_at, new.pending_at,
          new.accepted_at, new.arrived_at, new.started_at, new.finished_at, new.cancelled_at, new.external_id,
          new.personal_data_removed_at) then
      new.changed_in = own;
      new.changed_at = clock_timestamp();
    end if;
  else
    new.changed_in = own;
    new.changed_at = clock_timestamp();
  end if;
  return new;
end $function$;

-- A grouped scheduled delivery shows the delivery that its grouper became.
CREATE OR REPLACE FUNCTION mark_grouped_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  update scheduled set changed_in = own, changed_at = clock_timestamp()
  where central_id = new.central_id and grouped_into = new.id and changed_in <> own;
  return null;
end $function$;

-- As mark_delivery_changed.
CREATE OR REPLACE FUNCTION mark_scheduled_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if tg_op = 'UPDATE' then
    -- The first change of a transaction marks the row, so that its further updates of the row need no index entries.
    if old.changed_in = own then
      return new;
    end if;
    if (old.version, old.situation, old.dispatch_at, old.delivery_id, old.grouped_into, old.note, old.company_id,
          old.category_id, old.net_cents, old.pickup_address, old.pickup_complement, old.pickup_reference,
          old.pickup_district, old.pickup_city, old.pickup_state, old.pickup_lat, old.pickup_lng, old.external_id,
          old.personal_data_removed_at)
      is distinct from (new.version, new.situation, new.dispatch_at, new.delivery_id, new.grouped_into, new.note,
          new.company_id, new.category_id, new.net_cents, new.pickup_address, new.pickup_complement,
          new.pickup_reference, new.pickup_district, new.pickup_city, new.pickup_state, new.pickup_lat,
          new.pickup_lng, new.external_id, new.personal_data_removed_at) then
      new.changed_in = own;
      new.changed_at = clock_timestamp();
    end if;
  else
    new.changed_in = own;
    new.changed_at = clock_timestamp();
  end if;
  return new;
end $function$;

-- As mark_stop_changed.
CREATE OR REPLACE FUNCTION mark_scheduled_stop_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if (old.scheduled_id, old.position, old.address, old.complement, old.reference, old.district, old.city, old.state,
          old.lat, old.lng, old.order_number, old.recipient_name, old.recipient_phone, old.note)
      is distinct from (new.scheduled_id, new.position, new.address, new.complement, new.reference, new.district,
          new.city, new.state, new.lat, new.lng, new.order_number, new.recipient_name, new.recipient_phone, new.note) then
    update scheduled set changed_in = own, changed_at = clock_timestamp()
    where central_id = new.central_id and id = new.scheduled_id and changed_in <> own;
  end if;
  return null;
end $function$;

-- Registers have no events: a change of what can be searched marks the entry, and the announcement wakes whoever
-- indexes.
CREATE OR REPLACE FUNCTION mark_search_outdated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into search_entries (central_id, noun, id, words, sequence)
  values (coalesce(new.central_id, old.central_id), tg_argv[0], coalesce(new.id, old.id), '', -1)
  on conflict (central_id, noun, id) do update set sequence = -1;
  raise notice 'malote_event %', coalesce(new.central_id, old.central_id);
  return null;
end $function$;

-- The stops are part of what is shown of their carrier.
CREATE OR REPLACE FUNCTION mark_stop_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  own constant bigint = pg_current_xact_id()::text::bigint;
begin
  if (old.delivery_id, old.position, old.address, old.complement, old.district, old.city, old.state, old.lat,
          old.lng, old.order_number)
      is distinct from (new.delivery_id, new.position, new.address, new.complement, new.district, new.city,
          new.state, new.lat, new.lng, new.order_number) then
    update deliveries set changed_in = own, changed_at = clock_timestamp()
    where central_id = new.central_id and id = new.delivery_id and changed_in <> own;
  end if;
  return null;
end $function$;

-- Moves the words that are kept aside into the index. With the rights of its owner, which that takes and a service
-- that does not own the tables lacks.
CREATE OR REPLACE FUNCTION merge_search_words()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform gin_clean_pending_list('search_entries_words');
end $function$;

-- Area code and number without the country, as in server/src/platform/kernel/documents.ts.
CREATE OR REPLACE FUNCTION phone_digits(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^55(\d{10,})$', '\1')
$function$;

-- Wakes the phones of drivers to whom a delivery is offered, given or taken away, or whose delivery is changed or
-- cancelled.
CREATE OR REPLACE FUNCTION queue_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  message record;
begin
  -- The lock waits for a phone that is signing out. Without it the foreign key of the message would wait, and fail.
  for message in select subscription.device_id, meant.kind
  from (
    select 'offer' as kind, jsonb_path_query(new.payload, '$.offeredTo[*]') as driver_id
    where new.type = 'delivery.status' and new.payload ->> 'status' = 'offered'
    union all
    select 'cancellation', new.payload -> 'driverId'
    where new.type = 'delivery.status' and new.payload ->> 'status' = 'cancelled'
    union all
    select 'taken_away', new.payload -> 'previousDriverId'
    where new.type = 'delivery.driver_changed'
      or new.type = 'delivery.status' and new.payload ->> 'status' = 'awaiting_release'
    union all
    select 'received', new.payload -> 'driverId' where new.type = 'delivery.driver_changed'
    union all
    select 'change', new.payload -> 'driverId' where new.type = 'delivery.changed') meant
  join push_subscriptions subscription on subscription.central_id = new.central_id
    and subscription.driver_id = (meant.driver_id #>> '{}')::bigint
  for key share of subscription
  loop
    insert into push_messages (central_id, device_id, event_id, kind, delivery_id, queued_at)
    values (new.central_id, message.device_id, new.id, message.kind, new.delivery_id, new.occurred_at)
    on conflict do nothing;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION queue_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into report_queue (central_id, delivery_id) values (new.central_id, new.delivery_id) on conflict do nothing;
  return null;
end $function$;

-- Nothing of an entry ever changes. Those of a wiped sandbox are deleted.
CREATE OR REPLACE FUNCTION refuse_company_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the ledger of companies is append-only' using errcode = 'restrict_violation';
end $function$;

-- Only the removal of a note passes, and the deletion of a wiped sandbox.
CREATE OR REPLACE FUNCTION refuse_driver_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the ledger of drivers is append-only' using errcode = 'restrict_violation';
end $function$;

-- Only the removal of a note passes, and the deletion of a wiped sandbox.
CREATE OR REPLACE FUNCTION refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.note is null and to_jsonb(new) - 'note' = to_jsonb(old) - 'note' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    if exists (select from centrals where id = old.central_id and sandbox_of is not null and not active) then
      return old;
    end if;
  end if;
  raise exception 'the wallet ledger is append-only' using errcode = 'restrict_violation';
end $function$;

-- An image that is deleted or replaced, in whatever way, leaves the object store too.
CREATE OR REPLACE FUNCTION remove_proof_object()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into proof_removals (central_id, object_key, due_at)
  values (old.central_id, old.object_key, timestamptz 'epoch')
  on conflict do nothing;
  return null;
end $function$;

-- Rounded to about a kilometre: shows a district and no door.
CREATE OR REPLACE FUNCTION rough_degree(degree double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select round(degree::numeric, 2)::double precision
$function$;

-- The street of an address, for records whose personal data is removed.
CREATE OR REPLACE FUNCTION without_door(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(nullif(trim(regexp_replace(
    regexp_replace(address, '\s*([,;/|(]|\s-\s).*$', ''),
    '\s+(n\S{0,2}\s*)?\d+(?!\d*\s+de\s).*$', '', 'i')), ''), '***')
$function$;

comment on index public.centrals_one_sandbox is 'A central has at most one sandbox that is in use.';
