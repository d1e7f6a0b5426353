/** What NOTIFY did not tell, because it was lost, is known after so long. */
export const REGISTERS_KEPT_MS = 15_000;

/**
 * Registers (identities, tariffs, areas) change a few times a day and are read by every request, so each
 * process keeps them in memory. A trigger on every such table sends NOTIFY malote_registers with the
 * central's id, and the process forgets that central's copies; see migrations/0001_centrals.sql.
 */
export interface RegisterCache<Value> {
  of(centralId: number): Promise<Value>;
  forget(centralId: number): void;
  forgetAll(): void;
}

export function cachePerCentral<Value>(
  load: (centralId: number) => Promise<Value>,
  nowMs: () => number = () => performance.now(),
): RegisterCache<Value> {
  const values = new Map<number, { value: Promise<Value>; until: number }>();
  return {
    of(centralId) {
      const known = values.get(centralId);
      if (known && known.until > nowMs()) return known.value;
      const loading = { value: load(centralId), until: nowMs() + REGISTERS_KEPT_MS };
      values.set(centralId, loading);
      loading.value.catch(() => {
        if (values.get(centralId) === loading) values.delete(centralId);
      });
      return loading.value;
    },
    forget: (centralId) => void values.delete(centralId),
    forgetAll: () => values.clear(),
  };
}
