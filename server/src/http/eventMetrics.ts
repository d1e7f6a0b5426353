import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventStreams } from './eventStreams.ts';

/** Who is listening to live updates, and how many were dropped because they read too slowly. */
export function measureStreams(registry: Registry, streams: EventStreams): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('malote_live_listeners', 'Open streams of live updates', () => streams.count());
  gauge('malote_live_dropped', 'Streams that were closed because their client read too slowly', () =>
    streams.dropped(),
  );
}

/** What a sender of webhooks calls for each attempt. */
export function webhookMetrics(registry: Registry): (received: boolean, seconds: number) => void {
  const attempts = new Counter({
    name: 'malote_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by result',
    labelNames: ['result'],
    registers: [registry],
  });
  const durations = new Counter({
    name: 'malote_webhook_attempt_seconds_total',
    help: 'Time that webhooks took to answer, or to fail',
    registers: [registry],
  });
  return (received, seconds) => {
    attempts.inc({ result: received ? 'received' : 'failed' });
    durations.inc(seconds);
  };
}
