-- Says why, without a figure that nobody measured.
comment on column address_streets.numbers is
  'House numbers with their places, packed; see server/src/geocoding/embedded/numberTable.ts. One value for each street instead of a row for each number keeps an import short and lets a set be deleted quickly.';
