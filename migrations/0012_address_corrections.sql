-- Pins that operators and drivers moved to the right place.

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
  primary key (central_id, words, number, municipality, type, district)
);

comment on table address_corrections is
  'Places of addresses as people of the central corrected them; found before any other source.';
comment on column address_corrections.words is
  'Keys of the words of the street''s name; see server/src/geocoding/embedded/wordKey.ts.';
comment on column address_corrections.number is '0: the address has none.';
comment on column address_corrections.municipality is 'The code of IBGE. 0: not known.';
comment on column address_corrections.type is 'The kind of street. Empty: not given.';
comment on column address_corrections.district is 'Standardised. Empty: not given.';
comment on column address_corrections.street is 'As it was written.';
