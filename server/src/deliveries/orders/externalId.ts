import { createHash } from 'node:crypto';
import type { Caller, Scope } from '../../centrals/caller.ts';
import { Refusal, type RefusalKind } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { violatedConstraint } from '../../platform/postgres/databaseErrors.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findByExternalId, findIdsByExternalId, type KnownOrder } from './externalIdStore.ts';
import { type LocateDeps, locateAddresses, type SentOrder } from './locateAddresses.ts';
import type { ExternalKey, Order, RequestNoun } from './request.ts';

/*
 * Callers may name an order by a key of their own, its external id: unique among the orders of one kind of a company, or
 * among those without a company. A unique index guarantees it.
 */

export const EXTERNAL_ID_LENGTH_MAX = 100;

export type CreationResult = 'created' | 'repeated' | 'edited';

export interface Creation {
  id: number;
  /** Absent for an order without an external id, which is always created. */
  result?: CreationResult;
}

interface Commands {
  noun: RequestNoun;
  /** Null: it sets off now. */
  dispatchAt: Temporal.Instant | null;
  create(order: Order): Promise<number>;
  /** Replaces the whole order. Throws ChangedMeanwhile if its version is another one. */
  replace(known: KnownOrder, order: Order): Promise<void>;
}

/**
 * Creates an order, unless its external id names an existing one. Then the same content changes nothing, and other
 * content replaces that of the existing order, by the rules of an edit, or is refused.
 *
 * An order keeps the content of the creation that made or replaced it: an edit by other ways does not count, so that a
 * late repetition of the creation does not undo it. A cancelled order, or one that nobody attended, keeps its external
 * id and is not revived.
 */
export async function createOnce(
  deps: Deps & LocateDeps,
  caller: Caller,
  sent: SentOrder,
  { noun, dispatchAt, create, replace }: Commands,
): Promise<Creation> {
  const { externalId, ...rest } = sent;
  if (externalId === undefined)
    return { id: await create(await locateAddresses(deps, caller.central, rest)) };
  const external = externalKeyOf(sent, dispatchAt)!;
  const find = () => findByExternalId(deps.db, noun, caller.centralId, sent.companyId, externalId);
  let located: Promise<Order> | undefined;
  const locate = async (): Promise<Order> => {
    located ??= locateAddresses(deps, caller.central, rest);
    return { ...(await located), external };
  };

  const attempt = async (): Promise<Creation> => {
    const known = await find();
    if (known?.isDead) throw new Refusal('external-id-taken', { id: known.id });
    if (known?.content?.equals(external.content)) return { id: known.id, result: 'repeated' };
    try {
      if (!known) return { id: await create(await locate()), result: 'created' };
      await replace(known, await locate());
      return { id: known.id, result: 'edited' };
    } catch (error) {
      if (!(error instanceof Refusal || isTaken(error))) throw error;
      // The cause may be another request with this external id that took effect meanwhile: it used the quote, the last
      // use of the coupon, or the external id itself.
      const current = await find();
      if (current && current.version !== known?.version) throw new ChangedMeanwhile();
      throw known && error instanceof Refusal && FIXED.has(error.kind)
        ? new Refusal('external-id-taken', { id: known.id })
        : error;
    }
  };
  return retryOnConflict(attempt);
}

/** The caller's own key of an order, with what it names. */
export const externalKeyOf = (
  sent: SentOrder,
  dispatchAt: Temporal.Instant | null,
): ExternalKey | undefined =>
  sent.externalId === undefined ? undefined : { id: sent.externalId, content: contentOf(sent, dispatchAt) };

const isTaken = (error: unknown): boolean =>
  /^(deliveries|scheduled)_external_id_unique$/.test(violatedConstraint(error) ?? '');

/** The refusals of edits of an order that cannot be changed any more, or not by this login. */
const FIXED: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  'delivery-grouped',
  'delivery-over',
  'delivery-started',
  'delivery-carries-others',
  'company-manager-only',
  'grouped-automatically',
  'scheduled-cancelled',
  'scheduled-dispatched',
  'scheduled-grouped',
]);

/**
 * A digest of everything that is ordered. Which quote sets the price is not part of it: the order keeps the price with
 * which it was made. What is not given is left out, so that fields which later versions add do not change the digests of
 * orders without them.
 */
function contentOf(
  { externalId: _id, companyId: _company, quoteId: _quote, ...order }: SentOrder,
  dispatchAt: Temporal.Instant | null,
): Buffer {
  const given = (_: string, value: unknown): unknown => value ?? undefined;
  const content = JSON.stringify([order, dispatchAt?.epochMilliseconds], given);
  return createHash('sha256').update(content).digest();
}

/** A company, or 0 for the orders without a company. */
export type CompanyOrNone = number;

/**
 * The id of the order with this external id. A central user sees those of several companies, and has to say which one is
 * meant where more than one has it.
 */
export async function idByExternalId(
  tx: Tx,
  noun: RequestNoun,
  scope: Scope,
  externalId: string,
  company: CompanyOrNone | undefined,
): Promise<number> {
  const ids = await findIdsByExternalId(tx, noun, scope, externalId, company ?? null);
  const [id] = ids;
  if (id === undefined) throw new Refusal(noun === 'delivery' ? 'delivery-not-found' : 'scheduled-not-found');
  if (ids.length > 1) throw new Refusal('external-id-ambiguous');
  return id;
}
