import type { RefusalKind } from '../../platform/kernel/refusal.ts';
import type {
  DriverEntryKind,
  EntryKind,
  FailureDecision,
  FailureReason,
  Payment,
  ProofKind,
  Situation,
  Status,
} from '../../platform/kernel/states.ts';

/*
 * The event types. Their names for integrators, their wire schemas and their texts are in api/json/eventTypes.ts.
 *
 * The payload of an event consists of the fields that its command gives, merged over the facts about its subject that
 * the recording statement adds (eventStore.ts): a reader can act on the event without another request. A payload holds
 * no personal data that the integrators did not send: no documents, no phones, no recipients.
 */

/** A stop with the references of the system that ordered it. */
export interface EventStop {
  id: number;
  order: number;
  orderNumber: string | null;
  externalId: string | null;
  /** Handed over. */
  concluded?: boolean;
  /** Given up: nothing was handed over. */
  notDelivered?: boolean;
}

interface OfOwnKey {
  /**
   * The external id of the delivery or scheduled delivery; absent if it has none. Named unlike those of stops, which
   * payloads hold beside it.
   */
  ownKey?: string;
}

/** The facts that every event of a delivery holds, except a position. */
export interface DeliveryFacts extends OfOwnKey {
  status: Status;
  driverId: number | null;
  driverName: string | null;
  netCents: number;
  scheduledId: number | null;
  groupedInto: number | null;
  stops: readonly EventStop[];
}

/** The facts that every event of a scheduled delivery holds. */
export interface ScheduledFacts extends OfOwnKey {
  situation: Situation;
  /** ISO 8601. */
  dispatchAt: string;
  netCents: number;
  deliveryId: number | null;
  groupedInto: number | null;
  stops: readonly EventStop[];
}

/** The facts that every wallet entry holds. */
export interface WalletFacts {
  /** The balance after the entry. */
  balanceCents: number;
}

export interface StatusChange {
  previousStatus?: Status;
  /** The driver is at the pickup. */
  arrived?: boolean;
  reasonId?: number | null;
  previousDriverId?: number | null;
  offeredTo?: number | readonly number[];
}

interface StopVisit {
  stopId: number;
  order: number;
  carriedBy: number;
}

/**
 * A link to an image. It expires: readers ask for the details of the delivery to get another one. Only the token is
 * stored; each reader gets the address of the service that it uses.
 */
export interface EventProof {
  kind: ProofKind;
  /** Absent in events of versions that stored the whole address. */
  token?: string;
  /** The whole address, which ends with the token, in events of those versions. */
  url?: string;
  /** ISO 8601. */
  expiresAt: string;
}

interface StopConclusion extends StopVisit {
  /** Why an operator concluded the stop without the recipient's code, or without proof that is required. */
  withoutCodeReason?: string;
  proofs?: readonly EventProof[];
  receivedCents?: number;
  receivedPayment?: Payment;
  /** Why an operator recorded more than the stop collects. */
  receivedReason?: string;
}

interface StopFailure extends StopVisit {
  reason: FailureReason;
  /** The number of this attempt of the stop, from 1. */
  attempt: number;
  decision: FailureDecision;
  /** Images of this attempt that had arrived. */
  proofs?: readonly EventProof[];
}

interface DriverPosition extends Pick<DeliveryFacts, 'status' | 'driverId' | 'driverName' | 'ownKey'> {
  lat: number;
  lng: number;
}

interface DeliveryGrouping {
  deliveries?: readonly number[];
  scheduled?: readonly number[];
  /** Deliveries that were cancelled alone, whose stops left. */
  left?: readonly number[];
  stopIds?: readonly number[];
}

export interface StopRemoval {
  stopId: number;
  orderNumber: string | null;
  externalId: string | null;
  orderedWith: number;
}

interface DriverChange {
  previousDriverId: number;
}

export type DeliveryChange = 'edited' | 'stops_edited' | 'dismissed';

export type ScheduledChange =
  | 'created'
  | 'edited'
  | 'grouped'
  | 'stops_joined'
  | 'stops_left'
  | 'let_go'
  | 'dispatch_failed';

/** Why a dispatch failed for good: a business rule refused it, or it ended in errors. */
export type DispatchFailure = RefusalKind | 'internal-error';

interface WalletEntry {
  entryId: number;
  kind: EntryKind;
  amountCents: number;
  deliveryId: number | null;
}

/** The facts that every event of a driver holds. */
interface DriverFacts {
  driverId: number;
  driverName: string;
}

/** A test event goes to one webhook or to the live streams of one login, and nowhere else. */
interface TestRequest {
  /** Null: it goes to streams. */
  webhookId: number | null;
  /** The login whose streams get it. Absent: it goes to a webhook. */
  listenerId?: number | null;
  /** The type whose example is sent. Absent: the plain test event. */
  sampleOf?: WantedType;
}

interface DriverEntryMade {
  entryId: number;
  kind: DriverEntryKind;
  amountCents: number;
  deliveryId: number | null;
  /** The entry that this one reverses. */
  reversesId: number | null;
}

interface DriverAccountFacts extends DriverFacts {
  /** The balances after the entry. */
  balanceCents: number;
  cashCents: number;
}

/** For each event type: the fields that its command gives, and the facts that are added. */
interface EventTypes {
  'delivery.status': { says: StatusChange; facts: DeliveryFacts };
  'delivery.stop_arrived': { says: StopVisit; facts: DeliveryFacts };
  'delivery.stop_concluded': { says: StopConclusion; facts: DeliveryFacts };
  'delivery.stop_failed': { says: StopFailure; facts: DeliveryFacts };
  'delivery.stop_reopened': { says: StopVisit; facts: DeliveryFacts };
  'delivery.proof_received': { says: StopVisit & { proofs: readonly EventProof[] }; facts: DeliveryFacts };
  'delivery.position': { says: DriverPosition; facts: unknown };
  'delivery.grouped': { says: DeliveryGrouping; facts: DeliveryFacts };
  'delivery.changed': { says: { change: DeliveryChange }; facts: DeliveryFacts };
  'delivery.driver_changed': { says: DriverChange; facts: DeliveryFacts };
  'delivery.stop_removed': { says: StopRemoval; facts: DeliveryFacts };
  'scheduled.changed': {
    says: { change: ScheduledChange; grouped?: readonly number[]; failure?: DispatchFailure };
    facts: ScheduledFacts;
  };
  'scheduled.stop_removed': { says: StopRemoval; facts: ScheduledFacts };
  'scheduled.dispatched': { says: unknown; facts: ScheduledFacts };
  'scheduled.cancelled': { says: { previousSituation: Situation }; facts: ScheduledFacts };
  'wallet.entry': { says: WalletEntry; facts: WalletFacts };
  'driver.availability': { says: { available: boolean }; facts: DriverFacts };
  'driver.help': { says: { deliveryId: number | null }; facts: DriverFacts };
  'driver.entry': { says: DriverEntryMade; facts: DriverAccountFacts };
  'webhook.test': { says: TestRequest; facts: unknown };
}

export type EventType = keyof EventTypes;

/** The types that a webhook can subscribe to. A test event is sent only where it was asked for. */
export type WantedType = Exclude<EventType, 'webhook.test'>;

/**
 * Facts that a command may state itself: those that its transaction changes only after the event is recorded.
 */
type DeliveryOverrides = Partial<Pick<DeliveryFacts, 'status' | 'driverId' | 'groupedInto'>>;
type ScheduledOverrides = Partial<Pick<ScheduledFacts, 'situation' | 'deliveryId' | 'groupedInto'>>;

type DeliveryType = Exclude<Extract<EventType, `delivery.${string}`>, 'delivery.position'>;
type ScheduledType = Extract<EventType, `scheduled.${string}`>;

/** An event of a delivery, as its command records it. */
export type DeliveryEvent = {
  [Type in DeliveryType]: {
    deliveryId: number;
    type: Type;
    payload: EventTypes[Type]['says'] & DeliveryOverrides;
  };
}[DeliveryType];

/** An event of a scheduled delivery, as its command records it. */
export type ScheduledEvent = {
  [Type in ScheduledType]: {
    scheduledId: number;
    type: Type;
    payload: EventTypes[Type]['says'] & ScheduledOverrides;
  };
}[ScheduledType];

/** Entries of accounts are recorded by the statement that makes them. */
type DriverType = Exclude<Extract<EventType, `driver.${string}`>, 'driver.entry'>;

/** An event of a driver, as its command records it. */
export type DriverEvent = {
  [Type in DriverType]: { driverId: number; type: Type; payload: EventTypes[Type]['says'] };
}[DriverType];

/** The fields of a status event in addition to the step. */
export type StatusDetails = StatusChange & DeliveryOverrides;

/** An event as readers get it. */
export type RecordedEvent<Type extends EventType = EventType> = {
  [Each in Type]: {
    type: Each;
    companyId: number | null;
    deliveryId: number | null;
    scheduledId: number | null;
    sequence: number | null;
    payload: EventTypes[Each]['says'] & EventTypes[Each]['facts'];
    /** When it was recorded. */
    occurredAt: Temporal.Instant;
    /** When it happened, if a phone reported it later. */
    happenedAt?: Temporal.Instant | null;
  };
}[Type];

/** When a change was made, and by whom. Every function that records events requires it. */
export interface Actor {
  /** By the service's clock. Used for wallet entries, searches and the order of events. */
  at: Temporal.Instant;
  /** When it happened, if a phone that was offline reports it later. Absent: `at`. */
  happenedAt?: Temporal.Instant;
  /** The user's id; null for the service itself: dispatch, search, merge, simulation. */
  by: number | null;
}

export const serviceActor = (at: Temporal.Instant): Actor => ({ at, by: null });
