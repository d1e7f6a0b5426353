import { newKey } from '../../shared/insecure.ts';
import type { AppStore } from './appStore.ts';
import { currentRun } from './core/localView.ts';
import { type Fix, isWorthKeeping, type PositionQueue } from './core/positions.ts';
import { followLocation, stopLocation } from './device/location.ts';
import { API, request } from './device/network.ts';
import { APP_VERSION, keepAwake } from './device/phone.ts';

const FLUSH_CHECK_MS = 10_000;
/** Without a run the central needs positions less often. */
const FLUSH_IDLE_MS = 60_000;

/** Follows the phone's position while the driver is on duty or has a run, and sends it to the central. */
export function shareLocation(store: AppStore, queue: PositionQueue): void {
  let lastFix: Fix | null = null;
  let lastFlush = Number.NEGATIVE_INFINITY;

  function onFix(fix: Fix): void {
    store.set({ here: fix });
    if (!isWorthKeeping(lastFix, fix)) return;
    lastFix = fix;
    void queue.add(fix).catch(() => undefined);
  }

  function follow(): void {
    const { view, phase } = store.state();
    const run = view && phase === 'signed-in' ? currentRun(view) : null;
    keepAwake(run !== null);
    if (run || (phase === 'signed-in' && view?.condutor.disponivel))
      followLocation(
        run !== null,
        onFix,
        (location) => location !== store.state().location && store.set({ location }),
      );
    else stopLocation();
  }

  async function flush(): Promise<void> {
    const { view, phase } = store.state();
    if (phase !== 'signed-in') return;
    const isUnderWay = view !== null && currentRun(view) !== null;
    if (!isUnderWay && performance.now() - lastFlush < FLUSH_IDLE_MS) return;
    lastFlush = performance.now();
    while (await queue.flush());
  }

  store.subscribe(follow);
  setInterval(() => void flush(), FLUSH_CHECK_MS);
}

/** Sends a batch of positions. True once it needs no repetition: taken, or refused for good. */
export async function sendPositions(batch: readonly Fix[], battery: number | null): Promise<boolean> {
  const posicoes = batch.map(({ lat, lng, at, accuracy }) => ({
    lat,
    lng,
    em: new Date(at).toISOString(),
    precisao: Math.round(accuracy),
  }));
  const { kind } = await request(`${API}/condutores/posicoes`, {
    method: 'POST',
    body: { posicoes, ...(battery !== null && { bateria: battery }), versao: APP_VERSION },
    key: newKey(),
  });
  return kind === 'ok' || kind === 'refused';
}
