-- Before the index: under Citus no function can be created after a change of a distributed table.
create function merge_search_words() returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform gin_clean_pending_list('search_entries_words');
end $$;
comment on function merge_search_words is
  'Moves the words that are kept aside into the index. With the rights of its owner, which that takes and a service that does not own the tables lacks.';

-- Entries are written by the batch, and the words of a batch are much the same. PostgreSQL keeps them aside until there
-- are 64 kB of them, or until it is asked, and then looks each word up once for all of them. A search reads what is kept
-- aside too, so the indexing asks as soon as it has written, once a second at most (server/src/search/startIndexing.ts).
alter index search_entries_words set (fastupdate = on, gin_pending_list_limit = 64);
