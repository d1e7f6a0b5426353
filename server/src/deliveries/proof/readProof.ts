import { hash } from 'node:crypto';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { ProofKind } from '../../platform/kernel/states.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { ImageType } from './image.ts';
import { type ObjectStore, ObjectStoreUnavailable } from './objectStore.ts';
import type { ProofLinks } from './proofLinks.ts';
import { findStoredImage, type StoredImage } from './proofStore.ts';

export interface ProofDeps {
  db: Db;
  proofLinks: ProofLinks;
  /** Null: images stay in the database. */
  objectStore: ObjectStore | null;
}

export interface ReadProof {
  centralId: number;
  kind: ProofKind;
  mediaType: ImageType;
  content: Buffer;
}

/** The image of a link. Undefined for a wrong, changed or expired link, and for an image that is gone. */
export async function readProof(deps: ProofDeps, token: string): Promise<ReadProof | undefined> {
  const link = await deps.proofLinks.read(token);
  if (!link) return undefined;
  const { centralId, stopId, kind, digestStart } = link;
  const find = () => findStoredImage(deps.db, centralId, stopId, kind, digestStart);
  const image = await find();
  if (!image) return undefined;
  // It may be moved to the object store between the two reads.
  const content =
    (await contentOf(deps.objectStore, image)) ?? (await contentOf(deps.objectStore, await find()));
  return content && { centralId, kind, mediaType: image.mediaType, content };
}

export async function contentOf(
  store: ObjectStore | null,
  image: Pick<StoredImage, 'content' | 'objectKey' | 'sha256'> | undefined,
): Promise<Buffer | undefined> {
  if (!image || image.objectKey === null) return image?.content ?? undefined;
  try {
    if (!store) throw new ObjectStoreUnavailable('the image lies in an object store, and none is configured');
    const content = await store.get(image.objectKey);
    // What somebody has exchanged in the store is not proof of anything.
    return content && hash('sha256', content, 'buffer').equals(image.sha256) ? content : undefined;
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable) throw new Refusal('unavailable');
    throw error;
  }
}
