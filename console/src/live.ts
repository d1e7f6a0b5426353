import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { OPERATION } from './api.ts';
import { type LivePosition, movePosition } from './data/positions.ts';

/** What an event makes old: the first part of the keys of the queries that are asked again. */
const touched: Record<string, string[]> = {
  entrega: ['deliveries', 'delivery', 'counts', 'drivers', 'positions'],
  programada: ['scheduled', 'counts'],
  credito: ['wallet', 'companies'],
};

const BATCH_MS = 600;
const RETRY_MS = 5_000;

/**
 * Keeps everything on the screen fresh: events say what changed, and what is shown of it is read again,
 * twice a second at most. Answers whether the stream is up.
 */
export function useLive(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => follow(queries, setConnected), [queries]);
  return connected;
}

function follow(queries: QueryClient, tellConnected: (connected: boolean) => void): () => void {
  const stale = new Set<string>();
  let batch: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let events: EventSource;
  let wasLost = false;

  const refresh = () => {
    batch = undefined;
    for (const key of stale) void queries.invalidateQueries({ queryKey: [key] });
    stale.clear();
  };
  const touch = (keys: readonly string[]) => {
    for (const key of keys) stale.add(key);
    batch ??= setTimeout(refresh, BATCH_MS);
  };
  const touchAll = () => touch(Object.values(touched).flat());

  const connect = () => {
    events = new EventSource(`${OPERATION}/eventos`);
    events.onopen = () => {
      tellConnected(true);
      if (wasLost) touchAll();
      wasLost = false;
    };
    events.onerror = () => {
      tellConnected(false);
      wasLost = true;
      // The browser comes back by itself after a lost connection, but not after a refusal.
      if (events.readyState !== EventSource.CLOSED) return;
      void queries.invalidateQueries({ queryKey: ['session'] });
      clearTimeout(retry);
      retry = setTimeout(connect, RETRY_MS);
    };
    events.onmessage = (message) => {
      const { type } = JSON.parse(message.data) as { type?: string };
      touch(touched[type?.split('.')[0] ?? ''] ?? []);
    };
    events.addEventListener('posicao', (message) => {
      if (!movePosition(queries, JSON.parse(message.data) as LivePosition)) touch(['positions']);
    });
    events.addEventListener('recarregar', touchAll);
  };

  connect();
  return () => {
    clearTimeout(batch);
    clearTimeout(retry);
    events.close();
  };
}
