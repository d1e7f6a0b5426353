import { serverNow } from '../../shared/clock.ts';
import type { KnownStatement } from './appState.ts';
import type { AppStore, Keep } from './appStore.ts';
import type { Statement } from './core/work.ts';
import type { Database } from './device/database.ts';
import { API, request } from './device/network.ts';

/** Today, this week and this month. */
const STATEMENTS_KEPT = 3;

interface Ports {
  store: AppStore;
  db: Database;
  keep: Keep;
  onSignedOut(): void;
}

/** Reads a period's entries from the central, or what the phone kept of them. Null: never read on this phone. */
export async function readStatement(
  { store, db, keep, onSignedOut }: Ports,
  from: string,
  to: string,
): Promise<KnownStatement | null> {
  const driverId = store.state().session!.condutor_id;
  const answer = await request<Statement>(
    `${API}/condutores/${driverId}/extrato?de=${from}&ate=${to}&limite=100`,
  );
  store.set({ isOnline: answer.kind !== 'unreached' });
  const known = (await db.read<KnownStatement[]>('statements').catch(() => undefined)) ?? [];
  const isSame = (each: KnownStatement) => each.driverId === driverId && each.from === from && each.to === to;
  if (answer.kind === 'ok') {
    const readAt = new Date(serverNow()).toISOString();
    const read: KnownStatement = { driverId, from, to, readAt, statement: answer.data };
    const others = known.filter((each) => !isSame(each));
    await keep('statements', [read, ...others].slice(0, STATEMENTS_KEPT));
    return read;
  }
  if (answer.kind === 'signed-out') onSignedOut();
  return known.find(isSame) ?? null;
}
