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

export function cachePerCentral<Value>(load: (centralId: number) => Promise<Value>): RegisterCache<Value> {
  const values = new Map<number, Promise<Value>>();
  return {
    of(centralId) {
      const known = values.get(centralId);
      if (known) return known;
      const loading = load(centralId);
      values.set(centralId, loading);
      loading.catch(() => {
        if (values.get(centralId) === loading) values.delete(centralId);
      });
      return loading;
    },
    forget: (centralId) => void values.delete(centralId),
    forgetAll: () => values.clear(),
  };
}
