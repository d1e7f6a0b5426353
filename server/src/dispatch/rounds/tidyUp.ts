import { deleteExpiredInvites, findCentralsWithExpiredInvites } from '../../centrals/deviceStore.ts';
import { deleteOldKeys, findCentralsWithOldKeys } from '../../centrals/idempotencyStore.ts';
import { deleteExpiredSecrets, findCentralsWithExpiredSecrets } from '../../centrals/programStore.ts';
import { deleteExpiredSessions, findCentralsWithExpiredSessions } from '../../centrals/sessionStore.ts';
import { deleteOldQuotes, findCentralsWithOldQuotes } from '../../deliveries/orders/quoteStore.ts';
import { deleteOldChanges, findCentralsWithOldChanges } from '../../events/audit/auditStore.ts';
import { deleteOldPositions, findCentralsWithOldPositions } from '../../events/record/eventStore.ts';
import { forgetEvents } from '../../events/record/forgetEvents.ts';
import { forgetRequests } from '../../events/requests/forgetRequests.ts';
import { forgetWebhooks } from '../../events/webhooks/webhookRounds.ts';
import { deleteOldProposals, findCentralsWithOldProposals } from '../../geo/geocoding/proposalStore.ts';
import { countForEach, forEachIsolated } from '../../platform/kernel/rounds.ts';
import { deleteInSteps, type Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { deleteOldHelpRequests, findCentralsWithOldHelp } from '../../registers/drivers/helpStore.ts';
import { deleteExpiredClaims, findCentralsWithExpiredClaims } from '../grouping/claimStore.ts';
import { deleteOldPlans, findCentralsWithOldPlans } from '../plans/planStore.ts';

/** A kind of record that is deleted some time after an instant that the record has, such as its creation. */
interface Expiry {
  /** How long after that instant. Zero: the instant is the end of the record. */
  keptHours: number;
  find(tx: Tx, before: Temporal.Instant): Promise<number[]>;
  /** Deletes at most `limit`, or all of a kind of which there are few; returns their number. */
  remove(tx: Tx, centralId: number, before: Temporal.Instant, limit: number): Promise<number>;
}

const EXPIRIES = {
  // Clients repeat a request within minutes.
  keys: { keptHours: 48, find: findCentralsWithOldKeys, remove: deleteOldKeys },
  // So that an order that comes too late is told that its quote has expired, or for what it was used.
  quotes: { keptHours: 24, find: findCentralsWithOldQuotes, remove: deleteOldQuotes },
  claims: { keptHours: 0, find: findCentralsWithExpiredClaims, remove: deleteExpiredClaims },
  sessions: { keptHours: 0, find: findCentralsWithExpiredSessions, remove: deleteExpiredSessions },
  secrets: { keptHours: 0, find: findCentralsWithExpiredSecrets, remove: deleteExpiredSecrets },
  invites: { keptHours: 0, find: findCentralsWithExpiredInvites, remove: deleteExpiredInvites },
  // Drivers' requests for help that nobody answered.
  help: { keptHours: 72, find: findCentralsWithOldHelp, remove: deleteOldHelpRequests },
  // Drivers' proposals of a position that nobody decided.
  proposals: { keptHours: 24 * 30, find: findCentralsWithOldProposals, remove: deleteOldProposals },
  // Five years: the usual retention period of business records.
  changes: { keptHours: 24 * 5 * 365, find: findCentralsWithOldChanges, remove: deleteOldChanges },
  // Outdated after minutes.
  plans: { keptHours: 24, find: findCentralsWithOldPlans, remove: deleteOldPlans },
  // Outdated after seconds, and kept for a day so that they can be found in the message log.
  positions: { keptHours: 24, find: findCentralsWithOldPositions, remove: deleteOldPositions },
} satisfies Record<string, Expiry>;

type TidiedUp = Record<keyof typeof EXPIRIES | 'events' | 'messages' | 'requests', number>;

/**
 * Deletes expired records in small steps that block no other transaction. It can be repeated safely. A failed step does
 * not prevent the others; its error is thrown after them.
 */
export async function tidyUp({ db, clock }: Deps): Promise<Partial<TidiedUp>> {
  const now = clock.now();
  const tidied: Partial<TidiedUp> = {};
  const expire = async ([name, { keptHours, find, remove }]: [string, Expiry]): Promise<
    Partial<TidiedUp>
  > => {
    const before = now.subtract({ hours: keptHours });
    const deleted = await countForEach(await find(db, before), (centralId) =>
      deleteInSteps(db, (tx, limit) => remove(tx, centralId, before, limit)),
    );
    return { [name]: deleted };
  };
  const steps: (() => Promise<Partial<TidiedUp>>)[] = [
    ...Object.entries<Expiry>(EXPIRIES).map((entry) => () => expire(entry)),
    () => forgetEvents({ db, clock }),
    () => forgetWebhooks({ db }),
    () => forgetRequests({ db, clock }),
  ];
  await forEachIsolated(steps, async (step) => Object.assign(tidied, await step()));
  return tidied;
}
