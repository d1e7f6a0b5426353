import { serverNow, setServerNow } from '../../console/src/clock.ts';
import type { AppState, Session } from './appState.ts';
import type { Change } from './core/changes.ts';
import { type Draft, visitOfDraft } from './core/draft.ts';
import { type LocalWork, localView } from './core/localView.ts';
import type { Entry } from './core/outbox.ts';
import type { Work } from './core/work.ts';
import type { Navigator } from './device/navigation.ts';

/** Another page of this service has signed the phone in. */
function takeSession(): boolean {
  const isTaken = location.hash === '#sessao';
  if (isTaken) history.replaceState(null, '', location.pathname);
  return isTaken;
}

/** The one-time code of a link or QR code: behind the #, so that no server sees it in an address. */
export const readInvitation = (): string | null => /^#convite=([^&]+)$/.exec(location.hash)?.[1] ?? null;

/** Only once it was answered: without an answer, whoever opens the page again tries again. */
export function forgetInvitation(): void {
  if (readInvitation()) history.replaceState(null, '', location.pathname);
}

export const isWayIn = (hash: string): boolean => /^#(convite=|sessao$)/.test(hash);

export const STARTING_NOTES = ['session', 'work', 'clock', 'journeys', 'navigator', 'ended', 'news', 'draft'];

/** As late as the central still takes steps. Recipients are not shown for longer on a phone that reaches no central. */
const SHOWN_HOURS_MAX = 72;

const isRecent = ({ agora }: Work): boolean => serverNow() - Date.parse(agora) < SHOWN_HOURS_MAX * 3_600_000;

/** Null where another version of the app kept it in a way that this one cannot read: the central tells it again. */
function viewOf(work: Work, entries: readonly Entry[]): LocalWork | null {
  try {
    return localView(work, entries);
  } catch {
    return null;
  }
}

/** What the phone kept, ready to be shown. */
export function initialState(
  notes: readonly unknown[],
  entries: Entry[],
  invitation: string | null,
): AppState {
  const [
    session = null,
    kept = null,
    clock = 0,
    journeys = [],
    chosen = null,
    isEnded = false,
    news = [],
    draft = null,
  ] = notes as [Session?, Work?, number?, string[]?, Navigator?, boolean?, Change[]?, Draft?];
  // Phones whose clock is wrong start without network too.
  setServerNow(new Date(Date.now() + clock).toISOString());
  // What another driver was shown on this phone is not this one's to see.
  const isOwn = session !== null && kept?.condutor.id === session.condutor_id;
  const view = isOwn && !isEnded && isRecent(kept) ? viewOf(kept, entries) : null;
  return {
    phase: takeSession() ? 'starting' : session && !isEnded && !invitation ? 'signed-in' : 'signed-out',
    session,
    invitation,
    signIn: 'idle',
    work: view && kept,
    view,
    entries,
    isUnkept: false,
    upload: null,
    isOnline: navigator.onLine,
    news: view ? news : [],
    draft: draft?.driverId === session?.condutor_id && visitOfDraft(draft, view) ? draft : null,
    here: null,
    location: 'off',
    battery: null,
    journeys: new Set(journeys),
    navigator: chosen,
    applyUpdate: null,
  };
}
