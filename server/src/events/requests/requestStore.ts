import { findCentralsWith } from '../../centrals/centralStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type {
  NotedRequest,
  RecordedContent,
  RecordedRequest,
  RequestDetail,
  RequestScope,
} from './apiRequest.ts';

/** Rows that one central may add in a UTC day, by all processes together: refused requests, and others. */
export const DAY_MAX = { refused: 20_000, sampled: 10_000 } as const;

/**
 * Writes the noted requests of a central, up to the limits of the day. `dropped` more refused ones were not noted. The
 * row of the day is locked until the end, so that processes count one after the other.
 */
export async function insertRequests(
  tx: Tx,
  centralId: number,
  noted: readonly NotedRequest[],
  dropped: number,
  now: Temporal.Instant,
): Promise<{ written: number; dropped: number }> {
  const [refused, sampled] = [noted.filter(isRefused), noted.filter((each) => !isRefused(each))];
  const day = await tx.row<{ refused: number; sampled: number }>`
    insert into api_request_days (central_id, day, refused, sampled, dropped)
    values (${centralId}, (${now}::timestamptz at time zone 'UTC')::date, ${refused.length}::integer,
      ${sampled.length}::integer, ${dropped}::bigint)
    on conflict (central_id, day) do update set
      refused = least(1000000000, api_request_days.refused + excluded.refused),
      sampled = least(1000000000, api_request_days.sampled + excluded.sampled),
      dropped = api_request_days.dropped + excluded.dropped
        + greatest(0, api_request_days.refused + excluded.refused - ${DAY_MAX.refused}::integer)
        - greatest(0, api_request_days.refused - ${DAY_MAX.refused}::integer)
    returning refused, sampled`;
  const written = {
    refused: refused.slice(0, Math.max(0, DAY_MAX.refused - (day!.refused - refused.length))),
    sampled: sampled.slice(0, Math.max(0, DAY_MAX.sampled - (day!.sampled - sampled.length))),
  };
  const rows = [...written.refused, ...written.sampled];
  const result = { written: rows.length, dropped: refused.length - written.refused.length };
  if (rows.length === 0) return result;
  const ids = await tx.newIds(centralId, 'request', rows.length);
  const json = JSON.stringify(
    rows.map((each, index) => ({
      id: ids[index],
      happened_at: new Date(each.atMs).toISOString(),
      user_id: each.userId,
      key_digest: each.keyDigest,
      company_id: each.companyId,
      proof: each.proof,
      method: each.method,
      path: each.path,
      status: each.status,
      kind: each.kind,
      duration_ms: each.durationMs,
      request_id: each.requestId,
      content: each.content,
    })),
  );
  await tx.rows`
    insert into api_requests (central_id, id, happened_at, user_id, key_id, company_id, proof, method, path, status,
      kind, duration_ms, request_id, content)
    select ${centralId}, n.id, n.happened_at, n.user_id, coalesce(k.id, s.id), n.company_id, n.proof, n.method, n.path, n.status,
      n.kind, n.duration_ms, n.request_id, n.content
    from json_to_recordset(${json}::json) as n (id bigint, happened_at timestamptz, user_id bigint, key_digest text,
      company_id bigint, proof text, method text, path text, status smallint, kind text, duration_ms integer,
      request_id text, content json)
    left join api_keys k on k.central_id = ${centralId} and k.sha256 = decode(n.key_digest, 'base64')
    left join sandbox_keys s on s.central_id = ${noted[0]!.loginCentralId}
      and s.sha256 = decode(n.key_digest, 'base64')`;
  return result;
}

const isRefused = ({ status }: NotedRequest): boolean => status >= 400;

export interface RequestCursor {
  at: Temporal.Instant;
  id: number;
}

export interface RequestFilter {
  /** The first digit of the status, such as 4. */
  statusClass: number | null;
  /** Only those with a status of 400 or more. */
  isRefused: boolean;
  kind: string | null;
  method: string | null;
  /** A part of the path. */
  path: string | null;
  userId: number | null;
  keyId: number | null;
  requestId: string | null;
  from: Temporal.Instant | null;
  /** Excluded. */
  until: Temporal.Instant | null;
  /** Returns the requests before this key. */
  cursor: RequestCursor | null;
}

/** How many requests one search examines; the cursor continues from there. */
const SEARCHED_MAX = 5_000;

const NOTHING = sql``;

/** The rows that the scope, the period and the cursor leave, by the index that serves the narrowest condition. */
function candidates(scope: RequestScope, filter: RequestFilter): Sql {
  const { centralId, companyId } = scope;
  const { from, until, cursor, requestId } = filter;
  const userId = scope.userId ?? filter.userId;
  const ofUser = userId === null ? NOTHING : sql`and user_id = ${userId}`;
  const ofCompany = companyId === null ? NOTHING : sql`and company_id = ${companyId}`;
  const named = requestId === null ? NOTHING : sql`and request_id = ${requestId}`;
  return sql`
    from api_requests
    where central_id = ${centralId} ${ofUser} ${ofCompany} ${named}
      and happened_at >= coalesce(${from}::timestamptz, '-infinity')
      and happened_at < coalesce(${until}::timestamptz, 'infinity')
      and (happened_at, id) < (coalesce(${cursor?.at ?? null}::timestamptz, 'infinity'),
        coalesce(${cursor?.id ?? null}::bigint, 0))
    order by happened_at desc, id desc`;
}

const columns = sql`
  r.id, r.happened_at as at, r.proof, r.user_id, coalesce(p.label, u.username) as user_name, r.key_id,
  coalesce(k.label, s.label) as key_label, r.company_id, r.method, r.path, r.status, r.kind, r.duration_ms, r.request_id`;

const withNames = ({ centralId, loginCentralId }: RequestScope): Sql => sql`
  left join users u on u.central_id = ${loginCentralId} and u.id = r.user_id
  left join programs p on p.central_id = ${loginCentralId} and p.id = r.user_id
  left join api_keys k on k.central_id = ${centralId} and k.id = r.key_id
  left join sandbox_keys s on s.central_id = ${loginCentralId} and ${centralId !== loginCentralId}::boolean
    and s.id = r.key_id`;

export interface FoundRequests {
  requests: RecordedRequest[];
  /** The key after which older requests follow; null when there are none. */
  next: RequestCursor | null;
}

/** Newest first. The number of rows read is bounded, however long the log is. */
export async function findRequests(
  tx: Tx,
  scope: RequestScope,
  filter: RequestFilter,
  limit: number,
): Promise<FoundRequests> {
  const { statusClass, isRefused: onlyRefused, kind, method, path, keyId, userId } = filter;
  // Of others the caller may see nothing, so there is nothing to search.
  if (scope.userId !== null && userId !== null && userId !== scope.userId)
    return { requests: [], next: null };
  const rows = await tx.rows<RecordedRequest>`
    select ${columns}
    from (select * ${candidates(scope, filter)} limit ${SEARCHED_MAX}) r ${withNames(scope)}
    where (${statusClass}::integer is null or r.status / 100 = ${statusClass})
      and (not ${onlyRefused}::boolean or r.status >= 400)
      and (${kind}::text is null or r.kind = ${kind})
      and (${method}::text is null or r.method = ${method})
      and (${path}::text is null or position(${path} in r.path) > 0)
      and (${keyId}::bigint is null or r.key_id = ${keyId})
    order by r.happened_at desc, r.id desc limit ${limit + 1}`;
  const requests = rows.slice(0, limit);
  const last = requests.at(-1);
  if (rows.length > limit && last) return { requests, next: { at: last.at, id: last.id } };
  const end = await tx.row<RequestCursor>`
    select happened_at as at, id ${candidates(scope, filter)} offset ${SEARCHED_MAX - 1} limit 1`;
  return { requests, next: end ?? null };
}

/** What the caller may not see is not found. */
export async function findRequest(tx: Tx, scope: RequestScope, id: number): Promise<RequestDetail> {
  const { centralId, companyId, userId } = scope;
  const row = await tx.row<RecordedRequest & { content: RecordedContent }>`
    select ${columns}, r.content
    from api_requests r ${withNames(scope)}
    where r.central_id = ${centralId} and r.id = ${id}
      and (${companyId}::bigint is null or r.company_id = ${companyId})
      and (${userId}::bigint is null or r.user_id = ${userId})`;
  if (!row) throw new Refusal('record-not-found');
  return row;
}

/** How many refused requests of the kept days were not recorded. */
export async function countDropped(tx: Tx, centralId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select coalesce(sum(dropped), 0)::bigint as count from api_request_days where central_id = ${centralId}`;
  return row!.count;
}

/** By the rows of the days, of which each central with requests has one for each day. */
export const findCentralsWithOldRequests = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`api_request_days where central_id = any(${centralIds}::bigint[])
      and day <= (${before}::timestamptz at time zone 'UTC')::date`,
  );

export async function deleteOldRequests(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from api_requests where central_id = ${centralId} and id = any(array(
      select id from api_requests where central_id = ${centralId} and happened_at < ${before}
      order by happened_at, id limit ${limit}))
    returning id`;
  return rows.length;
}

/** One for each day, so few that they need no steps. */
export async function deleteOldDays(tx: Tx, centralId: number, before: Temporal.Instant): Promise<void> {
  await tx.rows`
    delete from api_request_days
    where central_id = ${centralId} and day < (${before}::timestamptz at time zone 'UTC')::date returning day`;
}
