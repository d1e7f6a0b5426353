import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { FAILURE_DECISIONS } from '../platform/kernel/states.ts';

/** A dispatch central: the tenant. Nothing of one central is ever visible in another. */
export interface Central {
  id: number;
  name: string;
  timeZone: string;
  active: boolean;
  settings: Settings;
  /** Of a sandbox: the real central, which has its logins, keys and programs. */
  sandboxOf?: number;
}

/** The central in which the callers of a central have their logins: of a sandbox, the real one. */
export const loginCentralOf = ({ id, sandboxOf }: Pick<Central, 'id' | 'sandboxOf'>): number =>
  sandboxOf ?? id;

/** Whether a kind of proof is off, optional or required; see registers/companies/proofRules.ts. */
const demand = Type.Enum(['off', 'optional', 'required'], { default: 'off' });

const limit = (value: number) => Type.Integer({ minimum: 1, maximum: 10_000_000, default: value });

export const MERGE_LEAD_SECONDS_MAX = 7_200;
export const SEARCH_AGAIN_SECONDS_MAX = 600;

/** The longest host name with its scheme and port. */
export const ORIGIN_LENGTH_MAX = 267;

/** All settings of a central, with their defaults. Only values that differ from the defaults are stored. */
export const SettingsSchema = Type.Object({
  /** The central's colour on pages for recipients. */
  brandColor: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, default: '#0b6e4f' }),
  /** How a recipient gets help: a phone number or a sentence, shown as it is. */
  supportText: Type.String({ maxLength: 200, default: '' }),
  /** How long a tracking link works after the end of the delivery. */
  trackingHoursAfterEnd: Type.Integer({ minimum: 1, maximum: 8760, default: 48 }),
  /** Recipients are given a code that the driver must enter to conclude their stop. */
  confirmationCode: Type.Boolean({ default: false }),
  /** What follows a failed stop, by reason; see failureRules.ts. */
  failureAbsent: Type.Enum([...FAILURE_DECISIONS], { default: 'retry' }),
  failureWrongAddress: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  failureRefused: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  failureOther: Type.Enum([...FAILURE_DECISIONS], { default: 'return' }),
  /** How many attempts a stop gets in a run if it is tried again, … */
  failureAttemptsMax: Type.Integer({ minimum: 1, maximum: 10, default: 2 }),
  /** … and what follows the last attempt. */
  failureAfterwards: Type.Enum(['return', 'leave'], { default: 'return' }),
  /** The proof that a driver must give at a stop; a company may have its own rules. */
  proofPhoto: demand,
  proofSignature: demand,
  proofName: demand,
  /** The driver enters the amount collected, where there is something to collect. */
  proofAmount: Type.Boolean({ default: false }),
  /** The recipient sees the photo on the tracking page. */
  proofOnTracking: Type.Boolean({ default: false }),
  /** Lets the integration interface cancel a scheduled delivery that still awaits dispatch (contract 4.15). */
  cancelAwaitingScheduled: Type.Boolean({ default: false }),
  /** Lets a company's manager top up the company's wallet; otherwise only the central can. */
  managerTopUp: Type.Boolean({ default: false }),
  /** Restricts operators to daily work: tariffs, users, keys, settings and money are for supervisors and finance. */
  operatorsRunDayOnly: Type.Boolean({ default: false }),
  /** Wrong coupon codes allowed per login in 15 minutes; see money/pricing/couponGuard.ts. */
  wrongCouponsMax: Type.Integer({ minimum: 1, maximum: 10_000, default: 10 }),
  /** How long the price of a quote holds. */
  quoteMinutes: Type.Integer({ minimum: 1, maximum: 720, default: 10 }),
  /** Every new delivery waits until the central releases it. */
  releaseRequired: Type.Boolean({ default: false }),
  /** The fee for a delivery that is cancelled after a driver accepted it. */
  cancellationFeeCents: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  /** The driver's share of a delivery whose tariff defines none; see money/pricing/share.ts. */
  shareKind: Type.Enum(['none', 'percent', 'table'], { default: 'none' }),
  /** The percentage of the price, for `percent`. */
  sharePercent: Type.Integer({ minimum: 0, maximum: 100, default: 70 }),
  /** For `table`: the fixed amount, and the amounts for each kilometre and each stop. */
  shareBaseCents: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 500 }),
  sharePerKmCents: Type.Integer({ minimum: 0, maximum: 100_000, default: 100 }),
  sharePerStopCents: Type.Integer({ minimum: 0, maximum: 100_000, default: 100 }),
  /** The Pix account that companies pay to: key, receiver's name and city as the bank has them. Empty: no codes. */
  pixKey: Type.String({ maxLength: 77, pattern: '^[A-Za-z0-9@.+_/() -]*$', default: '' }),
  pixReceiver: Type.String({ maxLength: 25, default: '' }),
  pixCity: Type.String({ maxLength: 15, default: '' }),
  /** How long a driver has to answer an offer. */
  offerSeconds: Type.Integer({ minimum: 5, maximum: 600, default: 30 }),
  /** To how many drivers one delivery is offered at the same time. */
  offersAtOnce: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
  /** The maximum straight-line distance from the driver to the pickup. */
  searchMetresMax: Type.Integer({ minimum: 100, maximum: 100_000, default: 12_000 }),
  /** A search to which no free driver is suited is tried again after so long, … */
  searchAgainSeconds: Type.Integer({ minimum: 5, maximum: SEARCH_AGAIN_SECONDS_MAX, default: 15 }),
  /** … and ends after so long: not attended. */
  searchLimitMinutes: Type.Integer({ minimum: 1, maximum: 1440, default: 20 }),
  /** Drivers whose position is older get no offers. */
  positionMinutesMax: Type.Integer({ minimum: 1, maximum: 1440, default: 30 }),
  /** A busy driver is offered a next delivery of the same company, if its pickup is so near to the last stop. 0: never. */
  nextPickupMetresMax: Type.Integer({ minimum: 0, maximum: 20_000, default: 1_000 }),
  /** Lets drivers on duty take deliveries that were not offered to them, within the two limits below. */
  takeFromList: Type.Boolean({ default: false }),
  /** The maximum straight-line distance from the driver to the pickup of a delivery on the list. */
  takeMetresMax: Type.Integer({ minimum: 100, maximum: 100_000, default: 5_000 }),
  /** How many deliveries may wait behind the current one of a driver who takes from the list. 0: free drivers only. */
  takeWaitingMax: Type.Integer({ minimum: 0, maximum: 20, default: 1 }),
  /** Scheduled deliveries of one company from one pickup are merged shortly before their dispatch. */
  autoMerge: Type.Boolean({ default: false }),
  /** The maximum time between planned dispatches of one batch; all are dispatched with the earliest one. */
  mergeWindowMinutes: Type.Integer({ minimum: 1, maximum: 240, default: 15 }),
  /** How long before the earliest dispatch the merge takes place: late orders can join, and the merge needs time. */
  mergeLeadSeconds: Type.Integer({ minimum: 120, maximum: MERGE_LEAD_SECONDS_MAX, default: 300 }),
  /** A batch that saves less travel time than this is not merged. */
  mergeSavingPercentMin: Type.Integer({ minimum: 0, maximum: 90, default: 15 }),
  /** The maximum travel time of a batch. */
  mergeRouteMinutesMax: Type.Integer({ minimum: 10, maximum: 480, default: 90 }),
  /** Continuous planning: off, only proposals, or applied by itself; see dispatch/plans/planContinuously.ts. */
  planning: Type.Enum(['off', 'suggest', 'apply'], { default: 'off' }),
  /** Continuous planning concerns deliveries that have waited so long for a driver. */
  planAfterSeconds: Type.Integer({ minimum: 15, maximum: 3600, default: 120 }),
  /** How a plan reaches drivers: offered as a run, or assigned without asking. */
  planBy: Type.Enum(['offer', 'assign'], { default: 'offer' }),
  /** How many deliveries a driver may have aboard at a time in a plan. Their steps are taken one after another anyway. */
  planAboardMax: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
  /** A test mode: drivers registered as simulated move by themselves; see simulation/couriers/courier.ts. */
  simulatedCouriers: Type.Boolean({ default: false }),
  /** The speed factor of simulated drivers. */
  simulationSpeed: Type.Integer({ minimum: 1, maximum: 60, default: 1 }),
  /** The demonstration orders as on a Friday evening; see simulation/demo/friday.ts. Nothing in other centrals. */
  simulatedFriday: Type.Boolean({ default: false }),
  /** The routing engine; see geo/routing/openRouters.ts. */
  routing: Type.Enum(['auto', 'estimator', 'roads', 'valhalla', 'osrm'], { default: 'auto' }),
  /** The geocoder for addresses without coordinates; see geo/geocoding/geocoders.ts. */
  geocoding: Type.Enum(['auto', 'off', 'addresses', 'nominatim', 'photon', 'google'], { default: 'auto' }),
  /** An address that is found less precisely is refused, … */
  addressPrecision: Type.Enum(['number', 'approximate', 'street', 'postcode', 'district', 'municipality'], {
    default: 'approximate',
  }),
  /** … or accepted and marked for a check by an operator. */
  acceptUnsureAddresses: Type.Boolean({ default: false }),
  /** Pages of these origins may call the interfaces with an api-key; see api/http/crossOrigin.ts. */
  browserOrigins: Type.Array(Type.String({ maxLength: ORIGIN_LENGTH_MAX }), { maxItems: 30, default: [] }),
  /** Straight-line estimator: metres = intercept + detour × distance. */
  estimatorInterceptMetres: Type.Integer({ minimum: 0, maximum: 10_000, default: 550 }),
  estimatorDetourPercent: Type.Integer({ minimum: 100, maximum: 400, default: 135 }),
  estimatorKmPerHour: Type.Integer({ minimum: 3, maximum: 120, default: 25 }),
  /** How long events and their webhook messages are kept. */
  eventsKeptDays: Type.Integer({ minimum: 1, maximum: 3650, default: 90 }),
  /** One of so many requests is recorded that were not refused. 0: only refused ones. */
  requestsSampledOneIn: Type.Integer({ minimum: 0, maximum: 100_000, default: 100 }),
  /** How long recorded requests are kept. 0: none are recorded. */
  requestsKeptDays: Type.Integer({ minimum: 0, maximum: 90, default: 7 }),
  /** After how many months names, phones, house numbers and notes are removed from ended requests. 0: never. */
  personalDataMonths: Type.Integer({ minimum: 0, maximum: 120, default: 0 }),
  /** Requests in any 60 seconds. */
  limitScheduled: limit(200),
  limitDeliveries: limit(800),
  limitEstimates: limit(1000),
  limitTopUpsPerCompany: limit(5),
  limitBalancesPerCompany: limit(12),
  limitOperations: limit(60_000),
  // A separate limit, so that positions of a fleet do not use up the limit of operators.
  limitPositions: limit(600_000),
});
export type Settings = Static<typeof SettingsSchema>;

export const settingsDefaults: Settings = Object.fromEntries(
  Object.entries(SettingsSchema.properties).map(([name, schema]) => [
    name,
    (schema as { default?: unknown }).default,
  ]),
) as Settings;

/** A stored value that is not valid any more is replaced by its default, so an old row cannot stop a central. */
export function readSettings(stored: Readonly<Record<string, unknown>>): Settings {
  const known = Object.entries(SettingsSchema.properties).filter(([name, schema]) =>
    Check(schema, stored[name]),
  );
  return { ...settingsDefaults, ...Object.fromEntries(known.map(([name]) => [name, stored[name]])) };
}

/** Only values that differ from the defaults, so that a central follows improved defaults of later versions. */
export const writeSettings = (settings: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !isDeepStrictEqual(value, settingsDefaults[name as keyof Settings]),
    ),
  );
