import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { openLiveFeed } from '../../server/src/events/record/liveFeed.ts';
import type { RetryPolicy } from '../../server/src/events/webhooks/retryPolicy.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { systemClock } from '../../server/src/platform/kernel/clock.ts';
import { secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';

// A process that only sends webhooks, for tests that kill it. Its pauses are short, to keep tests fast.

const PAUSES = Array.from({ length: 500 }, (_, index) => Math.min(0.02 * (index + 1), 0.2));
const retryPolicy: RetryPolicy = {
  attempt: 0.3,
  hold: 1.5,
  messagePauses: PAUSES,
  failingAfter: 4,
  endpointPauses: [0.02, 0.05],
  pausedAfter: 3600,
  poll: 0.1,
};

const connection = JSON.parse(process.env.SENDER_PG ?? '');
const db = openDatabase({ connection, poolSize: 6, onError: () => undefined });
const live = await openLiveFeed({ db, clock: systemClock }, console.error);
startWebhooks(
  { db, clock: systemClock, live, secrets: secretBox([]) },
  { formatEvent, allowPrivate: true, retryPolicy, onError: console.error },
);
console.log('sending');
