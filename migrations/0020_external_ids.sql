-- The key by which a caller knows an order, and a digest of what was ordered with it.

alter table deliveries add column external_id text;
alter table deliveries add column external_content bytea;
alter table deliveries add constraint deliveries_external_id_length
  check (char_length(external_id) between 1 and 100) not valid;
alter table deliveries add constraint deliveries_external_content_is_sha256
  check (octet_length(external_content) = 32) not valid;
alter table deliveries add constraint deliveries_external_content_has_id
  check (external_content is null or external_id is not null) not valid;

alter table scheduled add column external_id text;
alter table scheduled add column external_content bytea;
alter table scheduled add constraint scheduled_external_id_length
  check (char_length(external_id) between 1 and 100) not valid;
alter table scheduled add constraint scheduled_external_content_is_sha256
  check (octet_length(external_content) = 32) not valid;
alter table scheduled add constraint scheduled_external_content_has_id
  check (external_content is null or external_id is not null) not valid;

comment on column deliveries.external_id is
  'Chosen by whoever ordered it; unique among the deliveries of a company, and among those without a company. The deliveries that dispatches make have none.';
comment on column deliveries.external_content is
  'SHA-256 of what the last creation with external_id asked for. Null: no external_id, or personal data was removed.';
comment on column scheduled.external_id is
  'Chosen by whoever ordered it; unique among the scheduled deliveries of a company, and among those without a company.';
comment on column scheduled.external_content is
  'SHA-256 of what the last creation with external_id asked for. Null: no external_id, or personal data was removed.';
