import { deleteInSteps } from '../postgres/deleteInSteps.ts';
import type { Deps } from '../postgres/deps.ts';
import { deleteGoneMessages, deleteGoneWebhooks } from './forgetWebhooksStore.ts';

/** Deletes the messages of removed webhooks, and then the webhooks. */
export async function forgetWebhooks({ db }: Pick<Deps, 'db'>): Promise<{ messages: number }> {
  const messages = await deleteInSteps(db, deleteGoneMessages);
  await db.beginIndependent(deleteGoneWebhooks);
  return { messages };
}
