import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypeByName } from '../../server/src/api/json/eventTypes.ts';
import type { Scope } from '../../server/src/centrals/caller.ts';
import type { WantedType } from '../../server/src/events/record/event.ts';
import { newWebhookSecret } from '../../server/src/events/webhooks/webhookSecrets.ts';
import { insertWebhook } from '../../server/src/events/webhooks/webhookStore.ts';
import { secretBox } from '../../server/src/platform/kernel/secretBox.ts';
import type { Tx } from '../../server/src/platform/postgres/database.ts';
import type { Json } from './client.ts';

export interface Arrival {
  /** The header webhook-id, which identifies the event. */
  id: string;
  text: string;
  body: Json;
  headers: Record<string, string>;
}

export type Answering = (arrival: Arrival, response: ServerResponse, request: IncomingMessage) => void;

export interface WebhookReceiver {
  url: string;
  /** In order of arrival, including refused ones. */
  arrivals: Arrival[];
  /** How the next messages are answered; 204 by default. */
  answer: Answering;
  /** Refuses connections for this time, and breaks open ones. */
  goAway(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const withStatus =
  (status: number, text = ''): Answering =>
  (_arrival, response) => {
    response.writeHead(status).end(text);
  };

interface Closing {
  after(cleanUp: () => Promise<void>): void;
}

/** An integrator's endpoint whose behaviour the test chooses. */
export async function startReceiver(scope: Closing): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const headers = request.headers as Record<string, string>;
      const arrival = { id: headers['webhook-id'] ?? '', text, body: parse(text), headers };
      receiver.arrivals.push(arrival);
      receiver.answer(arrival, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/eventos`,
    arrivals: [],
    answer: withStatus(204),
    async goAway(ms) {
      const { port } = server.address() as AddressInfo;
      await receiver.close();
      await sleep(ms);
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  scope.after(receiver.close);
  return receiver;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Registers an endpoint as registerWebhook does, without a request. */
export const addWebhook = (
  tx: Tx,
  scope: Scope,
  url: string,
  now: Temporal.Instant,
  types: readonly WantedType[] = Object.values(eventTypeByName),
): Promise<number> =>
  insertWebhook(tx, secretBox([]), scope, { url, types, secret: newWebhookSecret() }, now);

/** Records the next events of some deliveries in one statement, and so in one transaction. */
export async function addEvents(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  now: Temporal.Instant,
  type: WantedType = 'delivery.status',
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', deliveryIds.length);
  await tx`
    insert into events (central_id, id, type, delivery_id, sequence, payload, occurred_at)
    select ${centralId}, (${ids}::bigint[])[given.ordinality], ${type}, given.id,
      case when ${type} <> 'delivery.position' then given.nth + (
        select count(*) from events e where e.central_id = ${centralId} and e.delivery_id = given.id) end,
      '{}', ${now}
    from (
      select id, ordinality, row_number() over (partition by id order by ordinality) as nth
      from unnest(${deliveryIds}::bigint[]) with ordinality as t (id, ordinality)
      order by ordinality) given`;
}
