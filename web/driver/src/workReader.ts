import { serverNow, setServerNow } from '../../shared/clock.ts';
import type { AppStore, Keep } from './appStore.ts';
import { changesBetween } from './core/changes.ts';
import { type Outbox, unconfirmed } from './core/outbox.ts';
import type { Work } from './core/work.ts';
import { API, request } from './device/network.ts';
import { play } from './device/sound.ts';

/** Bundles the changes of one moment into one reading. */
const REFRESH_PAUSE_MS = 250;
/** The Date header has whole seconds and is as old as its way here, so smaller differences mean nothing. */
const CLOCK_OFF_MS = 5_000;

/** Reads the driver's work from the server. At most one reading is under way. */
export interface WorkReader {
  refresh(): Promise<void>;
  refreshSoon(): void;
  /** The next reading asks for everything, also if nothing has changed. */
  forgetTag(): void;
}

interface Ports {
  store: AppStore;
  outbox: Outbox;
  keep: Keep;
  onSignedOut(): void;
}

export function createWorkReader({ store, outbox, keep, onSignedOut }: Ports): WorkReader {
  let reading: Promise<void> | null = null;
  let readAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let etag: string | null = null;

  function refreshSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), REFRESH_PAUSE_MS);
  }

  function refresh(): Promise<void> {
    if (reading) readAgain = true;
    reading ??= readWork().finally(() => {
      reading = null;
      if (!readAgain) return;
      readAgain = false;
      refreshSoon();
    });
    return reading;
  }

  async function readWork(): Promise<void> {
    const { session, phase } = store.state();
    if (!session || phase !== 'signed-in') return;
    const sent = outbox.takeSent();
    const path = `${API}/condutores/${session.condutor_id}/trabalho`;
    const answer = await request<Work>(path, { etag });
    store.set({ isOnline: answer.kind !== 'unreached' });
    if (answer.kind === 'signed-out') return onSignedOut();
    if (answer.kind === 'ok') await takeWork(answer.data, answer.etag);
    if (answer.kind === 'unchanged') confirmWork(answer.date);
    if (answer.kind === 'ok' || answer.kind === 'unchanged') {
      await outbox.forget(sent);
      if (unconfirmed(outbox.entries(), session.condutor_id).length > 0) outbox.sendNow();
    }
  }

  async function takeWork(work: Work, tag: string | null): Promise<void> {
    setServerNow(work.agora);
    const { view, work: before, news: unread } = store.state();
    const changes = view ? changesBetween(view, work, before) : [];
    const news = [...unread, ...changes.filter(({ kind }) => kind !== 'offer')];
    store.set({ work, news });
    if (changes.some(({ kind }) => kind === 'offer')) play('offer');
    else if (changes.length > 0) play('change');
    // Only now: work that the app fails on is read again, and is not answered as unchanged.
    etag = tag;
    // The news are stored before the work: an app that ends in between reports a change twice rather than never.
    await keep('news', store.state().news);
    await keep('work', work);
    await keep('clock', serverNow() - Date.now());
  }

  /** The server's answer is that the work has not changed, so only its time is updated. */
  function confirmWork(date: string | null): void {
    correctClock(date);
    const { work } = store.state();
    if (work && date) store.set({ work: { ...work, agora: new Date(date).toISOString() } });
  }

  /** Notices that somebody set the phone's clock. A small difference is left to the next full answer. */
  function correctClock(date: string | null): void {
    const at = Date.parse(date ?? '');
    if (!(Math.abs(serverNow() - at) > CLOCK_OFF_MS)) return;
    setServerNow(new Date(at).toISOString());
    void keep('clock', serverNow() - Date.now());
  }

  return {
    refresh,
    refreshSoon,
    forgetTag() {
      etag = null;
    },
  };
}
