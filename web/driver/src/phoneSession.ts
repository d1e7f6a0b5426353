import type { Credentials, Session } from './appState.ts';
import type { AppStore, Keep } from './appStore.ts';
import type { Outbox } from './core/outbox.ts';
import { phoneLabel } from './core/phoneLabel.ts';
import type { PositionQueue } from './core/positions.ts';
import { followWork } from './device/live.ts';
import { request } from './device/network.ts';
import { subscribe } from './device/push.ts';
import { forgetInvitation } from './initialState.ts';
import type { WorkReader } from './workReader.ts';

const PATH = '/entregador/sessao';

/** Who is signed in on this phone. */
export interface PhoneSession {
  /** Acts for a driver who is signed in. */
  begin(session: Session): void;
  signIn(credentials: Credentials): Promise<void>;
  /** Takes over a session that another page of this service began, as the login page of the demonstration does. */
  takeOver(): Promise<void>;
  /** Another window of this browser has taken over. */
  yieldToOther(): void;
  /** The central has ended the session. */
  signedOut(): void;
  signOut(): Promise<void>;
}

interface Ports {
  store: AppStore;
  outbox: Outbox;
  queue: PositionQueue;
  reader: WorkReader;
  keep: Keep;
}

export function createPhoneSession({ store, outbox, queue, reader, keep }: Ports): PhoneSession {
  let stopFollowing = (): void => undefined;

  function begin(session: Session): void {
    const { work } = store.state();
    // Another driver's work on this phone is not shown to this one.
    const isSame = work?.condutor.id === session.condutor_id;
    store.set({ phase: 'signed-in', session, ...(!isSame && { work: null, news: [], draft: null }) });
    outbox.actFor(session.condutor_id);
    void queue.actFor(session.condutor_id).catch(() => undefined);
    stopFollowing();
    stopFollowing = followWork(session.condutor_id, () => void reader.refresh());
    void subscribe(session.condutor_id);
    // Each reading extends the session, so that a phone in use stays signed in.
    void request<Session>(PATH).then(({ kind }) => kind === 'signed-out' && signedOut());
  }

  function stopActing(): void {
    stopFollowing();
    outbox.actFor(null);
    void queue.actFor(null);
    reader.forgetTag();
  }

  /**
   * The phone may have been lost: it keeps nothing about recipients, and its next start shows nothing, with or without
   * network. Unsent actions stay in the outbox and are sent after the next sign-in.
   */
  function signedOut(): void {
    // A late answer to a request of this window, after another one took over.
    if (store.state().phase === 'elsewhere') return;
    stopActing();
    store.set({ phase: 'signed-out', work: null, news: [], draft: null });
    void forgetShown();
  }

  async function forgetShown(): Promise<void> {
    await keep('ended', true);
    for (const name of ['work', 'news', 'draft', 'statements']) await keep(name, undefined);
  }

  async function keepSession(session: Session): Promise<void> {
    await keep('session', session);
    await keep('ended', undefined);
  }

  return {
    begin,
    signedOut,
    async signIn(credentials) {
      store.set({ signIn: 'busy' });
      const answer = await request<Session>(PATH, {
        method: 'POST',
        body: { ...credentials, aparelho: phoneLabel(navigator.userAgent) },
      });
      if (answer.kind !== 'unreached' && answer.kind !== 'busy') forgetInvitation();
      store.set({ signIn: answer.kind === 'ok' ? 'idle' : answer });
      if (answer.kind !== 'ok') return;
      store.set({ invitation: null });
      await keepSession(answer.data);
      begin(answer.data);
    },
    async takeOver() {
      const answer = await request<Session>(PATH);
      if (answer.kind !== 'ok') return store.set({ phase: 'signed-out' });
      await keepSession(answer.data);
      begin(answer.data);
    },
    yieldToOther() {
      stopActing();
      store.set({ phase: 'elsewhere' });
    },
    async signOut() {
      await request(PATH, { method: 'DELETE' });
      await keep('session', null);
      await forgetShown();
      await queue.clear().catch(() => undefined);
      signedOut();
      store.set({ session: null });
    },
  };
}
