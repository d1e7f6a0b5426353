import type { Static } from 'typebox';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { FAILURE_DECISIONS } from '../kernel/states.ts';

/** A dispatch central: the tenant. Nothing of one central is ever visible in another. */
export interface Central {
  id: number;
  name: string;
  timeZone: string;
  active: boolean;
  settings: Settings;
}

/** How much is wanted of a kind of proof; see proof/proofRules.ts. */
const demand = Type.Enum(['off', 'optional', 'required'], { default: 'off' });

const limit = (value: number) => Type.Integer({ minimum: 1, maximum: 10_000_000, default: value });

export const MERGE_LEAD_SECONDS_MAX = 7_200;

/** Everything a central may tune, with its default. Stored as far as it differs from these. */
export const SettingsSchema = Type.Object({
  /** The central's colour on what recipients see. */
  brandColor: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, default: '#0b6e4f' }),
  /** How a recipient gets help: a phone number or a sentence, shown as it is. */
  supportText: Type.String({ maxLength: 200, default: '' }),
  /** A tracking link leads nowhere any more so long after the end. */
  trackingHoursAfterEnd: Type.Integer({ minimum: 1, maximum: 8760, default: 48 }),
  /** Recipients are given a code that the driver must enter to conclude their stop. */
  confirmationCode: Type.Boolean({ default: false }),
  /** What follows a stop that fails, by the reason; see failureRules.ts. */
  failureAbsent: Type.Enum([...FAILURE_DECISIONS], { default: 'retry' }),
  failureWrongAddress: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  failureRefused: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  failureOther: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  /** How often one stop is tried in a run, where it is tried again, … */
  failureAttemptsMax: Type.Integer({ minimum: 1, maximum: 10, default: 2 }),
  /** … and what follows the last attempt. */
  failureAfterwards: Type.Enum(['return', 'leave'], { default: 'return' }),
  /** What a driver is asked for at a stop; a company may have its own. */
  proofPhoto: demand,
  proofSignature: demand,
  proofName: demand,
  /** What the driver collected is recorded, where there is something to collect. */
  proofAmount: Type.Boolean({ default: false }),
  /** The recipient sees the photo on the tracking page. */
  proofOnTracking: Type.Boolean({ default: false }),
  /** Lets the integration interface cancel a scheduled delivery that still awaits dispatch (contract 4.15). */
  cancelAwaitingScheduled: Type.Boolean({ default: false }),
  /** Lets a company's manager top up the own wallet; otherwise only the central does. */
  managerTopUp: Type.Boolean({ default: false }),
  /** Operators run the day only: tariffs, users, keys, settings and money are left to supervisors and finance. */
  operatorsRunDayOnly: Type.Boolean({ default: false }),
  /** So many wrong coupon codes may one login give in 15 minutes; see estimates/couponGuard.ts. */
  wrongCouponsMax: Type.Integer({ minimum: 1, maximum: 10_000, default: 10 }),
  /** Every new delivery waits until the central releases it. */
  releaseRequired: Type.Boolean({ default: false }),
  /** Asked for a delivery that is cancelled after a driver accepted it. */
  cancellationFeeCents: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  /** What a driver earns of a delivery whose tariff does not say it; see estimates/share.ts. */
  shareKind: Type.Enum(['none', 'percent', 'table'], { default: 'none' }),
  /** Of the price, for `percent`. */
  sharePercent: Type.Integer({ minimum: 0, maximum: 100, default: 70 }),
  /** For `table`: fixed, for each kilometre, and for each stop. */
  shareBaseCents: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 500 }),
  sharePerKmCents: Type.Integer({ minimum: 0, maximum: 100_000, default: 100 }),
  sharePerStopCents: Type.Integer({ minimum: 0, maximum: 100_000, default: 100 }),
  /** Where companies pay to, by Pix: the key, and the receiver's name and city as the bank has them. Empty: no codes. */
  pixKey: Type.String({ maxLength: 77, pattern: '^[A-Za-z0-9@.+_/() -]*$', default: '' }),
  pixReceiver: Type.String({ maxLength: 25, default: '' }),
  pixCity: Type.String({ maxLength: 15, default: '' }),
  /** A driver has so long to answer an offer. */
  offerSeconds: Type.Integer({ minimum: 5, maximum: 600, default: 30 }),
  /** To how many drivers one delivery is offered at the same time. */
  offersAtOnce: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
  /** As the crow flies, from the driver to the pickup. */
  searchMetresMax: Type.Integer({ minimum: 100, maximum: 100_000, default: 12_000 }),
  /** A search to which no free driver is suited is tried again after so long, … */
  searchAgainSeconds: Type.Integer({ minimum: 5, maximum: 600, default: 15 }),
  /** … and ends after so long: not attended. */
  searchLimitMinutes: Type.Integer({ minimum: 1, maximum: 1440, default: 20 }),
  /** A driver who was last seen longer ago is not asked. */
  positionMinutesMax: Type.Integer({ minimum: 1, maximum: 1440, default: 30 }),
  /** A driver who carries one of the same company is given a next one, if that is picked up so near to the last stop. 0: never. */
  nextPickupMetresMax: Type.Integer({ minimum: 0, maximum: 20_000, default: 1_000 }),
  /** Drivers on duty may take a delivery that was not offered to them, within the two limits below. */
  takeFromList: Type.Boolean({ default: false }),
  /** As the crow flies, from the driver to the pickup of what it takes from the list. */
  takeMetresMax: Type.Integer({ minimum: 100, maximum: 100_000, default: 5_000 }),
  /** How many may wait for a driver who takes from the list, behind the one it carries. 0: only a free driver takes. */
  takeWaitingMax: Type.Integer({ minimum: 0, maximum: 20, default: 1 }),
  /** Scheduled deliveries of one company from one pickup are merged shortly before their dispatch. */
  autoMerge: Type.Boolean({ default: false }),
  /** How far apart the planned dispatches of one batch may be; the earliest one counts for all. */
  mergeWindowMinutes: Type.Integer({ minimum: 1, maximum: 240, default: 15 }),
  /** So long before the earliest dispatch, which leaves time for latecomers and for the merge itself. */
  mergeLeadSeconds: Type.Integer({ minimum: 120, maximum: MERGE_LEAD_SECONDS_MAX, default: 300 }),
  /** A batch that saves less of its time on the road is left apart. */
  mergeSavingPercentMin: Type.Integer({ minimum: 0, maximum: 90, default: 15 }),
  /** No batch takes longer on the road. */
  mergeRouteMinutesMax: Type.Integer({ minimum: 10, maximum: 480, default: 90 }),
  /** A test mode: drivers registered as simulated move by themselves; see couriers/courier.ts. */
  simulatedCouriers: Type.Boolean({ default: false }),
  /** So many times as fast as real ones. */
  simulationSpeed: Type.Integer({ minimum: 1, maximum: 60, default: 1 }),
  /** Which engine knows the roads; see routing/openRouters.ts. */
  routing: Type.Enum(['auto', 'estimator', 'roads', 'valhalla', 'osrm'], { default: 'auto' }),
  /** Who finds the places of addresses that come without coordinates; see geocoding/geocoders.ts. */
  geocoding: Type.Enum(['auto', 'off', 'addresses', 'nominatim', 'photon', 'google'], { default: 'auto' }),
  /** An address that is found less precisely is refused, … */
  addressPrecision: Type.Enum(['number', 'approximate', 'street', 'postcode', 'district', 'municipality'], {
    default: 'approximate',
  }),
  /** … or accepted and marked, so that somebody checks it. */
  acceptUnsureAddresses: Type.Boolean({ default: false }),
  /** Straight-line estimator: metres = intercept + detour × distance. */
  estimatorInterceptMetres: Type.Integer({ minimum: 0, maximum: 10_000, default: 550 }),
  estimatorDetourPercent: Type.Integer({ minimum: 100, maximum: 400, default: 135 }),
  estimatorKmPerHour: Type.Integer({ minimum: 3, maximum: 120, default: 25 }),
  /** Events and what was sent of them are dropped after so long. */
  eventsKeptDays: Type.Integer({ minimum: 1, maximum: 3650, default: 90 }),
  /** Names, phones, doors and notes are removed from requests so many months after their end. 0: never. */
  personalDataMonths: Type.Integer({ minimum: 0, maximum: 120, default: 0 }),
  /** Requests in any 60 seconds. */
  limitScheduled: limit(200),
  limitDeliveries: limit(800),
  limitEstimates: limit(1000),
  limitTopUpsPerCompany: limit(5),
  limitBalancesPerCompany: limit(12),
  limitOperations: limit(60_000),
  // Apart, so that a fleet on the road does not use up what operators have.
  limitPositions: limit(600_000),
});
export type Settings = Static<typeof SettingsSchema>;

export const settingsDefaults: Settings = Object.fromEntries(
  Object.entries(SettingsSchema.properties).map(([name, schema]) => [
    name,
    (schema as { default?: unknown }).default,
  ]),
) as Settings;

/** A stored value that no longer fits falls back to its default, so an old row cannot stop a central. */
export function readSettings(stored: Readonly<Record<string, unknown>>): Settings {
  const known = Object.entries(SettingsSchema.properties).filter(([name, schema]) =>
    Check(schema, stored[name]),
  );
  return { ...settingsDefaults, ...Object.fromEntries(known.map(([name]) => [name, stored[name]])) };
}

/** Only what differs, so that a central follows defaults that a later version improves. */
export const writeSettings = (settings: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== settingsDefaults[name as keyof Settings]),
  );
