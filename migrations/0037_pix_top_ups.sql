-- Pix codes with which companies pay for credit. The credit itself is entered when the money has arrived.

create table pix_top_ups (
  central_id bigint not null,
  identifier text not null
    constraint pix_top_ups_identifier_form check (identifier ~ '^[A-Z0-9]{1,25}$'),
  company_id bigint not null,
  amount_cents bigint not null constraint pix_top_ups_amount_positive check (amount_cents > 0),
  requested_at timestamptz not null,
  user_id bigint,
  entry_id bigint,
  primary key (central_id, identifier),
  constraint pix_top_ups_one_entry unique (central_id, entry_id),
  constraint pix_top_ups_company_fkey foreign key (central_id, company_id) references companies (central_id, id),
  constraint pix_top_ups_user_fkey foreign key (central_id, user_id) references users (central_id, id),
  constraint pix_top_ups_entry_fkey foreign key (central_id, entry_id) references wallet_entries (central_id, id)
);
create index pix_top_ups_awaited on pix_top_ups (central_id, company_id, requested_at desc) where entry_id is null;
comment on table pix_top_ups is
  'Pix codes that were made for the wallet of a company. Each is credited at most once.';
comment on column pix_top_ups.identifier is 'What the receiver finds on the bank statement.';
comment on column pix_top_ups.user_id is 'Who asked for the code.';
comment on column pix_top_ups.entry_id is 'The entry that credited it. Null: the money has not arrived.';
