import type { Central } from '../../centrals/central.ts';
import { lockCentral } from '../../centrals/centralStore.ts';
import { addToClock, countWiped, findSandbox, markWiped, type Sandbox } from '../../centrals/sandboxStore.ts';
import { DISPATCH_CHANNEL } from '../../deliveries/scheduled/scheduleDelivery.ts';
import { type ChangeActor, recordChange } from '../../events/audit/recordChange.ts';
import { stopWebhooks } from '../../events/webhooks/webhookStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import { announceClock, announceRegisterChange } from '../../platform/postgres/registerCache.ts';
import { makeSandbox } from './makeSandbox.ts';

const MINUTE = 60;
/** How far the clock can be put forward at once, … */
export const ADVANCE_MINUTES_MAX = 31 * 24 * 60;
/** … and in all, until the sandbox is wiped. */
const AHEAD_DAYS_MAX = 366;
/** Wiped sandboxes are deleted every minute. Until then a central may have this many. */
const WIPED_MAX = 100;

/*
 * The lock of the real central serialises what makes a sandbox, wipes it and moves its clock. No other work is locked
 * out: a sandbox that is wiped is replaced by a new central, and work that still runs in the old one goes with it.
 */

async function lockOrMake(tx: Tx, centralId: number): Promise<{ central: Central; sandbox: Sandbox }> {
  const central = await lockCentral(tx, centralId);
  if (!central.active) throw new Refusal('api-key-unknown');
  const found = await findSandbox(tx, centralId);
  if (found) return { central, sandbox: found };
  await makeSandbox(tx, central);
  announceRegisterChange(tx, centralId);
  return { central, sandbox: (await findSandbox(tx, centralId))! };
}

/** The sandbox of a central, made if there is none. */
export async function openSandbox({ db }: { db: Db }, centralId: number): Promise<Sandbox> {
  return (await findSandbox(db, centralId)) ?? (await db.begin((tx) => lockOrMake(tx, centralId))).sandbox;
}

/** Puts the clock forward. It never goes back, because what was stored would be in the future. */
export async function advanceClock(
  tx: Tx,
  centralId: number,
  minutes: number,
  actor: ChangeActor,
): Promise<Sandbox> {
  const { central, sandbox } = await lockOrMake(tx, centralId);
  const seconds = await addToClock(tx, sandbox.id, minutes * MINUTE, AHEAD_DAYS_MAX * 24 * 60 * MINUTE);
  if (seconds === undefined) throw new Refusal('clock-too-far', { max: AHEAD_DAYS_MAX });
  announceClock(tx, sandbox.id, seconds);
  tx.notify(DISPATCH_CHANNEL, '');
  await recordChange(tx, actor, {
    subject: 'sandbox',
    id: sandbox.id,
    name: central.name,
    before: { adiantado_minutos: sandbox.clockAheadSeconds / MINUTE },
    after: { adiantado_minutos: seconds / MINUTE },
  });
  return { ...sandbox, clockAheadSeconds: seconds };
}

/** Replaces the sandbox by a new one, with the registers of the real central as they are now and its clock. */
export async function wipeSandbox(tx: Tx, centralId: number, actor: ChangeActor): Promise<void> {
  const central = await lockCentral(tx, centralId);
  if ((await countWiped(tx, centralId)) >= WIPED_MAX) throw new Refusal('rate-limited', { seconds: 60 });
  const old = await findSandbox(tx, centralId);
  if (old) {
    await markWiped(tx, old.id);
    await stopWebhooks(tx, old.id);
    announceClock(tx, old.id, 0);
  }
  const sandboxId = await makeSandbox(tx, central);
  announceRegisterChange(tx, centralId);
  await recordChange(tx, actor, {
    subject: 'sandbox',
    id: sandboxId,
    name: central.name,
    before: { apagado: null },
    after: { apagado: 'sim', adiantado_minutos: 0 },
  });
}
