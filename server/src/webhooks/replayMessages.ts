import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { wakeSenders } from './messageStore.ts';
import { type ReplayRange, replayMessage, replayRange } from './replayStore.ts';
import { lockWebhook } from './webhookStore.ts';

/** As many are replayed with one request. */
export const REPLAYS_MAX = 5_000;

/** Sends one message again, under its own event id. */
export async function replayOne({ db, clock }: Deps, caller: Caller, messageId: number): Promise<void> {
  await db.begin(async (tx) => {
    await replayMessage(tx, caller, messageId, clock.now());
    await wakeSenders(tx, caller.centralId);
  });
}

/** Sends again what an endpoint was told of a time range; refuses when that is too much for one request. */
export async function replayMany(
  { db, clock }: Deps,
  caller: Caller,
  webhookId: number,
  range: ReplayRange,
): Promise<number> {
  return db.begin(async (tx) => {
    await lockWebhook(tx, caller, webhookId);
    const count = await replayRange(tx, caller.centralId, webhookId, range, REPLAYS_MAX + 1, clock.now());
    if (count > REPLAYS_MAX) throw new Refusal('replay-too-large', { max: REPLAYS_MAX });
    await wakeSenders(tx, caller.centralId);
    return count;
  });
}
