import { randomBytes } from 'node:crypto';
import { countForEach, forEachIsolated } from '../../platform/kernel/rounds.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { ObjectStore } from './objectStore.ts';
import {
  claimImagesToMove,
  claimRemovals,
  deleteRemoval,
  findCentralsToMove,
  findCentralsWithRemovals,
  insertRemoval,
  type MovingImage,
  markMoved,
  releaseImage,
} from './proofStore.ts';

const IMAGES_AT_ONCE = 8;
const REMOVALS_AT_ONCE = 50;
const CENTRALS_AT_ONCE = 2;
/** Longer than a batch takes even with a slow store. */
const CLAIM_MINUTES = 10;
/** An object without a reference after this time was left by a process that died. */
const UNREFERENCED_HOURS = 1;
const RETRY_MINUTES = 5;

export interface Moved {
  moved: number;
  removed: number;
}

/**
 * Moves images from the database to the object store, and removes objects that no image needs any more. The store is
 * called without any lock. While it is down, images stay in the database and removals in their table, and rounds try
 * again until it answers. An object that it refuses, such as one under a legal hold, does not block others.
 *
 * Removals come first and do not depend on the moves: a full store refuses every image, and while its calls fail one
 * after another only the first call of a round may be admitted (geo/engines/callGuard.ts).
 */
export async function moveProofs({ db, clock }: Deps, store: ObjectStore): Promise<Moved> {
  const done: Moved = { moved: 0, removed: 0 };
  const remove = async () => {
    done.removed = await countForEach(
      await findCentralsWithRemovals(db, clock.now()),
      (centralId) => removeObjects({ db, clock }, store, centralId),
      CENTRALS_AT_ONCE,
    );
  };
  const move = async () => {
    done.moved = await countForEach(
      await findCentralsToMove(db),
      (centralId) => moveImages({ db, clock }, store, centralId),
      CENTRALS_AT_ONCE,
    );
  };
  await forEachIsolated([remove, move], (part) => part());
  return done;
}

async function moveImages({ db, clock }: Deps, store: ObjectStore, centralId: number): Promise<number> {
  let moved = 0;
  for (;;) {
    const now = clock.now();
    const images = await claimImagesToMove(
      db,
      centralId,
      IMAGES_AT_ONCE,
      now,
      now.add({ minutes: CLAIM_MINUTES }),
    );
    await forEachIsolated(images, async (image) => {
      try {
        if (await moveImage({ db, clock }, store, centralId, image)) moved += 1;
      } catch (error) {
        await releaseImage(db, centralId, image);
        throw error;
      }
    });
    if (images.length < IMAGES_AT_ONCE) return moved;
  }
}

async function moveImage(
  { db, clock }: Deps,
  store: ObjectStore,
  centralId: number,
  image: MovingImage,
): Promise<boolean> {
  // Each attempt uses a unique name, so that cleaning up after one attempt never removes the object of another.
  const objectKey = `${centralId}/${image.stopId}/${image.kind}-${randomBytes(16).toString('hex')}`;
  await insertRemoval(db, centralId, objectKey, clock.now().add({ hours: UNREFERENCED_HOURS }));
  await store.put(objectKey, image.content, image.mediaType);
  return markMoved(db, centralId, image, objectKey);
}

async function removeObjects({ db, clock }: Deps, store: ObjectStore, centralId: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const now = clock.now();
    const again = now.add({ minutes: RETRY_MINUTES });
    const keys = await claimRemovals(db, centralId, REMOVALS_AT_ONCE, now, again);
    await forEachIsolated(keys, async (key) => {
      await removeObject(db, store, centralId, key);
      removed += 1;
    });
    if (keys.length < REMOVALS_AT_ONCE) return removed;
  }
}

async function removeObject(db: Db, store: ObjectStore, centralId: number, key: string): Promise<void> {
  await store.remove(key);
  await deleteRemoval(db, centralId, key);
}
