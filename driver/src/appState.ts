import type { Action } from './core/action.ts';
import type { Answer } from './core/answer.ts';
import type { Change } from './core/changes.ts';
import type { Draft } from './core/draft.ts';
import type { LocalRun, LocalWork } from './core/localView.ts';
import type { Entry, Outbox } from './core/outbox.ts';
import type { Fix } from './core/positions.ts';
import type { Statement, Work } from './core/work.ts';
import type { LocationState } from './device/location.ts';
import type { Navigator } from './device/navigation.ts';

export interface Session {
  condutor_id: string;
  nome: string;
  central: { id: number | string; nome: string };
}

export interface AppState {
  /** `elsewhere`: another window of this browser has taken over. */
  phase: 'starting' | 'signed-out' | 'signed-in' | 'elsewhere';
  session: Session | null;
  /** The code of the link that opened the app, until it has signed the phone in. */
  invitation: string | null;
  signIn: 'idle' | 'busy' | Exclude<Answer<Session>, { kind: 'ok' }>;
  /** The server's last word. */
  work: Work | null;
  /** With this phone's actions on top. */
  view: LocalWork | null;
  entries: readonly Entry[];
  /** The phone could not store the last action, as when it is full: it has to be done again. */
  isUnkept: boolean;
  /** The image that is being sent. */
  upload: { seq: number; percent: number } | null;
  isOnline: boolean;
  /** What the central changed and the driver has not acknowledged yet. */
  news: readonly Change[];
  /** The form that was open when the phone ended the app. */
  draft: Draft | null;
  here: Fix | null;
  location: LocationState;
  battery: number | null;
  journeys: ReadonlySet<string>;
  navigator: Navigator | null;
  applyUpdate: (() => void) | null;
}

export type Credentials = { codigo: string } | { central: string; usuario: string; senha: string };

/** A statement as it was read, and when. */
export interface KnownStatement {
  driverId: string;
  /** The first and the last day, as AAAA-MM-DD. */
  from: string;
  to: string;
  readAt: string;
  statement: Statement;
}

export interface DriverApp {
  state(): AppState;
  /** The first screen stands: what talks to the phone and to the central begins, so that nothing delays it. */
  onShown(): void;
  subscribe(tell: () => void): () => void;
  signIn(credentials: Credentials): Promise<void>;
  /** As whoever was signed in before a link that leads nowhere was opened. */
  stay(): void;
  signOut(): Promise<void>;
  /** Stores the actions and sends them when it can; resolves with their numbers once they are stored, or null. */
  act(...actions: Action[]): Promise<number[] | null>;
  /** What became of an entry within a few seconds, if there is network: often the answer comes while one looks. */
  fateOf(seq: number): Promise<Entry | undefined>;
  retry: Outbox['retry'];
  discard: Outbox['discard'];
  sendNow(): void;
  /** Offers are answered at once or not at all. */
  answerOffer(deliveryId: string, verb: 'aceitar' | 'recusar', body: unknown): Promise<Answer<unknown>>;
  refresh(): Promise<void>;
  goTo(run: LocalRun, target: string): void;
  chooseNavigator(navigator: Navigator): void;
  readNews(): void;
  /** Stores a form for the next start; null deletes it, once the form is confirmed or closed. */
  keepDraft(draft: Omit<Draft, 'driverId'> | null): void;
  /** What the phone kept of it, for the next start; the central tells it again. */
  forgetWork(): Promise<void>;
  /** The entries of a period, from the central or, without network, as last read; null: never read on this phone. */
  readStatement(from: string, to: string): Promise<KnownStatement | null>;
}
