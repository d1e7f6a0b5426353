import type { Networks } from '../centrals/identify.ts';

/** How many streams one holder may have open in one process. */
export interface StreamLimit {
  key: string;
  max: number;
}

/** All streams of a process; the part that recipients may not use is reserved for logins. */
export const STREAMS_MAX = 5_000;
const RECIPIENTS_MAX = 4_000;

const LOGINS_PER_NETWORK_MAX = 500;
const LOGINS_PER_CENTRAL_MAX = 500;
const LOGINS_PER_COMPANY_MAX = 100;
const LOGINS_PER_USER_MAX = 50;

const RECIPIENTS_PER_CENTRAL_MAX = 2_000;
/** Mobile providers put many recipients behind one address. */
const RECIPIENTS_PER_NETWORK_MAX = 200;
const RECIPIENTS_PER_WIDE_NETWORK_MAX = 400;
/** The recipient, and people with whom the link was shared. */
const RECIPIENTS_PER_LINK_MAX = 20;

/** A login, in the console or in a program. */
export const loginStreamLimits = ({
  centralId,
  companyId,
  userId,
  network,
}: {
  centralId: number;
  companyId: number | null;
  userId: number;
  network: string;
}): StreamLimit[] => [
  { key: `logins at ${network}`, max: LOGINS_PER_NETWORK_MAX },
  { key: `logins of ${centralId}`, max: LOGINS_PER_CENTRAL_MAX },
  ...(companyId === null ? [] : [{ key: `company ${centralId} ${companyId}`, max: LOGINS_PER_COMPANY_MAX }]),
  { key: `user ${centralId} ${userId}`, max: LOGINS_PER_USER_MAX },
];

/** A client that has only a tracking link. */
export const recipientStreamLimits = ({
  centralId,
  token,
  networks: [network, ...wider],
}: {
  centralId: number;
  token: string;
  networks: Networks;
}): StreamLimit[] => [
  { key: 'recipients', max: RECIPIENTS_MAX },
  { key: `recipients of ${centralId}`, max: RECIPIENTS_PER_CENTRAL_MAX },
  { key: `recipients at ${network}`, max: RECIPIENTS_PER_NETWORK_MAX },
  ...wider.map((wide) => ({ key: `recipients at ${wide}`, max: RECIPIENTS_PER_WIDE_NETWORK_MAX })),
  { key: `link ${token}`, max: RECIPIENTS_PER_LINK_MAX },
];
