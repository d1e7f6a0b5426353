/**
 * Every refusal of a business rule, in the order in which the documents list them. api/http/failures has the HTTP status
 * and the texts of each; the compiler rejects a kind without them.
 */
export const REFUSAL_KINDS = [
  'bad-credentials',
  'too-many-attempts',
  'logins-busy',
  'too-many-wrong-coupons',
  'not-allowed',
  'token-not-valid',
  'scope-missing',
  'only-in-sandbox',
  'not-in-sandbox',
  'clock-too-far',
  'company-manager-only',
  'delivery-not-found',
  'scheduled-not-found',
  'stop-not-found',
  'company-not-found',
  'company-ambiguous',
  'driver-not-found',
  'category-not-found',
  'reason-not-found',
  'area-not-found',
  'record-not-found',
  'webhook-not-found',
  'message-not-found',
  'grouping-in-progress',
  'merge-in-progress',
  'grouped-automatically',
  'not-awaiting-dispatch',
  'too-few-orders',
  'different-companies',
  'different-pickups',
  'too-close-to-dispatch',
  'too-many-stops',
  'estimate-impossible',
  'quote-not-found',
  'quote-expired',
  'quote-used',
  'quote-differs',
  'quote-of-other-company',
  'external-id-taken',
  'external-id-ambiguous',
  'not-saved',
  'not-in-progress',
  'delivery-over',
  'delivery-grouped',
  'delivery-started',
  'delivery-carries-others',
  'not-finished',
  'receipt-of-grouper',
  'still-awaiting-dispatch',
  'scheduled-cancelled',
  'scheduled-dispatched',
  'scheduled-grouped',
  'scheduled-failed',
  'dispatch-not-failed',
  'not-to-order-again',
  'not-to-dismiss',
  'last-stop',
  'removed-stop-not-found',
  'removed-stop-grouped',
  'removed-stop-over',
  'removed-stop-concluded',
  'removed-stop-last',
  'invite-not-valid',
  'device-not-found',
  'entry-not-found',
  'entry-reversed',
  'cash-not-held',
  'report-period',
  'report-filters',
  'closing-not-found',
  'nothing-to-close',
  'closing-paid',
  'closing-too-large',
  'pix-not-set',
  'pix-not-found',
  'pix-credited',
  'too-many-pix',
  'pix-amount',
  'driver-without-login',
  'not-a-device',
  'failure-not-open',
  'driver-carries-it',
  'driver-has-current',
  'delivery-without-driver',
  'delivery-handed-over',
  'delivery-changed',
  'edited-stop-concluded',
  'proof-not-found',
  'proof-already-kept',
  'proof-erased',
  'proof-too-late',
  'proof-too-many',
  'proof-photo-missing',
  'proof-signature-missing',
  'proof-name-missing',
  'proof-amount-missing',
  'proof-payment-missing',
  'received-above-due',
  'grouper-needs-stop',
  'step-out-of-order',
  'stops-not-concluded',
  'offer-not-open',
  'dispatch-in-the-past',
  'outside-operating-areas',
  'pickup-not-found',
  'stop-address-not-found',
  'pickup-unsure',
  'stop-address-unsure',
  'geocoding-unavailable',
  'address-without-street',
  'company-address-not-found',
  'too-many-addresses',
  'category-mismatch',
  'category-missing',
  'no-tariff',
  'coupon-invalid',
  'insufficient-balance',
  'wallet-needs-company',
  'company-fixed',
  'company-inactive',
  'confirmation-code-required',
  'wrong-confirmation-code',
  'confirmation-code-locked',
  'delivery-taken',
  'driver-busy',
  'driver-off-duty',
  'driver-too-far',
  'driver-inactive',
  'driver-of-other-companies',
  'plan-not-found',
  'plan-not-ready',
  'plan-not-applied',
  'plan-undo-over',
  'too-many-plans',
  'record-in-use',
  'record-duplicate',
  'invalid-shape',
  'areas-too-large',
  'default-area-needed',
  'central-not-identified',
  'api-key-unknown',
  'central-name-taken',
  'central-name-without-letter',
  'own-login',
  'last-operator',
  'last-supervisor',
  'no-supervisor',
  'last-key',
  'scope-not-possible',
  'program-revoked',
  'too-many-records',
  'too-many-webhooks',
  'webhook-asleep',
  'message-outdated',
  'replay-too-large',
  'cursor-not-valid',
  'view-name-taken',
  'too-many-views',
  'too-many-listeners',
  'idempotency-key-reused',
  'too-many-keys',
  'own-attempt-running',
  'route-not-found',
  'host-not-served',
  'method-not-allowed',
  'body-too-large',
  'body-too-slow',
  'bodies-busy',
  'body-encoded',
  'rate-limited',
  'too-much-at-once',
  'items-refused',
  'unavailable',
  'outcome-unknown',
  'bug',
] as const;

export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** The names of the details that a refusal gives, for its texts and for Retry-After. All other kinds give none. */
export interface GivenDetails {
  'logins-busy': 'seconds';
  'too-many-wrong-coupons': 'seconds';
  'too-many-attempts': 'seconds';
  'scope-missing': 'scope';
  'not-awaiting-dispatch': 'id';
  'too-close-to-dispatch': 'id';
  'too-many-stops': 'max' | 'count';
  'not-in-progress': 'id';
  'delivery-grouped': 'id';
  'receipt-of-grouper': 'id';
  'scheduled-grouped': 'id';
  'removed-stop-grouped': 'id';
  'external-id-taken': 'id';
  'clock-too-far': 'max';
  'report-period': 'max';
  'closing-too-large': 'count';
  'too-many-pix': 'max';
  'too-many-plans': 'max';
  'plan-undo-over': 'seconds';
  'driver-has-current': 'id';
  'proof-too-late': 'hours';
  'proof-too-many': 'max';
  'received-above-due': 'dueCents';
  'grouper-needs-stop': 'id';
  'stops-not-concluded': 'count';
  'outside-operating-areas': 'lat' | 'lng';
  'stop-address-not-found': 'stop';
  'pickup-unsure': 'guess' | 'metres';
  'stop-address-unsure': 'stop' | 'guess' | 'metres';
  'too-many-addresses': 'max';
  'wrong-confirmation-code': 'left';
  'record-duplicate': 'field';
  'invalid-shape': 'area' | 'reason';
  'too-many-records': 'max';
  'too-many-webhooks': 'max';
  'replay-too-large': 'max';
  'too-many-views': 'max';
  'too-many-keys': 'seconds';
  'own-attempt-running': 'seconds';
  'host-not-served': 'host';
  'body-too-large': 'size';
  'bodies-busy': 'seconds';
  'rate-limited': 'seconds';
  'too-much-at-once': 'seconds';
  'items-refused': 'count';
  bug: 'requestId';
}

type DetailedKind = keyof GivenDetails;
/** A refusal without details. */
export type PlainKind = Exclude<RefusalKind, DetailedKind>;

type Detail = string | number;
/** Figures and names that the message quotes. */
export type RefusalDetails = Readonly<Record<string, Detail>>;

/** A kind with exactly its details. */
type KindAndDetails =
  | [kind: PlainKind, details?: undefined]
  | {
      [Kind in DetailedKind]: [kind: Kind, details: Readonly<Record<GivenDetails[Kind], Detail>>];
    }[DetailedKind];

export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;
  constructor(...[kind, details]: KindAndDetails) {
    super(kind);
    this.kind = kind;
    this.details = details ?? {};
  }
}
