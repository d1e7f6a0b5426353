-- Entries are written by the batch, and the words of a batch are much the same. Kept aside until there are 64 kB of them,
-- each word is looked up once for all; a search reads what is kept aside too, eight pages at most.
alter index search_entries_words set (fastupdate = on, gin_pending_list_limit = 64);
