import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { watchReturn } from '../../shared/watchReturn.ts';
import { EVENTS_URL } from './api.ts';
import { type LivePosition, movePosition } from './data/deliveries.ts';

/** The queries that an event makes stale, by the first parts of their keys. */
type QueryKey = readonly string[];

const ofDelivery = (id: string): QueryKey[] => [
  ['deliveries'],
  ['delivery', id],
  ['counts'],
  ['drivers'],
  ['positions'],
  ['company-account'],
  ['driver-account'],
];

const queriesOf: Record<string, (id: string) => QueryKey[]> = {
  entrega: ofDelivery,
  programada: () => [['scheduled'], ['counts']],
  credito: () => [['wallet'], ['companies'], ['company-account']],
  condutor: () => [['counts'], ['drivers'], ['positions'], ['driver-account'], ['driver-statement']],
};

const everything: QueryKey[] = [
  'deliveries',
  'delivery',
  'counts',
  'drivers',
  'positions',
  'scheduled',
  'wallet',
  'companies',
  'company-account',
  'driver-account',
  'driver-statement',
].map((key) => [key]);

const BATCH_MS = 600;
const RETRY_MS = 5_000;

/**
 * Keeps the screen up to date: events say what changed, and the affected queries on the screen are read again, once
 * for all events within `BATCH_MS`. Returns whether the stream is open.
 */
export function useLive(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => follow(queries, setConnected), [queries]);
  return connected;
}

function follow(queries: QueryClient, notifyConnected: (connected: boolean) => void): () => void {
  const stale = new Map<string, QueryKey>();
  let batch: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let events: EventSource | undefined;
  let wasLost = false;
  let wasAway = false;

  const refresh = () => {
    batch = undefined;
    for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
    stale.clear();
  };
  const invalidate = (keys: readonly QueryKey[]) => {
    for (const key of keys) stale.set(key.join(' '), key);
    batch ??= setTimeout(refresh, BATCH_MS);
  };
  const invalidateAll = () => invalidate(everything);
  const isRead = (queryKey: QueryKey) =>
    queries.getQueriesData({ queryKey }).some(([, data]) => data !== undefined);

  const connect = () => {
    clearTimeout(retry);
    events?.close();
    events = new EventSource(EVENTS_URL);
    events.onopen = () => {
      notifyConnected(true);
      // Everything shown may be stale, and the clock that ages are computed by may have been set meanwhile.
      if (wasAway) void queries.invalidateQueries();
      // Also after the first connection: data read before the stream was open may have changed unnoticed.
      else invalidate(wasLost ? everything : everything.filter(isRead));
      wasLost = false;
      wasAway = false;
    };
    events.onerror = () => {
      notifyConnected(false);
      wasLost = true;
      // The browser reconnects by itself after a lost connection, but not after a refusal.
      if (events?.readyState !== EventSource.CLOSED) return;
      void queries.invalidateQueries({ queryKey: ['session'] });
      retry = setTimeout(connect, RETRY_MS);
    };
    events.onmessage = (message) => {
      const { type, data } = JSON.parse(message.data) as { type?: string; data?: { id?: string } };
      invalidate(queriesOf[type?.split('.')[0] ?? '']?.(data?.id ?? '') ?? []);
    };
    events.addEventListener('posicao', (message) => {
      if (!movePosition(queries, JSON.parse(message.data) as LivePosition)) invalidate([['positions']]);
    });
    events.addEventListener('atualizar', (message) =>
      invalidate(ofDelivery((JSON.parse(message.data) as { id: string }).id)),
    );
    events.addEventListener('recarregar', invalidateAll);
  };

  const stopWatching = watchReturn((mayBeDead) => {
    if (!mayBeDead) return;
    wasAway = true;
    // Until the new stream is open, the screen may be out of date.
    notifyConnected(false);
    connect();
  });
  connect();
  return () => {
    stopWatching();
    clearTimeout(batch);
    clearTimeout(retry);
    events?.close();
  };
}
