-- no transaction: the indexes are built beside the running service
drop index concurrently if exists deliveries_external_id_unique;
create unique index concurrently deliveries_external_id_unique on deliveries (central_id, external_id, company_id)
  nulls not distinct where external_id is not null;
drop index concurrently if exists scheduled_external_id_unique;
create unique index concurrently scheduled_external_id_unique on scheduled (central_id, external_id, company_id)
  nulls not distinct where external_id is not null;
alter table deliveries validate constraint deliveries_external_id_length;
alter table deliveries validate constraint deliveries_external_content_is_sha256;
alter table deliveries validate constraint deliveries_external_content_has_id;
alter table scheduled validate constraint scheduled_external_id_length;
alter table scheduled validate constraint scheduled_external_content_is_sha256;
alter table scheduled validate constraint scheduled_external_content_has_id;
