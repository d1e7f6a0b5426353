-- Imported streets and house numbers, and what people of a central corrected of them.
--
-- `malote addresses import` writes sets, streets, districts and words. They are reference data shared by all centrals,
-- so these tables have no central_id. Look-ups read the current set; an import fills a new one and switches in one step.

create table address_sets (
  id bigint generated always as identity primary key,
  is_current boolean not null default false,
  sources jsonb not null,
  counts jsonb not null default '{}',
  started_at timestamptz not null,
  finished_at timestamptz,
  constraint address_sets_sources_list check (jsonb_typeof(sources) = 'array'),
  constraint address_sets_current_finished check (finished_at is not null or not is_current)
);
create unique index address_sets_current_unique on address_sets (is_current) where is_current;

comment on table address_sets is
  'One row for each import of addresses. Reference data shared by all centrals.';
comment on column address_sets.is_current is
  'Look-ups read this set. Others are being imported, or are left from an import that ended early.';
comment on column address_sets.sources is 'The imported files: name and kind.';
comment on column address_sets.counts is 'How many rows were read, stored and skipped, and why.';

create table address_streets (
  set_id bigint not null constraint address_streets_set references address_sets on delete cascade,
  id bigint generated always as identity,
  municipality integer not null,
  district text not null,
  name text not null constraint address_streets_name_given check (name <> ''),
  tokens text[] not null,
  postcodes integer[] not null,
  lat double precision not null,
  lng double precision not null,
  radius_metres integer not null,
  extent box not null,
  address_count integer not null,
  numbers bytea not null,
  primary key (set_id, id)
);
create index address_streets_tokens on address_streets using gin (tokens) with (fastupdate = off);
create index address_streets_postcodes on address_streets using gin (postcodes) with (fastupdate = off);
create index address_streets_extent on address_streets using gist (extent);

comment on table address_streets is
  'A street within one district of a municipality, with its house numbers. Reference data shared by all centrals.';
comment on column address_streets.municipality is 'The code of IBGE.';
comment on column address_streets.tokens is
  'Keys of the words of name, district, municipality and state; see server/src/geo/geocoding/embedded/wordKey.ts.';
comment on column address_streets.lat is 'Of the address nearest to the middle of the street.';
comment on column address_streets.radius_metres is 'Nine of ten addresses are not farther than this from lat and lng.';
comment on column address_streets.extent is 'The bounds, longitude first.';
comment on column address_streets.numbers is
  'House numbers with their places, packed; see server/src/geo/geocoding/embedded/numberTable.ts. One value for each street instead of a row for each number keeps an import short and lets a set be deleted quickly.';

create table address_districts (
  set_id bigint not null constraint address_districts_set references address_sets on delete cascade,
  municipality integer not null,
  name text not null,
  tokens text[] not null,
  lat double precision not null,
  lng double precision not null,
  radius_metres integer not null,
  address_count integer not null,
  primary key (set_id, municipality, name)
);
create index address_districts_tokens on address_districts using gin (tokens) with (fastupdate = off);

comment on table address_districts is
  'Districts of municipalities, for addresses whose street is not known. Reference data shared by all centrals.';

create table address_words (
  set_id bigint not null constraint address_words_set references address_sets on delete cascade,
  -- In the order of bytes, so that the primary key finds words by how they begin.
  word text collate "C" not null,
  uses integer not null,
  variants text[] not null,
  primary key (set_id, word)
);
create index address_words_variants on address_words using gin (variants) with (fastupdate = off);

comment on table address_words is
  'Every key in the tokens of streets and districts, to correct typing errors. Reference data shared by all centrals.';
comment on column address_words.uses is 'In how many streets and districts it is; rare words decide more.';
comment on column address_words.variants is 'The key, and what is left of it without any one letter.';

create table address_corrections (
  central_id bigint not null constraint address_corrections_central references centrals,
  words text not null,
  number integer not null,
  municipality integer not null,
  type text not null,
  district text not null,
  street text not null,
  city text not null,
  state text not null,
  lat double precision not null constraint address_corrections_lat_range check (lat between -90 and 90),
  lng double precision not null constraint address_corrections_lng_range check (lng between -180 and 180),
  origin text not null constraint address_corrections_origin_known check (origin in ('operator', 'driver')),
  corrected_at timestamptz not null,
  corrected_by bigint,
  primary key (central_id, words, number, municipality, type, district)
);

comment on table address_corrections is
  'Places of addresses as people of the central corrected them; found before any other source.';
comment on column address_corrections.words is
  'Keys of the words of the street''s name; see server/src/geo/geocoding/embedded/wordKey.ts.';
comment on column address_corrections.number is '0: the address has none.';
comment on column address_corrections.municipality is 'The code of IBGE. 0: not known.';
comment on column address_corrections.type is 'The kind of street. Empty: not given.';
comment on column address_corrections.district is 'Standardised. Empty: not given.';
comment on column address_corrections.street is 'As it was written.';
comment on column address_corrections.corrected_by is
  'The user who placed it. No foreign key: the correction outlives the user. Null: not known.';

create table address_proposals (
  central_id bigint not null constraint address_proposals_central_fkey references centrals,
  id bigint not null,
  delivery_id bigint not null,
  stop_id bigint not null,
  driver_id bigint not null,
  user_id bigint,
  line text not null,
  district text,
  city text,
  state text,
  lat double precision not null constraint address_proposals_lat_range check (lat between -90 and 90),
  lng double precision not null constraint address_proposals_lng_range check (lng between -180 and 180),
  metres integer not null constraint address_proposals_metres_not_negative check (metres >= 0),
  proposed_at timestamptz not null,
  primary key (central_id, id),
  constraint address_proposals_one_per_stop unique (central_id, stop_id)
);
create index address_proposals_old on address_proposals (proposed_at);

comment on table address_proposals is
  'Positions of addresses that drivers propose and that have no effect until the central accepts them. Deleted when decided, when old, and with the personal data of the delivery.';
comment on column address_proposals.user_id is 'The login that proposed it.';
comment on column address_proposals.line is 'The address of the stop as it was written.';
comment on column address_proposals.metres is 'From the position of the stop to the proposed one.';
