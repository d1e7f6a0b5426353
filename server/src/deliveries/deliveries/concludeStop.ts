import type { Caller } from '../../centrals/caller.ts';
import type { EventProof } from '../../events/record/event.ts';
import { creditCollected } from '../../money/billing/enterCharges.ts';
import { enterCollected } from '../../money/earnings/enterEarnings.ts';
import { type PlainKind, Refusal } from '../../platform/kernel/refusal.ts';
import type { Payment } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import { findOwnProofRules } from '../../registers/companies/companyStore.ts';
import { type ProofRules, proofRules } from '../../registers/companies/proofRules.ts';
import { giveConfirmationCode } from '../orders/stopStore.ts';
import {
  assertNewVisit,
  countOpenStops,
  lockStop,
  markStopArrived,
  markStopConcluded,
  markStopReceived,
  markWrongCode,
  type Received,
  type StopAtHand,
  sumPriceRecorded,
} from '../orders/visitStore.ts';
import type { ProofLinks } from '../proof/proofLinks.ts';
import { findLastImages, type ProofImage } from '../proof/proofStore.ts';
import type { Delivery } from './delivery.ts';
import { raiseVersion } from './deliveryStore.ts';
import { isOver } from './status.ts';
import { recordStopEvent } from './stepStore.ts';
import { finishLocked } from './steps.ts';
import { lockForStep, stepActor } from './takeSteps.ts';

/** The evidence that the right person received the goods. */
export interface Proof {
  code: number | null;
  /** An operator's reason to conclude without the code; stored in the event. */
  withoutCodeReason: string | null;
  received: Received;
  /** An operator's reason to record more than the stop collects; stored in the event and in the driver's account. */
  receivedReason: string | null;
}

const NOTHING_RECORDED: Received = { by: null, cents: null, payment: null };

/** For centrals that require no proof. */
export const NO_PROOF: Proof = {
  code: null,
  withoutCodeReason: null,
  received: NOTHING_RECORDED,
  receivedReason: null,
};

export interface Concluded {
  /** Stops that are still to be visited. */
  left: number;
  status: 'in_progress' | 'finished';
}

/**
 * Concludes a stop: the driver handed the goods over. The recipient's confirmation code and the proof are needed where
 * the central or the company requires them; an operator may give a reason to conclude without them. The last stop
 * finishes a delivery without return; one with a return ends when the driver is back.
 */
export async function concludeStop(
  deps: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  proof: Proof,
  occurredAt: Temporal.Instant | null = null,
  proofLinks: ProofLinks | null = null,
): Promise<Concluded> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const { settings } = caller.central;
  const { withoutCodeReason: givenReason, received } = proof;
  if (settings.confirmationCode && givenReason !== null && caller.driverId !== null)
    throw new Refusal('not-allowed');
  if (proof.receivedReason !== null && caller.driverId !== null) throw new Refusal('not-allowed');
  const confirmed =
    !settings.confirmationCode ||
    givenReason !== null ||
    (await checkCode(deps, caller, id, stopId, proof.code));
  const linksTo = await proofLinker(centralId, proofLinks);
  return db.begin(async (tx) => {
    const [delivery, stop, actor, images, ownRules, open] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
      stepActor(tx, caller, id, occurredAt, clock.now()),
      findLastImages(tx, centralId, stopId),
      findOwnProofRules(tx, centralId, id),
      countOpenStops(tx, centralId, id),
    ]);
    if (!confirmed || !isOpen(delivery, stop))
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    const rules = proofRules(settings, ownRules);
    if ((received.cents ?? 0) > 0 && received.payment !== null && !isPaidAtDoor(received.payment))
      throw new Refusal('proof-payment-missing');
    const aboveDue = await centsAboveDue(tx, centralId, delivery, stop, received.cents);
    const receivedReason = aboveDue > 0 ? proof.receivedReason : null;
    if (aboveDue > 0 && receivedReason === null)
      throw new Refusal('received-above-due', { dueCents: received.cents! - aboveDue });
    const missing = missingProof(rules, { images, received, collectCents: stop.collectCents });
    if (missing && (givenReason === null || caller.driverId !== null)) throw new Refusal(missing);
    const withoutCodeReason = settings.confirmationCode || missing ? givenReason : null;
    const presumed = isPaidAtDoor(stop.payment) ? stop.payment : 'cash';
    const payment = received.payment ?? (received.cents === null ? null : presumed);
    const cashCents = (payment ?? presumed) === 'cash' ? (received.cents ?? stop.collectCents ?? 0) : 0;
    await markStopConcluded(tx, centralId, id, stopId, delivery.driverId, actor.happenedAt ?? actor.at);
    await markStopReceived(tx, centralId, stopId, { ...received, payment });
    // Plans that still include this stop are outdated.
    await raiseVersion(tx, centralId, id);
    const payload = {
      stopId,
      order: stop.order,
      carriedBy: id,
      driverId: delivery.driverId,
      ...(withoutCodeReason !== null && { withoutCodeReason }),
      ...(received.cents !== null && { receivedCents: received.cents, receivedPayment: payment! }),
      ...(receivedReason !== null && { receivedReason }),
      proofs: linksTo(images),
    };
    const event = { deliveryId: id, type: 'delivery.stop_concluded', payload } as const;
    await recordStopEvent(tx, centralId, stop.orderedWith, event, actor);
    const left = open - 1;
    const isDone = left === 0 && !delivery.returning;
    if (isDone) await finishLocked(tx, caller.central, delivery, actor);
    // Accounts are locked after all locks of the end of a delivery.
    const of = { id: stop.orderedWith, stopId, companyId: delivery.companyId };
    const collected = { ...of, reason: receivedReason };
    await enterCollected(tx, caller.central, delivery.driverId!, collected, cashCents, actor);
    await creditCollected(tx, caller.central, collected, cashCents, actor);
    return { left, status: isDone ? 'finished' : 'in_progress' };
  });
}

/**
 * An invoice or credits pay for the delivery itself, not for the amount collected from recipients. That counts as cash
 * unless another payment is given, so that no money is missing from the accounts.
 */
const isPaidAtDoor = (payment: Payment): boolean => payment !== 'invoiced' && payment !== 'credit_wallet';

/**
 * By how much a recorded amount exceeds what the driver collects at the stop: the amount to collect and, where an order
 * in cash leaves the price to the driver, what is left of it.
 */
async function centsAboveDue(
  tx: Tx,
  centralId: number,
  { id, payment, netCents }: Delivery,
  stop: StopAtHand,
  receivedCents: number | null,
): Promise<number> {
  const above = (receivedCents ?? 0) - (stop.collectCents ?? 0);
  if (above <= 0 || payment !== 'cash' || stop.payment !== 'cash') return Math.max(0, above);
  const priceLeft = Math.max(0, netCents - (await sumPriceRecorded(tx, centralId, id)));
  return Math.max(0, above - priceLeft);
}

/** The first required proof that is missing, in the order in which the app asks for them. */
function missingProof(
  rules: ProofRules,
  {
    images,
    received,
    collectCents,
  }: { images: readonly Pick<ProofImage, 'kind'>[]; received: Received; collectCents: number | null },
): PlainKind | null {
  const has = (kind: ProofImage['kind']) => images.some((image) => image.kind === kind);
  if (rules.proofAmount && (collectCents ?? 0) > 0 && received.cents === null) return 'proof-amount-missing';
  if (rules.proofName === 'required' && received.by === null) return 'proof-name-missing';
  if (rules.proofPhoto === 'required' && !has('photo')) return 'proof-photo-missing';
  if (rules.proofSignature === 'required' && !has('signature')) return 'proof-signature-missing';
  return null;
}

/**
 * Signs the links by which readers of the event get the images; none without `links`. Reads the key before the
 * transaction, which then needs no other connection.
 */
export async function proofLinker(
  centralId: number,
  links: ProofLinks | null,
): Promise<(images: readonly ProofImage[]) => EventProof[]> {
  if (!links) return () => [];
  const sign = await links.signer(centralId);
  return (images) =>
    images.map((image) => {
      const { token, expiresAt } = sign(image);
      return { kind: image.kind, token, expiresAt: expiresAt.toString() };
    });
}

/** Records once that the driver is at a stop. It does not change the status. */
export async function arriveAtStop(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  occurredAt: Temporal.Instant | null = null,
  visit: number | null = null,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const [delivery, stop] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
    ]);
    if (!isOpen(delivery, stop) || stop.arrivedAt !== null)
      throw new Refusal(isOver(delivery.status) ? 'delivery-over' : 'step-out-of-order');
    await assertNewVisit(tx, centralId, stopId, visit);
    const actor = await stepActor(tx, caller, id, occurredAt, clock.now());
    await markStopArrived(tx, centralId, stopId, actor.happenedAt ?? actor.at);
    const payload = { stopId, order: stop.order, carriedBy: id, driverId: delivery.driverId };
    const event = { deliveryId: id, type: 'delivery.stop_arrived', payload } as const;
    await recordStopEvent(tx, centralId, stop.orderedWith, event, actor);
  });
}

/**
 * Refuses a wrong code after counting it. False when the stop is not open: the code is not compared then. The count
 * must survive the refusal, so it has a separate transaction. Comparing and counting under one lock prevents that many
 * simultaneous guesses are compared before any is counted.
 */
async function checkCode(
  { db }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  given: number | null,
): Promise<boolean> {
  const { centralId } = caller;
  const verdict = await db.beginIndependent(async (tx) => {
    const [delivery, stop] = await inOrder([
      lockForStep(tx, caller, id),
      lockStop(tx, centralId, id, stopId),
    ]);
    if (!isOpen(delivery, stop)) return 'not open';
    // A code that was never shown to anybody is checked too: an entered code is then a guess.
    const code = stop.code ?? (await giveConfirmationCode(tx, centralId, stopId)) ?? null;
    if (confirms({ ...stop, code }, given)) return 'right';
    return { wrongCodes: await markWrongCode(tx, centralId, stopId) };
  });
  if (typeof verdict === 'object')
    throw new Refusal('wrong-confirmation-code', { left: WRONG_CODES_MAX - verdict.wrongCodes });
  return verdict === 'right';
}

const isOpen = (delivery: Delivery, stop: StopAtHand): boolean =>
  delivery.status === 'in_progress' && stop.concludedAt === null;

/** With 9,000 codes, five guesses succeed in 1 of 1,800 cases. Then the stop is locked. */
const WRONG_CODES_MAX = 5;

/** The code as people read it: always four digits. */
export const writtenCode = (code: number): string => String(code).padStart(4, '0');

export interface Confirmation {
  /** The code that the recipient received. */
  code: number | null;
  wrongCodes: number;
}

/**
 * Whether an entered code confirms a stop. The caller counts a wrong code. A locked stop refuses every code from every
 * caller, so that the right code cannot be found by further guesses.
 */
export function confirms({ code, wrongCodes }: Confirmation, given: number | null): boolean {
  if (isLocked(wrongCodes)) throw new Refusal('confirmation-code-locked');
  if (given === null) throw new Refusal('confirmation-code-required');
  return given === code;
}

export const isLocked = (wrongCodes: number): boolean => wrongCodes >= WRONG_CODES_MAX;
