import { serverNow, setServerNow } from '../../shared/clock.ts';
import type { AppState, Session } from './appState.ts';
import type { Change } from './core/changes.ts';
import { type Draft, visitOfDraft } from './core/draft.ts';
import { type LocalWork, localView } from './core/localView.ts';
import type { Entry } from './core/outbox.ts';
import type { Work } from './core/work.ts';
import type { Navigator } from './device/navigation.ts';

/** Whether another page of this service has just signed the phone in. Removes the mark from the address. */
function takeSession(): boolean {
  const isTaken = location.hash === '#sessao';
  if (isTaken) history.replaceState(null, '', location.pathname);
  return isTaken;
}

/** The one-time code of a link or QR code. It is in the fragment, which is never sent to a server. */
export const readInvitation = (): string | null => /^#convite=([^&]+)$/.exec(location.hash)?.[1] ?? null;

/** Called only after an answer. Without one, reloading the page tries the code again. */
export function forgetInvitation(): void {
  if (readInvitation()) history.replaceState(null, '', location.pathname);
}

export const isWayIn = (hash: string): boolean => /^#(convite=|sessao$)/.test(hash);

export const STARTING_NOTES = ['session', 'work', 'clock', 'journeys', 'navigator', 'ended', 'news', 'draft'];

/** As long as the central accepts actions. A phone that stays offline for longer stops showing recipients. */
const SHOWN_HOURS_MAX = 72;

const isRecent = ({ agora }: Work): boolean => serverNow() - Date.parse(agora) < SHOWN_HOURS_MAX * 3_600_000;

/** Null if another version of the app stored the work in a form that this one cannot read. It is then read again. */
function viewOf(work: Work, entries: readonly Entry[]): LocalWork | null {
  try {
    return localView(work, entries);
  } catch {
    return null;
  }
}

/** Builds the first state from what the phone has stored. */
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
  // Applies the stored clock difference, because a phone with a wrong clock may start without network.
  setServerNow(new Date(Date.now() + clock).toISOString());
  // The work of another driver who used this phone must not be shown.
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
