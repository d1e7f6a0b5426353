import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './client.ts';

export interface Arrival {
  /** webhook-id: what the event is known by. */
  id: string;
  text: string;
  body: Json;
  headers: Record<string, string>;
}

export type Answering = (arrival: Arrival, response: ServerResponse, request: IncomingMessage) => void;

export interface WebhookReceiver {
  url: string;
  /** In the order in which they came, also those that were refused. */
  arrivals: Arrival[];
  /** How the next ones are answered; 204 at first. */
  answer: Answering;
  /** Refuses connections for so long, and breaks those that are open. */
  goAway(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const withStatus =
  (status: number, text = ''): Answering =>
  (_arrival, response) => {
    response.writeHead(status).end(text);
  };

interface Scope {
  after(cleanUp: () => Promise<void>): void;
}

/** An integrator's endpoint, as a test wants it to behave. */
export async function startReceiver(scope: Scope): Promise<WebhookReceiver> {
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
