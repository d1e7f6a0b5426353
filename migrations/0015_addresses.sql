-- Streets and house numbers that `malote addresses import` reads. Reference data shared by all centrals, so these
-- tables have no central_id. Look-ups read the current set; an import fills a new one and switches in one step.

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
  'Keys of the words of name, district, municipality and state; see server/src/geocoding/embedded/wordKey.ts.';
comment on column address_streets.lat is 'Of the address nearest to the middle of the street.';
comment on column address_streets.radius_metres is 'Nine of ten addresses are not farther than this from lat and lng.';
comment on column address_streets.extent is 'The bounds, longitude first.';
comment on column address_streets.numbers is
  'House numbers with their places, packed; see server/src/geocoding/embedded/numberTable.ts. One value for each street instead of a row for each number keeps an import short and lets a set be deleted quickly.';

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
