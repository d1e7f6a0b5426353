import { serverNow } from '../../shared/clock.ts';
import { newKey } from '../../shared/insecure.ts';
import type { AppState, DriverApp } from './appState.ts';
import { createAppStore, type Keep } from './appStore.ts';
import { journeyTo } from './core/nextStep.ts';
import { openOutbox } from './core/outbox.ts';
import { openPositionQueue } from './core/positions.ts';
import { openDatabase } from './device/database.ts';
import { API, request, sendEntry } from './device/network.ts';
import { becomeOnlyWindow, watchBattery } from './device/phone.ts';
import { keepOnPhone } from './device/serviceWorker.ts';
import { allowSound } from './device/sound.ts';
import { initialState, isWayIn, readInvitation, STARTING_NOTES } from './initialState.ts';
import { sendPositions, shareLocation } from './locationSharing.ts';
import { createPhoneSession } from './phoneSession.ts';
import { readStatement } from './statements.ts';
import { createWorkReader } from './workReader.ts';

/** How long a screen waits for the outcome of an action. */
const FATE_MS = 6_000;

/** Builds the app of its parts. The screens show its state and call it. */
export async function startDriverApp(): Promise<DriverApp> {
  let onLostWindow = (): void => undefined;
  const [db] = await Promise.all([openDatabase(), becomeOnlyWindow(() => onLostWindow())]);
  const { notes, entries, fixes } = await db.load(STARTING_NOTES);
  const store = createAppStore(initialState(notes, entries, readInvitation()));
  const keep: Keep = (name, value) => db.write(name, value).catch(() => undefined);
  // Notes that may not be shown are not kept either.
  const { work, draft } = store.state();
  for (const name of [...(work ? [] : ['work', 'news']), ...(draft ? [] : ['draft'])])
    void keep(name, undefined);

  let knownSent = 0;
  const outbox = await openOutbox({
    storage: { ...db.outbox, load: async () => entries },
    async send(entry) {
      const outcome = await sendEntry(entry, (percent) => store.set({ upload: { seq: entry.seq, percent } }));
      store.set({ upload: null, isOnline: outcome.kind !== 'later' || outcome.afterMs !== null });
      if (outcome.kind === 'signed-out') session.signedOut();
      return outcome;
    },
    // Not the phone's clock: one that is set back would hold everything up.
    now: () => performance.now(),
    serverNow,
    newKey,
    random: Math.random,
    wait(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onChange() {
      store.set({ entries: outbox.entries() });
      const sent = outbox.takeSent().length;
      if (sent > knownSent) reader.refreshSoon();
      knownSent = sent;
    },
  });
  const queue = await openPositionQueue({ ...db.fixes, load: async () => fixes }, (batch) =>
    sendPositions(batch, store.state().battery),
  );
  const onSignedOut = (): void => session.signedOut();
  const reader = createWorkReader({ store, outbox, keep, onSignedOut });
  const session = createPhoneSession({ store, outbox, queue, reader, keep });
  onLostWindow = session.yieldToOther;

  let isShown = false;
  const app: DriverApp = {
    state: store.state,
    subscribe: store.subscribe,
    onShown() {
      if (isShown) return;
      isShown = true;
      shareLocation(store, queue);
      watchBattery((battery) => store.set({ battery }));
      allowSound();
      addEventListener('online', () => outbox.sendNow());
      addEventListener('offline', () => store.set({ isOnline: false }));
      // A link that leads into the open app changes nothing but the part of the address behind the #.
      addEventListener('hashchange', () => isWayIn(location.hash) && location.reload());
      void keepOnPhone((applyUpdate) => store.set({ applyUpdate })).catch(() => undefined);
      const { invitation, phase, session: known } = store.state();
      if (invitation) void session.signIn({ codigo: invitation });
      // Storage that a phone cleared holds no session, though its cookie may still be there.
      else if (phase === 'starting' || notes[0] === undefined) void session.takeOver();
      else if (phase === 'signed-in') session.begin(known!);
    },
    signIn: session.signIn,
    stay() {
      store.set({ signIn: 'idle', invitation: null });
      session.begin(store.state().session!);
    },
    signOut: session.signOut,
    async act(...actions) {
      const before = new Set(outbox.entries().map(({ seq }) => seq));
      try {
        await outbox.add(actions, new Date(serverNow()).toISOString());
      } catch {
        store.set({ isUnkept: true });
        return null;
      }
      store.set({ isUnkept: false });
      return outbox
        .entries()
        .map(({ seq }) => seq)
        .filter((seq) => !before.has(seq));
    },
    fateOf(seq) {
      const find = () => store.state().entries.find((entry) => entry.seq === seq);
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          stop();
          resolve(find());
        };
        const timer = setTimeout(end, FATE_MS);
        const stop = store.subscribe(() => {
          if (find()?.state !== 'waiting' || !store.state().isOnline) end();
        });
      });
    },
    retry: (seq, corrected) => outbox.retry(seq, corrected),
    discard: (seqs) => outbox.discard(seqs),
    sendNow() {
      outbox.sendNow();
      void reader.refresh();
    },
    async answerOffer(deliveryId, verb, body) {
      const answer = await request(`${API}/entregas/${deliveryId}/${verb}`, {
        method: 'POST',
        body,
        key: answerKey(`${verb} ${deliveryId} ${offerOf(store.state(), deliveryId)} ${JSON.stringify(body)}`),
      });
      store.set({ isOnline: answer.kind !== 'unreached' });
      await reader.refresh();
      return answer;
    },
    refresh: reader.refresh,
    goTo(run, target) {
      const journeys = new Set([...store.state().journeys, journeyTo(run, target)].slice(-50));
      store.set({ journeys });
      void keep('journeys', [...journeys]);
    },
    chooseNavigator(navigator) {
      store.set({ navigator });
      void keep('navigator', navigator);
    },
    readNews() {
      store.set({ news: [] });
      void keep('news', []);
    },
    keepDraft(filled) {
      const { phase, session: known } = store.state();
      // A form that closes because the phone was signed out stores nothing.
      const driverId = phase === 'signed-in' ? known?.condutor_id : undefined;
      if (filled && driverId) void keep('draft', { ...filled, driverId });
      if (filled) return;
      if (store.state().draft) store.set({ draft: null });
      void keep('draft', undefined);
    },
    forgetWork: () => keep('work', undefined),
    readStatement: (from, to) => readStatement({ store, db, keep, onSignedOut }, from, to),
  };

  // Actions are stored from the first screen on.
  if (store.state().phase === 'signed-in') outbox.actFor(store.state().session!.condutor_id);
  return app;
}

const answerKeys = new Map<string, string>();

/** The same answer to the same offer keeps its key, so that after a lost response it is carried out once. */
function answerKey(answer: string): string {
  const key = answerKeys.get(answer) ?? newKey();
  answerKeys.set(answer, key);
  return key;
}

const offerOf = ({ work }: AppState, deliveryId: string): string =>
  work?.ofertas.find(({ id_mch }) => id_mch === deliveryId)?.oferecida_em ?? '';
