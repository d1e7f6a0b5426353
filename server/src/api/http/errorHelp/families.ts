import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import type { ErrorKind } from '../envelope.ts';
import { failures } from '../failures/failures.ts';

/** What a program can do about a failure. The client has an error class for each. */
export const families = [
  'authentication',
  'permission',
  'not-found',
  'state',
  'invalid-input',
  'limit',
  'unavailable',
] as const;

export type Family = (typeof families)[number];

const familyOfStatus: Readonly<Record<number, Family>> = {
  400: 'invalid-input',
  401: 'authentication',
  403: 'permission',
  404: 'not-found',
  405: 'invalid-input',
  406: 'state',
  408: 'unavailable',
  409: 'state',
  413: 'limit',
  415: 'invalid-input',
  421: 'invalid-input',
  422: 'invalid-input',
  429: 'limit',
  500: 'unavailable',
  503: 'unavailable',
};

/** Where the contract's status alone does not say what to do. */
const exceptions: Partial<Record<RefusalKind, Family>> = {
  'merge-in-progress': 'state',
  'grouped-automatically': 'state',
  'not-saved': 'state',
  'too-many-stops': 'limit',
  'too-many-records': 'limit',
  'too-many-addresses': 'limit',
  'too-many-webhooks': 'limit',
  'too-many-views': 'limit',
  'too-many-pix': 'limit',
  'replay-too-large': 'limit',
};

export const statusOf = (kind: ErrorKind): number => (kind === 'invalid-input' ? 400 : failures[kind].status);

export function familyOf(kind: ErrorKind): Family {
  const exception = kind === 'invalid-input' ? undefined : exceptions[kind];
  return exception ?? familyOfStatus[statusOf(kind)]!;
}
