import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { ProofKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import type { CleanImage, ImageType } from './image.ts';

/** The attempt number of images of the current visit or, if the stop is over, of the last one. */
export const LAST_VISIT = 0;

/** An image without its content. */
export interface ProofImage {
  stopId: number;
  kind: ProofKind;
  /** The number of the failed attempt that another visit followed, or LAST_VISIT. */
  attempt: number;
  mediaType: ImageType;
  sha256: Buffer;
  size: number;
  width: number;
  height: number;
  takenAt: Temporal.Instant;
  receivedAt: Temporal.Instant;
}

const DESCRIBED = sql`stop_id, kind, attempt, media_type, sha256, size, width, height,
  taken_at, received_at`;

/** All images of some stops, of all visits. */
export function findProofImages(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<ProofImage[]> {
  return tx.rows<ProofImage>`
    select ${DESCRIBED} from proof_images where central_id = ${centralId} and stop_id = any(${stopIds}::bigint[])
    order by stop_id, attempt, kind`;
}

/** The images of a stop's last visit. */
export function findLastImages(tx: Tx, centralId: number, stopId: number): Promise<ProofImage[]> {
  return tx.rows<ProofImage>`
    select ${DESCRIBED} from proof_images
    where central_id = ${centralId} and stop_id = ${stopId} and attempt = ${LAST_VISIT}
    order by kind`;
}

/** Counts the images of all visits. */
export async function countProofImages(tx: Tx, centralId: number, stopId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from proof_images where central_id = ${centralId} and stop_id = ${stopId}`;
  return row!.count;
}

export async function findProofImage(
  tx: Tx,
  centralId: number,
  stopId: number,
  kind: ProofKind,
  attempt = LAST_VISIT,
): Promise<ProofImage | undefined> {
  const image = await tx.row<ProofImage>`
    select ${DESCRIBED} from proof_images
    where central_id = ${centralId} and stop_id = ${stopId} and kind = ${kind} and attempt = ${attempt}`;
  return image;
}

/** Replaces the image of a visit, if any. The caller holds the lock of the delivery that carries the stop. */
export async function putProofImage(
  tx: Tx,
  centralId: number,
  { stopId, kind, attempt }: Pick<ProofImage, 'stopId' | 'kind' | 'attempt'>,
  { mediaType, width, height, content, sha256 }: CleanImage,
  { takenAt, receivedAt }: { takenAt: Temporal.Instant; receivedAt: Temporal.Instant },
): Promise<void> {
  await tx.rows`
    insert into proof_images (central_id, stop_id, kind, attempt, media_type, sha256, size, width, height, content,
      taken_at, received_at)
    values (${centralId}, ${stopId}, ${kind}, ${attempt}, ${mediaType}, ${sha256}, ${content.length}, ${width},
      ${height}, ${content}, ${takenAt}, ${receivedAt})
    on conflict (central_id, stop_id, kind, attempt) do update set media_type = excluded.media_type, sha256 = excluded.sha256,
      size = excluded.size, width = excluded.width, height = excluded.height, content = excluded.content,
      object_key = null, moving_until = null, taken_at = excluded.taken_at, received_at = excluded.received_at`;
}

/**
 * Assigns the images of a failed visit to its attempt, before another visit. A process that is moving one of them to
 * the object store does not find it any more, and the next round moves it. The caller holds the lock of the delivery.
 */
export async function keepForAttempt(
  tx: Tx,
  centralId: number,
  stopId: number,
  attempt: number,
): Promise<void> {
  await tx.rows`
    update proof_images set attempt = ${attempt}, moving_until = null
    where central_id = ${centralId} and stop_id = ${stopId} and attempt = ${LAST_VISIT}`;
}

/** The content of an image, or its place in the object store. */
export interface StoredImage {
  mediaType: ImageType;
  sha256: Buffer;
  content: Buffer | null;
  objectKey: string | null;
}

/** Finds an image of any visit by the beginning of its digest. */
export async function findStoredImage(
  tx: Tx,
  centralId: number,
  stopId: number,
  kind: ProofKind,
  digestStart: Buffer,
): Promise<StoredImage | undefined> {
  const image = await tx.row<StoredImage>`
    select media_type, sha256, content, object_key from proof_images
    where central_id = ${centralId} and stop_id = ${stopId} and kind = ${kind}
      and substring(sha256 from 1 for ${digestStart.length}::integer) = ${digestStart}
    order by attempt limit 1`;
  return image;
}

/** All images of some stops with their contents, for the export of personal data. */
export function exportProofImages(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<(ProofImage & StoredImage)[]> {
  return tx.rows<ProofImage & StoredImage>`
    select ${DESCRIBED}, content, object_key from proof_images
    where central_id = ${centralId} and stop_id = any(${stopIds}::bigint[]) order by stop_id, attempt, kind`;
}

/** A trigger schedules their removal from the object store too. */
export async function deleteProofImages(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<number> {
  const rows = await tx.rows`
    delete from proof_images where central_id = ${centralId} and stop_id = any(${stopIds}::bigint[])
    returning stop_id`;
  return rows.length;
}

/** An image that is being moved to the object store. */
export interface MovingImage {
  stopId: number;
  kind: ProofKind;
  attempt: number;
  mediaType: ImageType;
  sha256: Buffer;
  content: Buffer;
}

export const findCentralsToMove = (tx: Tx): Promise<number[]> =>
  findCentralsWith(tx, sql`proof_images where content is not null`);

/** Claims the oldest waiting images; skips those that other processes move. No lock outlives the statement. */
export function claimImagesToMove(
  tx: Tx,
  centralId: number,
  limit: number,
  now: Temporal.Instant,
  movingUntil: Temporal.Instant,
): Promise<MovingImage[]> {
  return tx.rows<MovingImage>`
    update proof_images set moving_until = ${movingUntil}
    where central_id = ${centralId} and (stop_id, kind, attempt) in (
      select stop_id, kind, attempt from proof_images
      where central_id = ${centralId} and content is not null
        and (moving_until is null or moving_until < ${now})
      order by received_at limit ${limit} for update skip locked)
    returning stop_id, kind, attempt, media_type, sha256, content`;
}

/** Called before an object is written: it is removed again unless an image refers to it, even if the writer dies. */
export async function insertRemoval(
  tx: Tx,
  centralId: number,
  objectKey: string,
  dueAt: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    insert into proof_removals (central_id, object_key, due_at) values (${centralId}, ${objectKey}, ${dueAt})`;
}

/** False if the image was replaced, removed, assigned to an attempt or moved meanwhile: the object is then removed. */
export async function markMoved(
  tx: Tx,
  centralId: number,
  { stopId, kind, attempt, sha256 }: MovingImage,
  objectKey: string,
): Promise<boolean> {
  const rows = await tx.rows`
    with moved as (
      update proof_images set content = null, object_key = ${objectKey}, moving_until = null
      where central_id = ${centralId} and stop_id = ${stopId} and kind = ${kind} and attempt = ${attempt}
        and sha256 = ${sha256} and content is not null
      returning stop_id)
    delete from proof_removals
    where central_id = ${centralId} and object_key = ${objectKey} and exists (select from moved)
    returning object_key`;
  return rows.length > 0;
}

/** Ends the claim, so that the next round can try again before it expires. */
export async function releaseImage(tx: Tx, centralId: number, image: MovingImage): Promise<void> {
  await tx.rows`
    update proof_images set moving_until = null
    where central_id = ${centralId} and stop_id = ${image.stopId} and kind = ${image.kind}
      and attempt = ${image.attempt} and sha256 = ${image.sha256}`;
}

export const findCentralsWithRemovals = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`proof_removals where due_at <= ${now}`);

/** Claims due removals by postponing them: if the process dies, the next one tries again. */
export async function claimRemovals(
  tx: Tx,
  centralId: number,
  limit: number,
  now: Temporal.Instant,
  again: Temporal.Instant,
): Promise<string[]> {
  const rows = await tx.rows<{ objectKey: string }>`
    update proof_removals set due_at = ${again}
    where central_id = ${centralId} and object_key in (
      select object_key from proof_removals where central_id = ${centralId} and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    returning object_key`;
  return rows.map(({ objectKey }) => objectKey);
}

export async function deleteRemoval(tx: Tx, centralId: number, objectKey: string): Promise<void> {
  await tx.rows`delete from proof_removals where central_id = ${centralId} and object_key = ${objectKey}`;
}

/** Base64, encrypted; see proofLinks.ts. */
export async function findLinkKey(tx: Tx, centralId: number): Promise<string | undefined> {
  const row = await tx.row<{ linkKey: string }>`
    select link_key from proof_link_keys where central_id = ${centralId}`;
  return row?.linkKey;
}

/** If several processes make a key at once, that of the first one is kept. */
export async function insertLinkKey(
  tx: Tx,
  centralId: number,
  linkKey: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    insert into proof_link_keys (central_id, link_key, created_at) values (${centralId}, ${linkKey}, ${now})
    on conflict do nothing`;
}

/** Replaces a key that cannot be decrypted any more. */
export async function replaceLinkKey(
  tx: Tx,
  centralId: number,
  { unreadable, linkKey }: { unreadable: string; linkKey: string },
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update proof_link_keys set link_key = ${linkKey}, created_at = ${now}
    where central_id = ${centralId} and link_key = ${unreadable}`;
}

/** Centrals whose key is stored plainly or with an older key. */
export const findCentralsWithOldLinkKeys = (tx: Tx, currentPrefix: string): Promise<number[]> =>
  findCentralsWith(tx, sql`proof_link_keys where not starts_with(link_key, ${currentPrefix})`);

/** Stores the same key with a new encryption. False when it was replaced or renewed meanwhile. */
export async function markLinkKeyRenewed(
  tx: Tx,
  centralId: number,
  { stored, renewed }: { stored: string; renewed: string },
): Promise<boolean> {
  const rows = await tx.rows`
    update proof_link_keys set link_key = ${renewed} where central_id = ${centralId} and link_key = ${stored}
    returning central_id`;
  return rows.length > 0;
}
