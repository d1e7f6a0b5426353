import type { Caller } from '../../centrals/caller.ts';
import { ItemsRefused, isDone, type Outcome } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { Creation } from './externalId.ts';
import { findManyByExternalId, type KnownOrder } from './externalIdStore.ts';
import type { TimedOrder } from './prepareMany.ts';
import type { Order, RequestNoun } from './request.ts';

type Time = Temporal.Instant | null;

/**
 * Creates several orders, except those whose external id names an existing one: with the same content that is the
 * answer, and other content is refused, because a bulk edits nothing. An external id that comes again in the list names
 * the first of them; the caller has refused those with other content.
 *
 * `create` runs in one transaction. If it meets a change that came in between, everything is decided again.
 */
export const createMany = <Each extends Time>(
  { db }: Deps,
  { centralId }: Caller,
  noun: RequestNoun,
  orders: readonly Outcome<TimedOrder<Each>>[],
  create: (orders: readonly Outcome<TimedOrder<Each>>[]) => Promise<Outcome<number>[]>,
): Promise<Outcome<Creation>[]> =>
  retryOnConflict(async () => {
    const keys = orders.map((outcome) => (isDone(outcome) ? keyOf(outcome.value.order) : undefined));
    const known = await findKnown(db, noun, centralId, keys);
    const firsts = new Map<string, number>();
    const outcomes: Outcome<Creation>[] = [];
    /** The places of those that are created, or were refused before. */
    const places: number[] = [];
    const passed: Outcome<TimedOrder<Each>>[] = [];
    for (const [index, outcome] of orders.entries()) {
      const key = keys[index];
      const existing = key && known.get(nameOf(key));
      const found = existing && isDone(outcome) ? outcomeOf(existing, outcome.value.order) : undefined;
      if (found && isDone(found)) outcomes[index] = found;
      else if (found || !key || !firsts.has(nameOf(key))) {
        places.push(index);
        passed.push(found ?? outcome);
      }
      if (key && !firsts.has(nameOf(key))) firsts.set(nameOf(key), index);
    }

    const placed = (created: readonly Outcome<unknown>[]): Outcome<Creation>[] => {
      for (const [nth, outcome] of created.entries()) {
        const at = places[nth]!;
        outcomes[at] = isDone(outcome)
          ? { value: { id: outcome.value as number, ...(keys[at] && { result: 'created' as const }) } }
          : outcome;
      }
      return orders.map((_, index) => outcomes[index] ?? again(outcomes[firsts.get(nameOf(keys[index]!))!]!));
    };
    try {
      return placed(await create(passed));
    } catch (error) {
      throw error instanceof ItemsRefused ? new ItemsRefused(placed(error.outcomes)) : error;
    }
  });

interface Key {
  companyId: number | null;
  externalId: string;
}

const again = (first: Outcome<Creation>): Outcome<Creation> =>
  isDone(first) ? { value: { id: first.value.id, result: 'repeated' } } : first;

async function findKnown(
  tx: Tx,
  noun: RequestNoun,
  centralId: number,
  keys: readonly (Key | undefined)[],
): Promise<Map<string, KnownOrder>> {
  const given = keys.filter((key) => key !== undefined);
  if (given.length === 0) return new Map();
  const found = await findManyByExternalId(tx, noun, centralId, given);
  return new Map(found.map((each) => [nameOf({ ...each, externalId: each.externalId! }), each]));
}

const keyOf = ({ companyId, external }: Order): Key | undefined =>
  external && { companyId, externalId: external.id };

const nameOf = ({ companyId, externalId }: Key): string => `${companyId} ${externalId}`;

const outcomeOf = (known: KnownOrder, { external }: Order): Outcome<Creation> =>
  !known.isDead && known.content?.equals(external!.content)
    ? { value: { id: known.id, result: 'repeated' } }
    : { error: new Refusal('external-id-taken', { id: known.id }) };
