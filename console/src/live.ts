import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { OPERATION } from './api.ts';

export interface DriverPosition {
  condutor_id: string;
  lat: number;
  lng: number;
}

/** What an event makes old: the first part of the keys of the queries that are asked again. */
const touched: Record<string, string[]> = {
  entrega: ['deliveries', 'delivery', 'counts', 'drivers'],
  programada: ['scheduled', 'counts'],
  credito: ['wallet', 'companies'],
};

const BATCH_MS = 400;

/**
 * Keeps everything on the screen fresh: events say what changed, and what is shown of it is read again,
 * a few times a second at most. Answers whether the stream is up.
 */
export function useLive(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      for (const key of stale) void queries.invalidateQueries({ queryKey: [key] });
      stale.clear();
    };
    const touch = (keys: readonly string[]) => {
      for (const key of keys) stale.add(key);
      timer ??= setTimeout(refresh, BATCH_MS);
    };
    const events = new EventSource(`${OPERATION}/eventos`);
    events.onopen = () => setConnected(true);
    events.onerror = () => setConnected(false);
    events.onmessage = (message) => {
      const { type } = JSON.parse(message.data) as { type?: string };
      touch(touched[type?.split('.')[0] ?? ''] ?? []);
    };
    events.addEventListener('posicao', () => touch(['positions']));
    events.addEventListener('recarregar', () => touch(Object.values(touched).flat()));
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [queries]);
  return connected;
}
