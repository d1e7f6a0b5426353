-- The integration interface lists scheduled deliveries by creation, newest first: an edit moves none of them. The indexes
-- by dispatch stay for the operator's lists. Each serves the order too, so that a page never sorts.
create index scheduled_created on scheduled (central_id, requested_at desc, id desc);
create index scheduled_created_by_company on scheduled (central_id, company_id, requested_at desc, id desc)
  where company_id is not null;
