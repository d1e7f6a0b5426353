import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { refuseViolations } from '../platform/postgres/databaseErrors.ts';
import { newId } from '../platform/postgres/ids.ts';
import { raw, type Sql, sql } from '../platform/postgres/sql.ts';
import type { UserCaller } from './caller.ts';
import { findCentralsWith } from './centralStore.ts';

export interface SavedView {
  id: number;
  list: string;
  name: string;
  /** The filters of the list, as the query string of its page in the console. */
  query: string;
  isShared: boolean;
  isOwn: boolean;
  ownerName: string;
}

export type NewSavedView = Pick<SavedView, 'list' | 'name' | 'query' | 'isShared'>;

/** The maximum of views that one user may save, in all lists together. */
export const SAVED_VIEWS_MAX = 50;
/** The maximum of other users' shared views that a list shows. */
const SHARED_SHOWN_MAX = 100;

type Reader = Pick<UserCaller, 'centralId' | 'userId' | 'companyId'>;

const viewsOf = ({ centralId, userId }: Reader): Sql => sql`
  select v.id, v.list, v.name, v.query, v.is_shared, v.user_id = ${userId} as is_own, u.username as owner_name
  from saved_views v join users u on u.central_id = ${centralId} and u.id = v.user_id
  where v.central_id = ${centralId}`;
const OWN = raw(`limit ${SAVED_VIEWS_MAX}`);
const SHARED = raw(`limit ${SHARED_SHOWN_MAX}`);

/** The user's own views of a list, and those shared by users with the same scope (the central, or the same company). */
export const listSavedViews = (tx: Tx, reader: Reader, list: string): Promise<SavedView[]> =>
  tx.rows<SavedView>`
    select * from (
      (${viewsOf(reader)} and v.user_id = ${reader.userId} and v.list = ${list} ${OWN})
      union all
      (${viewsOf(reader)} and v.list = ${list} and v.is_shared and v.user_id <> ${reader.userId}
         and u.company_id is not distinct from ${reader.companyId}::bigint and u.active
       order by v.id ${SHARED})) view
    order by lower(name), id`;

export async function findOwnView(tx: Tx, reader: Reader, id: number): Promise<SavedView> {
  const view = await tx.row<SavedView>`${viewsOf(reader)} and v.user_id = ${reader.userId} and v.id = ${id}`;
  if (!view) throw new Refusal('record-not-found');
  return view;
}

const refuseSameName = <Result>(work: Promise<Result>): Promise<Result> =>
  refuseViolations(work, {
    saved_views_name_unique: () => new Refusal('view-name-taken'),
  });

/** Locks the user's row, so that views saved at the same time do not exceed the limit together. */
export async function insertView(
  tx: Tx,
  { centralId, userId }: Reader,
  { list, name, query, isShared }: NewSavedView,
  now: Temporal.Instant,
): Promise<number> {
  await tx.rows`select from users where central_id = ${centralId} and id = ${userId} for no key update`;
  const saved = await tx.row<{ count: number }>`
    select count(*) from saved_views where central_id = ${centralId} and user_id = ${userId}`;
  if (saved!.count >= SAVED_VIEWS_MAX) throw new Refusal('too-many-views', { max: SAVED_VIEWS_MAX });
  const id = await newId(tx, centralId, 'saved_view');
  await refuseSameName(tx.rows`
    insert into saved_views (central_id, id, user_id, list, name, query, is_shared, saved_at)
    values (${centralId}, ${id}, ${userId}, ${list}, ${name}, ${query}, ${isShared}, ${now})`);
  return id;
}

/** Changes everything except the list that the view belongs to. */
export async function updateView(
  tx: Tx,
  { centralId, userId }: Reader,
  id: number,
  { name, query, isShared }: NewSavedView,
  now: Temporal.Instant,
): Promise<void> {
  const rows = await refuseSameName(tx.rows`
    update saved_views set name = ${name}, query = ${query}, is_shared = ${isShared}, saved_at = ${now}
    where central_id = ${centralId} and user_id = ${userId} and id = ${id} returning id`);
  if (rows.length === 0) throw new Refusal('record-not-found');
}

export async function deleteView(tx: Tx, { centralId, userId }: Reader, id: number): Promise<void> {
  const rows = await tx.rows`
    delete from saved_views where central_id = ${centralId} and user_id = ${userId} and id = ${id} returning id`;
  if (rows.length === 0) throw new Refusal('record-not-found');
}

/** A condition that is true for views that search for a text, which may be a person's name or phone. */
const LOOKS_FOR_TEXT = sql`query ~ '(^|&)texto='`;

/** Deletes views that search for a phone or CPF, given as digits. */
export async function deleteViewsNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const views = await tx.rows<{ id: number; query: string }>`
    select id, query from saved_views where central_id = ${centralId} and ${LOOKS_FOR_TEXT}`;
  const naming = views.filter(({ query }) =>
    new URLSearchParams(query).getAll('texto').some((text) => text.replace(/\D/g, '').includes(digits)),
  );
  return deleteViews(
    tx,
    centralId,
    naming.map(({ id }) => id),
  );
}

/** Deletes views that search for a text and were last changed before an instant. */
export async function deleteOldTextViews(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const views = await tx.rows<{ id: number }>`
    select id from saved_views
    where central_id = ${centralId} and ${LOOKS_FOR_TEXT} and saved_at < ${before} order by id limit ${limit}`;
  return deleteViews(
    tx,
    centralId,
    views.map(({ id }) => id),
  );
}

async function deleteViews(tx: Tx, centralId: number, ids: readonly number[]): Promise<number> {
  const rows = await tx.rows`
    delete from saved_views where central_id = ${centralId} and id = any(${ids}::bigint[]) returning id`;
  return rows.length;
}

export const findCentralsWithOldTextViews = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`saved_views
      where central_id = any(${centralIds}::bigint[]) and ${LOOKS_FOR_TEXT} and saved_at < ${before}`,
  );
