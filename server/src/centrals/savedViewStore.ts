import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { refuseViolations } from '../postgres/databaseErrors.ts';
import { newId } from '../postgres/ids.ts';
import type { UserCaller } from './caller.ts';

export interface SavedView {
  id: number;
  list: string;
  name: string;
  /** The query string of the list. */
  query: string;
  isShared: boolean;
  isOwn: boolean;
  ownerName: string;
}

export type NewSavedView = Pick<SavedView, 'list' | 'name' | 'query' | 'isShared'>;

/** The maximum of one user in all lists. */
export const SAVED_VIEWS_MAX = 50;
/** The maximum of shared views of others that are shown. */
const SHARED_SHOWN_MAX = 100;

const VIEW = `v.id, v.list, v.name, v.query, v.is_shared as "isShared", v.user_id = $2 as "isOwn",
  u.username as "ownerName"`;

type Reader = Pick<UserCaller, 'centralId' | 'userId' | 'companyId'>;

/** The user's views, and those shared by users with the same scope: the whole central, or the same company. */
export const listSavedViews = (
  tx: Tx,
  { centralId, userId, companyId }: Reader,
  list: string,
): Promise<SavedView[]> =>
  tx.run<SavedView>(
    `select * from (
       (select ${VIEW} from saved_views v join users u on u.central_id = $1 and u.id = v.user_id
        where v.central_id = $1 and v.user_id = $2 and v.list = $3 limit ${SAVED_VIEWS_MAX})
       union all
       (select ${VIEW} from saved_views v join users u on u.central_id = $1 and u.id = v.user_id
        where v.central_id = $1 and v.list = $3 and v.is_shared and v.user_id <> $2
          and u.company_id is not distinct from $4::bigint and u.active
        order by v.id limit ${SHARED_SHOWN_MAX})) view
     order by lower(name), id`,
    [centralId, userId, list, companyId],
  );

export async function findOwnView(tx: Tx, { centralId, userId }: Reader, id: number): Promise<SavedView> {
  const [view] = await tx.run<SavedView>(
    `select ${VIEW} from saved_views v join users u on u.central_id = $1 and u.id = v.user_id
     where v.central_id = $1 and v.user_id = $2 and v.id = $3`,
    [centralId, userId, id],
  );
  if (!view) throw new Refusal('record-not-found');
  return view;
}

const refuseSameName = <Result>(work: Promise<Result>): Promise<Result> =>
  refuseViolations(work, {
    saved_views_name_unique: () => new Refusal('view-name-taken'),
  });

/** The lock of the user's row prevents that simultaneous saves exceed the limit. */
export async function insertView(
  tx: Tx,
  { centralId, userId }: Reader,
  { list, name, query, isShared }: NewSavedView,
  now: Temporal.Instant,
): Promise<number> {
  await tx`select from users where central_id = ${centralId} and id = ${userId} for no key update`;
  const [saved] = await tx<{ count: number }>`
    select count(*) from saved_views where central_id = ${centralId} and user_id = ${userId}`;
  if (saved!.count >= SAVED_VIEWS_MAX) throw new Refusal('too-many-views', { max: SAVED_VIEWS_MAX });
  const id = await newId(tx, centralId, 'saved_view');
  await refuseSameName(tx`
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
  const rows = await refuseSameName(tx`
    update saved_views set name = ${name}, query = ${query}, is_shared = ${isShared}, saved_at = ${now}
    where central_id = ${centralId} and user_id = ${userId} and id = ${id} returning id`);
  if (rows.length === 0) throw new Refusal('record-not-found');
}

export async function deleteView(tx: Tx, { centralId, userId }: Reader, id: number): Promise<void> {
  const rows = await tx`
    delete from saved_views where central_id = ${centralId} and user_id = ${userId} and id = ${id} returning id`;
  if (rows.length === 0) throw new Refusal('record-not-found');
}

/** Matches views that search for a text, which may be a person's name or phone. */
const LOOKS_FOR_TEXT = `query ~ '(^|&)texto='`;

/** Deletes views that search for a phone or CPF, given as digits. */
export async function deleteViewsNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const views = await tx.run<{ id: number; query: string }>(
    `select id, query from saved_views where central_id = $1 and ${LOOKS_FOR_TEXT}`,
    [centralId],
  );
  const naming = views.filter(({ query }) =>
    new URLSearchParams(query).getAll('texto').some((text) => text.replace(/\D/g, '').includes(digits)),
  );
  return deleteViews(
    tx,
    centralId,
    naming.map(({ id }) => id),
  );
}

/** Deletes such views last changed before an instant. */
export async function deleteOldTextViews(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const views = await tx.run<{ id: number }>(
    `select id from saved_views where central_id = $1 and ${LOOKS_FOR_TEXT} and saved_at < $2 order by id limit $3`,
    [centralId, before, limit],
  );
  return deleteViews(
    tx,
    centralId,
    views.map(({ id }) => id),
  );
}

async function deleteViews(tx: Tx, centralId: number, ids: readonly number[]): Promise<number> {
  const rows = await tx`
    delete from saved_views where central_id = ${centralId} and id = any(${ids}::bigint[]) returning id`;
  return rows.length;
}

export async function findCentralsWithOldTextViews(
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct central_id from saved_views
     where central_id = any($1::bigint[]) and ${LOOKS_FOR_TEXT} and saved_at < $2`,
    [centralIds, before],
  );
  return rows.map((row) => row.central_id);
}
