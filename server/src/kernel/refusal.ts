/**
 * Every refusal of a business rule. http/failures.ts maps each kind to its HTTP status and texts; the compiler
 * rejects a kind without a row there.
 */
export type RefusalKind =
  // identity and permission
  | 'central-not-identified'
  | 'bad-credentials'
  | 'too-many-attempts'
  | 'logins-busy'
  | 'too-many-wrong-coupons'
  | 'not-allowed'
  | 'invite-not-valid'
  | 'company-manager-only'
  // missing, or outside the caller's scope
  | 'delivery-not-found'
  | 'scheduled-not-found'
  | 'stop-not-found'
  | 'company-not-found'
  | 'company-ambiguous'
  | 'company-address-not-found'
  | 'too-many-addresses'
  | 'driver-not-found'
  | 'device-not-found'
  | 'category-not-found'
  | 'reason-not-found'
  | 'area-not-found'
  | 'record-not-found'
  | 'entry-not-found'
  | 'closing-not-found'
  | 'webhook-not-found'
  | 'message-not-found'
  // grouping, in the contract's words (7.2)
  | 'grouping-in-progress'
  | 'merge-in-progress'
  | 'grouped-automatically'
  | 'not-awaiting-dispatch'
  | 'too-few-orders'
  | 'different-companies'
  | 'different-pickups'
  | 'too-close-to-dispatch'
  | 'too-many-stops'
  | 'estimate-impossible'
  | 'not-saved'
  | 'not-in-progress'
  // wrong state
  | 'delivery-over'
  | 'delivery-grouped'
  | 'delivery-started'
  | 'delivery-carries-others'
  | 'not-finished'
  | 'receipt-of-grouper'
  | 'still-awaiting-dispatch'
  | 'scheduled-cancelled'
  | 'scheduled-dispatched'
  | 'scheduled-grouped'
  | 'scheduled-failed'
  | 'last-stop'
  | 'removed-stop-not-found'
  | 'removed-stop-grouped'
  | 'removed-stop-over'
  | 'removed-stop-concluded'
  | 'removed-stop-last'
  | 'grouper-needs-stop'
  | 'step-out-of-order'
  | 'stops-not-concluded'
  | 'offer-not-open'
  | 'failure-not-open'
  // inconsistent data
  | 'dispatch-in-the-past'
  | 'outside-operating-areas'
  | 'pickup-not-found'
  | 'stop-address-not-found'
  | 'pickup-unsure'
  | 'stop-address-unsure'
  | 'geocoding-unavailable'
  | 'address-without-street'
  | 'category-mismatch'
  | 'category-missing'
  | 'no-tariff'
  | 'coupon-invalid'
  | 'insufficient-balance'
  | 'wallet-needs-company'
  | 'company-inactive'
  | 'company-fixed'
  | 'confirmation-code-required'
  | 'wrong-confirmation-code'
  | 'confirmation-code-locked'
  // drivers
  | 'delivery-taken'
  | 'driver-busy'
  | 'driver-off-duty'
  | 'driver-too-far'
  | 'driver-inactive'
  | 'driver-without-login'
  | 'not-a-device'
  | 'driver-of-other-companies'
  | 'cash-not-held'
  | 'entry-reversed'
  | 'nothing-to-close'
  | 'closing-too-large'
  | 'closing-paid'
  | 'pix-not-set'
  | 'driver-carries-it'
  | 'driver-has-current'
  | 'delivery-without-driver'
  | 'delivery-handed-over'
  | 'delivery-changed'
  | 'edited-stop-concluded'
  // registers
  | 'record-in-use'
  | 'record-duplicate'
  | 'invalid-shape'
  | 'areas-too-large'
  | 'default-area-needed'
  | 'own-login'
  | 'last-operator'
  | 'last-key'
  | 'central-name-taken'
  | 'central-name-without-letter'
  | 'too-many-records'
  // webhooks and live updates
  | 'too-many-webhooks'
  | 'webhook-asleep'
  | 'message-outdated'
  | 'replay-too-large'
  | 'too-many-listeners'
  // repeated requests
  | 'idempotency-key-reused'
  | 'own-attempt-running'
  // HTTP itself
  | 'route-not-found'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'rate-limited'
  | 'unavailable'
  | 'bug';

/** Figures and names that the message quotes. */
export type RefusalDetails = Readonly<Record<string, string | number>>;

export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;
  constructor(kind: RefusalKind, details: RefusalDetails = {}) {
    super(kind);
    this.kind = kind;
    this.details = details;
  }
}
