-- no transaction: the indexes are built beside the running service
-- The orders of lists. Each begins with what a list is led by, and ends with its order and the number that decides
-- between equal values.
drop index concurrently if exists scheduled_by_situation;
create index concurrently scheduled_by_situation on scheduled (central_id, situation, dispatch_at desc, id desc);
drop index concurrently if exists drivers_by_name;
create index concurrently drivers_by_name on drivers (central_id, fold_name(name), id);
drop index concurrently if exists companies_by_name;
create index concurrently companies_by_name on companies (central_id, fold_name(name), id);
drop index concurrently if exists wallet_entries_by_time;
create index concurrently wallet_entries_by_time on wallet_entries (central_id, created_at desc, id desc);
drop index concurrently if exists wallet_entries_of_company;
create index concurrently wallet_entries_of_company on wallet_entries (central_id, company_id, created_at desc, id desc);
drop index concurrently if exists driver_entries_by_time;
create index concurrently driver_entries_by_time on driver_entries (central_id, created_at desc, id desc);
drop index concurrently if exists driver_entries_of_driver;
create index concurrently driver_entries_of_driver on driver_entries (central_id, driver_id, created_at desc, id desc);
drop index concurrently if exists company_entries_by_time;
create index concurrently company_entries_by_time on company_entries (central_id, created_at desc, id desc);
drop index concurrently if exists company_entries_of_company;
create index concurrently company_entries_of_company on company_entries (central_id, company_id, created_at desc, id desc)
  where company_id is not null;
