import { serverNow, setServerNow } from '../../console/src/clock.ts';
import { newKey } from '../../console/src/insecure.ts';
import type { AppState, DriverApp, KnownStatement, Session } from './appState.ts';
import { changesBetween } from './core/changes.ts';
import { currentRun, localView } from './core/localView.ts';
import { journeyTo } from './core/nextStep.ts';
import { openOutbox, unconfirmed } from './core/outbox.ts';
import { type Fix, isWorthKeeping, openPositionQueue, type PositionQueue } from './core/positions.ts';
import type { Statement, Work } from './core/work.ts';
import { openDatabase } from './device/database.ts';
import { followWork } from './device/live.ts';
import { followLocation, stopLocation } from './device/location.ts';
import { API, request, sendEntry } from './device/network.ts';
import { APP_VERSION, becomeOnlyWindow, keepAwake, phoneLabel, watchBattery } from './device/phone.ts';
import { subscribe } from './device/push.ts';
import { keepOnPhone } from './device/serviceWorker.ts';
import { allowSound, play } from './device/sound.ts';
import { forgetInvitation, initialState, isWayIn, readInvitation, STARTING_NOTES } from './initialState.ts';

const FATE_MS = 6_000;
const REFRESH_PAUSE_MS = 250;
const FLUSH_CHECK_MS = 10_000;
const FLUSH_IDLE_MS = 60_000;
/** The service's date has whole seconds, and took its time to get here. */
const CLOCK_OFF_MS = 5_000;
/** Today, this week and this month. */
const STATEMENTS_KEPT = 3;

/** Everything that the app knows and does; the screens only show it. */
export async function startDriverApp(): Promise<DriverApp> {
  const readers = new Set<() => void>();
  let onLostWindow = (): void => undefined;
  const [db] = await Promise.all([openDatabase(), becomeOnlyWindow(() => onLostWindow())]);
  const { notes, entries, fixes } = await db.load(STARTING_NOTES);
  let state = initialState(notes, entries, readInvitation());
  // What may not be shown is not kept either.
  const unshown = [...(state.work ? [] : ['work', 'news']), ...(state.draft ? [] : ['draft'])];
  for (const name of unshown) void db.write(name, undefined).catch(() => undefined);
  let isShown = false;
  let stopFollowing = (): void => undefined;
  let etag: string | null = null;

  const set = (changes: Partial<AppState>): void => {
    const next = { ...state, ...changes };
    next.view = next.work && localView(next.work, next.entries);
    state = next;
    for (const tell of readers) tell();
    if (isShown) followPhone();
  };

  let knownSent = 0;
  const outbox = await openOutbox({
    storage: { ...db.outbox, load: async () => entries },
    async send(entry) {
      const outcome = await sendEntry(entry, (percent) => set({ upload: { seq: entry.seq, percent } }));
      set({ upload: null, isOnline: outcome.kind !== 'later' || outcome.afterMs !== null });
      if (outcome.kind === 'signed-out') signedOut();
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
      set({ entries: outbox.entries() });
      const sent = outbox.takeSent().length;
      if (sent > knownSent) refreshSoon();
      knownSent = sent;
    },
  });

  const queue = await openPositionQueue({ ...db.fixes, load: async () => fixes }, sendPositions);

  // ---- Reading the server ----

  let reading: Promise<void> | null = null;
  let readAgain = false;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;

  function refreshSoon(): void {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(() => void refresh(), REFRESH_PAUSE_MS);
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
    const { session } = state;
    if (!session || state.phase !== 'signed-in') return;
    const sent = outbox.takeSent();
    const path = `${API}/condutores/${session.condutor_id}/trabalho`;
    const answer = await request<Work>(path, { etag });
    set({ isOnline: answer.kind !== 'unreached' });
    if (answer.kind === 'signed-out') return signedOut();
    if (answer.kind === 'ok') await takeWork(answer.data, answer.etag);
    if (answer.kind === 'unchanged') confirmWork(answer.date);
    if (answer.kind === 'ok' || answer.kind === 'unchanged') {
      await outbox.forget(sent);
      if (unconfirmed(outbox.entries(), session.condutor_id).length > 0) outbox.sendNow();
    }
  }

  async function takeWork(work: Work, tag: string | null): Promise<void> {
    setServerNow(work.agora);
    const changes = state.view ? changesBetween(state.view, work, state.work) : [];
    const news = changes.filter(({ kind }) => kind !== 'offer');
    set({ work, news: [...state.news, ...news] });
    if (changes.some(({ kind }) => kind === 'offer')) play('offer');
    else if (news.length > 0) play('change');
    etag = tag;
    // Before the work: an app that ends in between tells it twice rather than never.
    await keep('news', state.news);
    await keep('work', work);
    await keep('clock', serverNow() - Date.now());
  }

  /** What is known holds still. */
  function confirmWork(date: string | null): void {
    correctClock(date);
    if (state.work && date) set({ work: { ...state.work, agora: new Date(date).toISOString() } });
  }

  /** Somebody set the phone's clock. What is off by less is told better by the next reading. */
  function correctClock(date: string | null): void {
    const at = Date.parse(date ?? '');
    if (!(Math.abs(serverNow() - at) > CLOCK_OFF_MS)) return;
    setServerNow(new Date(at).toISOString());
    void keep('clock', serverNow() - Date.now());
  }

  /** For the next start. A phone that is full, and cannot, works on with what it knows. */
  const keep = (name: string, value: unknown): Promise<void> => db.write(name, value).catch(() => undefined);

  // ---- Signing in and out ----

  function begin(session: Session): void {
    // What another driver was shown on this phone is not this one's to see.
    const isSame = state.work?.condutor.id === session.condutor_id;
    set({ phase: 'signed-in', session, ...(!isSame && { work: null, news: [], draft: null }) });
    outbox.actFor(session.condutor_id);
    void queue.actFor(session.condutor_id).catch(() => undefined);
    stopFollowing();
    stopFollowing = followWork(session.condutor_id, () => void refresh());
    void subscribe(session.condutor_id);
    // Asked at each start, so that a phone in use stays signed in.
    void request<Session>('/entregador/sessao').then(({ kind }) => kind === 'signed-out' && signedOut());
  }

  function stopActing(): void {
    stopFollowing();
    outbox.actFor(null);
    void queue.actFor(null);
    etag = null;
  }

  /**
   * The central has ended the session, perhaps because the phone was lost: it keeps nothing of recipients, and its next
   * start shows nothing, network or not. What was done stays in the outbox, and is sent after the next sign-in.
   */
  function signedOut(): void {
    // An answer to what this window asked before another one took over.
    if (state.phase === 'elsewhere') return;
    stopActing();
    set({ phase: 'signed-out', work: null, news: [], draft: null });
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

  // ---- The phone ----

  let lastFix: Fix | null = null;
  let lastFlush = Number.NEGATIVE_INFINITY;

  function followPhone(): void {
    const { view, phase } = state;
    const run = view && phase === 'signed-in' ? currentRun(view) : null;
    keepAwake(run !== null);
    if (run || (phase === 'signed-in' && view?.condutor.disponivel))
      followLocation(run !== null, onFix, (location) => location !== state.location && set({ location }));
    else stopLocation();
  }

  function onFix(fix: Fix): void {
    set({ here: fix });
    if (!isWorthKeeping(lastFix, fix)) return;
    lastFix = fix;
    void queue.add(fix).catch(() => undefined);
  }

  async function sendPositions(batch: readonly Fix[]): Promise<boolean> {
    const posicoes = batch.map(({ lat, lng, at, accuracy }) => ({
      lat,
      lng,
      em: new Date(at).toISOString(),
      precisao: Math.round(accuracy),
    }));
    const { kind } = await request(`${API}/condutores/posicoes`, {
      method: 'POST',
      body: { posicoes, ...(state.battery !== null && { bateria: state.battery }), versao: APP_VERSION },
      key: newKey(),
    });
    return kind === 'ok' || kind === 'refused';
  }

  async function flushPositions(positions: PositionQueue): Promise<void> {
    if (state.phase !== 'signed-in') return;
    const isUnderWay = state.view !== null && currentRun(state.view) !== null;
    if (!isUnderWay && performance.now() - lastFlush < FLUSH_IDLE_MS) return;
    lastFlush = performance.now();
    while (await positions.flush());
  }

  onLostWindow = () => {
    stopActing();
    set({ phase: 'elsewhere' });
  };

  const app: DriverApp = {
    state: () => state,
    onShown() {
      if (isShown) return;
      isShown = true;
      watchBattery((battery) => set({ battery }));
      allowSound();
      addEventListener('online', () => outbox.sendNow());
      addEventListener('offline', () => set({ isOnline: false }));
      // A link that leads into the open app changes nothing but what stands behind the #.
      addEventListener('hashchange', () => isWayIn(location.hash) && location.reload());
      setInterval(() => void flushPositions(queue), FLUSH_CHECK_MS);
      void keepOnPhone((applyUpdate) => set({ applyUpdate })).catch(() => undefined);
      if (state.invitation) void app.signIn({ codigo: state.invitation });
      // Storage that a phone cleared knows of no session, though its cookie may be there.
      else if (state.phase === 'starting' || notes[0] === undefined) void continueSession();
      else if (state.phase === 'signed-in') begin(state.session!);
    },
    subscribe(tell) {
      readers.add(tell);
      return () => readers.delete(tell);
    },
    async signIn(credentials) {
      set({ signIn: 'busy' });
      const answer = await request<Session>('/entregador/sessao', {
        method: 'POST',
        body: { ...credentials, aparelho: phoneLabel() },
      });
      if (answer.kind !== 'unreached' && answer.kind !== 'busy') forgetInvitation();
      set({ signIn: answer.kind === 'ok' ? 'idle' : answer });
      if (answer.kind !== 'ok') return;
      set({ invitation: null });
      await keepSession(answer.data);
      begin(answer.data);
    },
    stay() {
      set({ signIn: 'idle', invitation: null });
      begin(state.session!);
    },
    async signOut() {
      await request('/entregador/sessao', { method: 'DELETE' });
      await keep('session', null);
      await forgetShown();
      await queue.clear().catch(() => undefined);
      signedOut();
      set({ session: null });
    },
    async act(...actions) {
      const before = new Set(outbox.entries().map(({ seq }) => seq));
      try {
        await outbox.add(actions, new Date(serverNow()).toISOString());
      } catch {
        set({ isUnkept: true });
        return null;
      }
      set({ isUnkept: false });
      return outbox
        .entries()
        .map(({ seq }) => seq)
        .filter((seq) => !before.has(seq));
    },
    fateOf(seq) {
      const find = () => state.entries.find((entry) => entry.seq === seq);
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          stop();
          resolve(find());
        };
        const timer = setTimeout(end, FATE_MS);
        const stop = app.subscribe(() => {
          if (find()?.state !== 'waiting' || !state.isOnline) end();
        });
      });
    },
    retry: (seq, corrected) => outbox.retry(seq, corrected),
    discard: (seqs) => outbox.discard(seqs),
    sendNow() {
      outbox.sendNow();
      void refresh();
    },
    async answerOffer(deliveryId, verb, body) {
      const answer = await request(`${API}/entregas/${deliveryId}/${verb}`, {
        method: 'POST',
        body,
        key: answerKey(`${verb} ${deliveryId} ${offerOf(state, deliveryId)} ${JSON.stringify(body)}`),
      });
      set({ isOnline: answer.kind !== 'unreached' });
      await refresh();
      return answer;
    },
    refresh,
    goTo(run, target) {
      const journeys = new Set([...state.journeys, journeyTo(run, target)].slice(-50));
      set({ journeys });
      void keep('journeys', [...journeys]);
    },
    chooseNavigator(navigator) {
      set({ navigator });
      void keep('navigator', navigator);
    },
    readNews() {
      set({ news: [] });
      void keep('news', []);
    },
    keepDraft(draft) {
      // A form that closes because the phone was signed out stores nothing.
      const driverId = state.phase === 'signed-in' ? state.session?.condutor_id : undefined;
      if (draft && driverId) void keep('draft', { ...draft, driverId });
      if (draft) return;
      if (state.draft) set({ draft: null });
      void keep('draft', undefined);
    },
    forgetWork: () => keep('work', undefined),
    async readStatement(from, to) {
      const driverId = state.session!.condutor_id;
      const path = `${API}/condutores/${driverId}/extrato?de=${from}&ate=${to}&limite=100`;
      const answer = await request<Statement>(path);
      set({ isOnline: answer.kind !== 'unreached' });
      const known = (await db.read<KnownStatement[]>('statements').catch(() => undefined)) ?? [];
      const isSame = (each: KnownStatement) =>
        each.driverId === driverId && each.from === from && each.to === to;
      if (answer.kind === 'ok') {
        const readAt = new Date(serverNow()).toISOString();
        const read: KnownStatement = { driverId, from, to, readAt, statement: answer.data };
        const others = known.filter((each) => !isSame(each));
        await keep('statements', [read, ...others].slice(0, STATEMENTS_KEPT));
        return read;
      }
      if (answer.kind === 'signed-out') signedOut();
      return known.find(isSame) ?? null;
    },
  };

  /** Another page of this service has signed the phone in, as the login page of the demonstration does. */
  const continueSession = async (): Promise<void> => {
    const answer = await request<Session>('/entregador/sessao');
    if (answer.kind !== 'ok') return set({ phase: 'signed-out' });
    await keepSession(answer.data);
    begin(answer.data);
  };

  // From the first screen on, what is done is stored.
  if (state.phase === 'signed-in') outbox.actFor(state.session!.condutor_id);
  return app;
}

const answerKeys = new Map<string, string>();

/** Answered twice, as after a lost answer, it is the same answer to the same offer. */
function answerKey(answer: string): string {
  const key = answerKeys.get(answer) ?? newKey();
  answerKeys.set(answer, key);
  return key;
}

const offerOf = ({ work }: AppState, deliveryId: string): string =>
  work?.ofertas.find(({ id_mch }) => id_mch === deliveryId)?.oferecida_em ?? '';
