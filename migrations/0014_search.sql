-- The index of the search box; docs/decisions/0033-search.md says why it has this shape.

create table search_entries (
  central_id bigint not null,
  noun text not null
    constraint search_entries_noun_known check (noun in ('delivery', 'scheduled', 'company', 'driver', 'customer')),
  id bigint not null,
  words tsvector not null,
  sequence integer not null,
  primary key (central_id, noun, id)
);
-- Entries are written by the batch, and the words of a batch are much the same. PostgreSQL keeps them aside until there
-- are 64 kB of them, or until it is asked, and then looks each word up once for all of them. A search reads what is kept
-- aside too, so the indexing asks as soon as it has written, once a second at most (server/src/insight/search/startIndexing.ts).
create index search_entries_words on search_entries using gin (words) with (fastupdate = on, gin_pending_list_limit = 64);
create index search_entries_outdated on search_entries (central_id, noun, id) where sequence < 0;

comment on table search_entries is
  'What can be found, and by which words. Written in the background by server/src/insight/search; personal data, emptied with the data that it was made of.';
comment on column search_entries.id is 'Of the row that the noun names. No foreign key: entries follow those rows a moment later.';
comment on column search_entries.words is
  'Each word with its central, noun and bucket of ids in front, so that a search reads one bucket of one central at a time, the newest first.';
comment on column search_entries.sequence is
  'The event_sequence of the row when it was indexed; 0 for rows without events. Negative: to be indexed again.';

create table search_words (
  central_id bigint not null,
  noun text not null,
  word text collate "C" not null,
  sound text collate "C" not null,
  variants text[] not null,
  buckets int4multirange not null,
  primary key (central_id, noun, word)
);
create index search_words_sound on search_words (central_id, noun, sound);
create index search_words_variants on search_words using gin (variants) with (fastupdate = off);

comment on table search_words is
  'Every word of the entries once, for typing errors, beginnings of words, and to know where a rare word occurs. A word that no entry has any more is deleted.';
comment on column search_words.sound is
  'The key of server/src/geo/geocoding/embedded/wordKey.ts: spellings that sound alike have the same.';
comment on column search_words.variants is
  'The sound with one letter left out at each place, with central and noun in front. Two words with a typing error between them share one.';
comment on column search_words.buckets is 'The buckets of ids in which the word occurs, or occurred.';

create table search_progress (
  central_id bigint not null,
  looked_until timestamptz not null,
  deliveries_below bigint not null,
  scheduled_below bigint not null,
  constraint search_progress_pkey primary key (central_id),
  constraint search_progress_central_fkey foreign key (central_id) references centrals (id) on delete cascade
);
create index search_progress_unfinished on search_progress (central_id)
  where deliveries_below > 0 or scheduled_below > 0;

comment on table search_progress is
  'How far each central is indexed. Whoever writes entries or words of a central holds the lock of its row.';
comment on column search_progress.looked_until is
  'Events up to this time have been looked at. Later ones are announced when they are committed, and looked for now and then.';
comment on column search_progress.deliveries_below is
  'Deliveries with ids below it may lack an entry: they are older than the index. 0: none.';
comment on column search_progress.scheduled_below is 'The same for scheduled deliveries.';

create function merge_search_words() returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform gin_clean_pending_list('search_entries_words');
end $$;
comment on function merge_search_words is
  'Moves the words that are kept aside into the index. With the rights of its owner, which that takes and a service that does not own the tables lacks.';

create function mark_search_outdated() returns trigger language plpgsql as $$
begin
  insert into search_entries (central_id, noun, id, words, sequence)
  values (coalesce(new.central_id, old.central_id), tg_argv[0], coalesce(new.id, old.id), '', -1)
  on conflict (central_id, noun, id) do update set sequence = -1;
  raise notice 'malote_event %', coalesce(new.central_id, old.central_id);
  return null;
end $$;
comment on function mark_search_outdated is
  'Registers have no events: a change of what can be searched marks the entry, and the announcement wakes whoever indexes.';

create trigger companies_search_changed after insert or delete or
  update of name, document, phone, contract_number, identifier on companies
  for each row execute function mark_search_outdated('company');
create trigger drivers_search_changed after insert or delete or update of name, phone, plate on drivers
  for each row execute function mark_search_outdated('driver');
