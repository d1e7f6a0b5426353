-- no transaction: the index is built beside the running service
drop index concurrently if exists centrals_one_sandbox;
create unique index concurrently centrals_one_sandbox on centrals (sandbox_of) where active;
comment on index centrals_one_sandbox is 'A central has at most one sandbox that is in use.';
