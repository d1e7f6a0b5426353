-- no transaction: the indexes are dropped beside the running service
-- The list of one account follows its numbers since lists have cursors of their own; these followed its times.
drop index concurrently if exists driver_entries_of_driver;
drop index concurrently if exists company_entries_of_company;
