-- People choose their central by its name when they log in, so no two names may look the same, and none may look
-- like the number of a central, which is accepted in the same place.

-- Case, accents, compatibility forms, invisible characters and runs of spaces do not tell names apart.
-- Immutable, unlike unaccent, so that an index can be built on it.
create function fold_name(name text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g')),
    '\s+', ' ', 'g'))
$$;

-- Until now nothing kept names apart: later ones are given their number, and so are those without a letter.
update centrals set name = 'Central ' || id || ' (' || name || ')' where fold_name(name) !~ '[^0-9 ]';
update centrals later set name = name || ' (' || id || ')'
where exists (
  select 1 from centrals earlier
  where earlier.id < later.id and fold_name(earlier.name) = fold_name(later.name));

alter table centrals add constraint centrals_name_has_letter check (fold_name(name) ~ '[^0-9 ]');
create unique index centrals_name_unique on centrals (fold_name(name));
