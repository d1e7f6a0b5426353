import { serverNow, setServerNow } from '../../console/src/clock.ts';
import type { AppState, DriverApp, KnownStatement, Session } from './appState.ts';
import { changesBetween } from './core/changes.ts';
import { currentRun, localView } from './core/localView.ts';
import { journeyTo } from './core/nextStep.ts';
import { type Entry, openOutbox, unconfirmed } from './core/outbox.ts';
import { type Fix, isWorthKeeping, openPositionQueue, type PositionQueue } from './core/positions.ts';
import type { Statement, Work } from './core/work.ts';
import { openDatabase } from './device/database.ts';
import { followWork } from './device/live.ts';
import { followLocation, stopLocation } from './device/location.ts';
import type { Navigator } from './device/navigation.ts';
import { API, request, sendEntry } from './device/network.ts';
import { APP_VERSION, becomeOnlyWindow, keepAwake, phoneLabel, watchBattery } from './device/phone.ts';
import { subscribe } from './device/push.ts';
import { keepOnPhone } from './device/serviceWorker.ts';
import { allowSound, play } from './device/sound.ts';

const FATE_MS = 6_000;
const REFRESH_PAUSE_MS = 250;
const FLUSH_CHECK_MS = 10_000;
const FLUSH_IDLE_MS = 60_000;
/** Today, this week and this month. */
const STATEMENTS_KEPT = 3;

/** Everything that the app knows and does; the screens only show it. */
export async function startDriverApp(): Promise<DriverApp> {
  const readers = new Set<() => void>();
  let onLostWindow = (): void => undefined;
  const [db] = await Promise.all([openDatabase(), becomeOnlyWindow(() => onLostWindow())]);
  const { notes, entries, fixes } = await db.load(STARTING_NOTES);
  const invitation = takeInvitation();
  let state = initialState(notes, entries, invitation !== null);
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
    now: Date.now,
    serverNow,
    newKey: () => crypto.randomUUID(),
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
    await db.write('work', work);
    await db.write('clock', serverNow() - Date.now());
  }

  // ---- Signing in and out ----

  function begin(session: Session): void {
    // What another driver was shown on this phone is not this one's to see.
    const isSame = state.work?.condutor.id === session.condutor_id;
    set({ phase: 'signed-in', session, ...(!isSame && { work: null, news: [] }) });
    outbox.actFor(session.condutor_id);
    void queue.actFor(session.condutor_id).catch(() => undefined);
    stopFollowing();
    stopFollowing = followWork(session.condutor_id, () => void refresh());
    void subscribe(session.condutor_id);
    // Asked at each start, so that a phone in use stays signed in.
    void request<Session>('/entregador/sessao').then(({ kind }) => kind === 'signed-out' && signedOut());
  }

  /** Everything that was done stays in the outbox, and is sent after the next sign-in. */
  function signedOut(): void {
    stopFollowing();
    outbox.actFor(null);
    void queue.actFor(null);
    etag = null;
    set({ phase: 'signed-out' });
  }

  // ---- The phone ----

  let lastFix: Fix | null = null;
  let lastFlush = 0;

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
      key: crypto.randomUUID(),
    });
    return kind === 'ok' || kind === 'refused';
  }

  async function flushPositions(positions: PositionQueue): Promise<void> {
    if (state.phase !== 'signed-in') return;
    const isUnderWay = state.view !== null && currentRun(state.view) !== null;
    if (!isUnderWay && Date.now() - lastFlush < FLUSH_IDLE_MS) return;
    lastFlush = Date.now();
    while (await positions.flush());
  }

  onLostWindow = () => {
    signedOut();
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
      setInterval(() => void flushPositions(queue), FLUSH_CHECK_MS);
      void keepOnPhone((applyUpdate) => set({ applyUpdate })).catch(() => undefined);
      if (invitation) void app.signIn({ codigo: invitation });
      else if (state.phase === 'starting') void continueSession();
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
      set({ signIn: answer.kind === 'ok' ? 'idle' : answer });
      if (answer.kind !== 'ok') return;
      await db.write('session', answer.data);
      begin(answer.data);
    },
    async signOut() {
      await request('/entregador/sessao', { method: 'DELETE' });
      await db.write('session', undefined);
      await db.write('work', undefined);
      await db.write('statements', undefined);
      await queue.clear();
      signedOut();
      set({ session: null, work: null, news: [] });
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
      void db.write('journeys', [...journeys]);
    },
    chooseNavigator(navigator) {
      set({ navigator });
      void db.write('navigator', navigator);
    },
    readNews: () => set({ news: [] }),
    async readStatement(from, to) {
      const driverId = state.session!.condutor_id;
      const path = `${API}/condutores/${driverId}/extrato?de=${from}&ate=${to}&limite=100`;
      const answer = await request<Statement>(path);
      set({ isOnline: answer.kind !== 'unreached' });
      const known = (await db.read<KnownStatement[]>('statements')) ?? [];
      const isSame = (each: KnownStatement) =>
        each.driverId === driverId && each.from === from && each.to === to;
      if (answer.kind === 'ok') {
        const readAt = new Date(serverNow()).toISOString();
        const read: KnownStatement = { driverId, from, to, readAt, statement: answer.data };
        const others = known.filter((each) => !isSame(each));
        await db.write('statements', [read, ...others].slice(0, STATEMENTS_KEPT));
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
    await db.write('session', answer.data);
    begin(answer.data);
  };

  // From the first screen on, what is done is stored.
  if (state.phase === 'signed-in') outbox.actFor(state.session!.condutor_id);
  return app;
}

/** Another page of this service has signed the phone in. */
function takeSession(): boolean {
  const isTaken = location.hash === '#sessao';
  if (isTaken) history.replaceState(null, '', location.pathname);
  return isTaken;
}

/** The one-time code of a link or QR code: behind the #, so that no server sees it in an address. */
function takeInvitation(): string | null {
  const code = /^#convite=([^&]+)$/.exec(location.hash)?.[1] ?? null;
  if (code) history.replaceState(null, '', location.pathname);
  return code;
}

const answerKeys = new Map<string, string>();

/** Answered twice, as after a lost answer, it is the same answer to the same offer. */
function answerKey(answer: string): string {
  const key = answerKeys.get(answer) ?? crypto.randomUUID();
  answerKeys.set(answer, key);
  return key;
}

const offerOf = ({ work }: AppState, deliveryId: string): string =>
  work?.ofertas.find(({ id_mch }) => id_mch === deliveryId)?.oferecida_em ?? '';

const STARTING_NOTES = ['session', 'work', 'clock', 'journeys', 'navigator'];

/** What the phone kept, ready to be shown. */
function initialState(notes: readonly unknown[], entries: Entry[], isInvited: boolean): AppState {
  const [session = null, kept = null, clock = 0, journeys = [], chosen = null] = notes as [
    Session?,
    Work?,
    number?,
    string[]?,
    Navigator?,
  ];
  // What another driver was shown on this phone is not this one's to see.
  const work = session && kept?.condutor.id === session.condutor_id ? kept : null;
  // Phones whose clock is wrong start without network too.
  setServerNow(new Date(Date.now() + clock).toISOString());
  return {
    phase: takeSession() ? 'starting' : session && !isInvited ? 'signed-in' : 'signed-out',
    session,
    signIn: 'idle',
    work,
    view: work && localView(work, entries),
    entries,
    isUnkept: false,
    upload: null,
    isOnline: navigator.onLine,
    news: [],
    here: null,
    location: 'off',
    battery: null,
    journeys: new Set(journeys),
    navigator: chosen,
    applyUpdate: null,
  };
}
