// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

import type { ErrorKind } from './refusals.ts';

/** The kinds of refusal of each family. */
export interface FamilyKinds {
  authentication: 'central-not-identified' | 'api-key-unknown' | 'bad-credentials' | 'token-not-valid';
  permission: 'not-allowed' | 'scope-missing' | 'company-manager-only' | 'only-in-sandbox';
  'not-found':
    | 'company-not-found'
    | 'category-not-found'
    | 'scheduled-not-found'
    | 'delivery-not-found'
    | 'reason-not-found'
    | 'quote-not-found'
    | 'stop-not-found'
    | 'removed-stop-not-found'
    | 'webhook-not-found'
    | 'message-not-found'
    | 'record-not-found'
    | 'route-not-found';
  state:
    | 'merge-in-progress'
    | 'grouped-automatically'
    | 'not-saved'
    | 'not-awaiting-dispatch'
    | 'idempotency-key-reused'
    | 'grouping-in-progress'
    | 'too-few-orders'
    | 'scheduled-cancelled'
    | 'scheduled-dispatched'
    | 'scheduled-grouped'
    | 'delivery-grouped'
    | 'not-in-progress'
    | 'delivery-over'
    | 'quote-expired'
    | 'external-id-taken'
    | 'quote-used'
    | 'not-finished'
    | 'receipt-of-grouper'
    | 'scheduled-failed'
    | 'last-stop'
    | 'still-awaiting-dispatch'
    | 'grouper-needs-stop'
    | 'delivery-started'
    | 'delivery-carries-others'
    | 'removed-stop-grouped'
    | 'removed-stop-over'
    | 'removed-stop-concluded'
    | 'removed-stop-last'
    | 'external-id-ambiguous'
    | 'webhook-asleep'
    | 'message-outdated';
  'invalid-input':
    | 'invalid-input'
    | 'body-encoded'
    | 'company-inactive'
    | 'category-mismatch'
    | 'category-missing'
    | 'outside-operating-areas'
    | 'pickup-not-found'
    | 'stop-address-not-found'
    | 'pickup-unsure'
    | 'stop-address-unsure'
    | 'no-tariff'
    | 'coupon-invalid'
    | 'estimate-impossible'
    | 'too-close-to-dispatch'
    | 'different-companies'
    | 'different-pickups'
    | 'insufficient-balance'
    | 'dispatch-in-the-past'
    | 'wallet-needs-company'
    | 'company-ambiguous'
    | 'quote-differs'
    | 'quote-of-other-company'
    | 'items-refused'
    | 'company-fixed'
    | 'clock-too-far'
    | 'method-not-allowed';
  limit:
    | 'body-too-large'
    | 'too-many-attempts'
    | 'rate-limited'
    | 'too-many-wrong-coupons'
    | 'too-many-stops'
    | 'too-many-keys'
    | 'too-many-webhooks'
    | 'too-many-records'
    | 'replay-too-large'
    | 'too-many-listeners';
  unavailable:
    | 'body-too-slow'
    | 'bug'
    | 'unavailable'
    | 'logins-busy'
    | 'bodies-busy'
    | 'geocoding-unavailable'
    | 'own-attempt-running'
    | 'outcome-unknown'
    | 'too-much-at-once';
}

/** What a program can do about a refusal. */
export type Family = keyof FamilyKinds;

export const familyOfKind: Readonly<Record<ErrorKind, Family>> = {
  'invalid-input': 'invalid-input',
  'central-not-identified': 'authentication',
  'api-key-unknown': 'authentication',
  'bad-credentials': 'authentication',
  'token-not-valid': 'authentication',
  'not-allowed': 'permission',
  'scope-missing': 'permission',
  'company-not-found': 'not-found',
  'category-not-found': 'not-found',
  'body-too-slow': 'unavailable',
  'body-too-large': 'limit',
  'body-encoded': 'invalid-input',
  'company-inactive': 'invalid-input',
  'category-mismatch': 'invalid-input',
  'category-missing': 'invalid-input',
  'outside-operating-areas': 'invalid-input',
  'pickup-not-found': 'invalid-input',
  'stop-address-not-found': 'invalid-input',
  'pickup-unsure': 'invalid-input',
  'stop-address-unsure': 'invalid-input',
  'no-tariff': 'invalid-input',
  'coupon-invalid': 'invalid-input',
  'estimate-impossible': 'invalid-input',
  'too-many-attempts': 'limit',
  'rate-limited': 'limit',
  'too-many-wrong-coupons': 'limit',
  bug: 'unavailable',
  unavailable: 'unavailable',
  'logins-busy': 'unavailable',
  'bodies-busy': 'unavailable',
  'geocoding-unavailable': 'unavailable',
  'merge-in-progress': 'state',
  'grouped-automatically': 'state',
  'too-many-stops': 'limit',
  'not-saved': 'state',
  'scheduled-not-found': 'not-found',
  'not-awaiting-dispatch': 'state',
  'idempotency-key-reused': 'state',
  'grouping-in-progress': 'state',
  'too-few-orders': 'state',
  'too-close-to-dispatch': 'invalid-input',
  'different-companies': 'invalid-input',
  'different-pickups': 'invalid-input',
  'insufficient-balance': 'invalid-input',
  'too-many-keys': 'limit',
  'own-attempt-running': 'unavailable',
  'outcome-unknown': 'unavailable',
  'company-manager-only': 'permission',
  'scheduled-cancelled': 'state',
  'scheduled-dispatched': 'state',
  'scheduled-grouped': 'state',
  'delivery-grouped': 'state',
  'dispatch-in-the-past': 'invalid-input',
  'wallet-needs-company': 'invalid-input',
  'company-ambiguous': 'invalid-input',
  'delivery-not-found': 'not-found',
  'not-in-progress': 'state',
  'reason-not-found': 'not-found',
  'delivery-over': 'state',
  'quote-not-found': 'not-found',
  'quote-expired': 'state',
  'external-id-taken': 'state',
  'quote-used': 'state',
  'quote-differs': 'invalid-input',
  'quote-of-other-company': 'invalid-input',
  'not-finished': 'state',
  'receipt-of-grouper': 'state',
  'stop-not-found': 'not-found',
  'scheduled-failed': 'state',
  'last-stop': 'state',
  'still-awaiting-dispatch': 'state',
  'grouper-needs-stop': 'state',
  'items-refused': 'invalid-input',
  'too-much-at-once': 'unavailable',
  'delivery-started': 'state',
  'delivery-carries-others': 'state',
  'company-fixed': 'invalid-input',
  'removed-stop-not-found': 'not-found',
  'removed-stop-grouped': 'state',
  'removed-stop-over': 'state',
  'removed-stop-concluded': 'state',
  'removed-stop-last': 'state',
  'external-id-ambiguous': 'state',
  'too-many-webhooks': 'limit',
  'too-many-records': 'limit',
  'webhook-not-found': 'not-found',
  'webhook-asleep': 'state',
  'message-not-found': 'not-found',
  'message-outdated': 'state',
  'replay-too-large': 'limit',
  'only-in-sandbox': 'permission',
  'clock-too-far': 'invalid-input',
  'too-many-listeners': 'limit',
  'record-not-found': 'not-found',
  'route-not-found': 'not-found',
  'method-not-allowed': 'invalid-input',
};
