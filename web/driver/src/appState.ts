import type { Action } from './core/action.ts';
import type { Answer } from './core/answer.ts';
import type { Change } from './core/changes.ts';
import type { Draft } from './core/draft.ts';
import type { LocalRun, LocalWork } from './core/localView.ts';
import type { Entry, Outbox } from './core/outbox.ts';
import type { Fix, LocationState } from './core/positions.ts';
import type { Statement, Work } from './core/work.ts';
import type { Navigator } from './device/navigation.ts';

export interface Session {
  condutor_id: string;
  nome: string;
  central: { id: string; nome: string };
}

export interface AppState {
  /** `elsewhere`: another window of this browser has taken over. */
  phase: 'starting' | 'signed-out' | 'signed-in' | 'elsewhere';
  session: Session | null;
  /** The code of the link that opened the app, until it has signed the phone in. */
  invitation: string | null;
  signIn: 'idle' | 'busy' | Exclude<Answer<Session>, { kind: 'ok' }>;
  /** As last read from the server. */
  work: Work | null;
  /** `work` with the actions of this phone's outbox applied. */
  view: LocalWork | null;
  entries: readonly Entry[];
  /** The phone could not store the last action, for example because it is full. The driver has to repeat it. */
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

/** A statement, and the time at which it was read. */
export interface KnownStatement {
  driverId: string;
  /** The first and the last day, as YYYY-MM-DD. */
  from: string;
  to: string;
  readAt: string;
  statement: Statement;
}

export interface DriverApp {
  state(): AppState;
  /** Called after the first render. Starts what uses the phone or the network and would have delayed the render. */
  onShown(): void;
  subscribe(onChange: () => void): () => void;
  signIn(credentials: Credentials): Promise<void>;
  /** Returns to the previous session after a sign-in link failed. */
  stay(): void;
  signOut(): Promise<void>;
  /** Stores the actions and sends them when possible. Resolves to their `seq` once stored, or null if not stored. */
  act(...actions: Action[]): Promise<number[] | null>;
  /** Waits a few seconds, if there is network, for the answer to an entry. Resolves to the entry as it is then. */
  fateOf(seq: number): Promise<Entry | undefined>;
  retry: Outbox['retry'];
  discard: Outbox['discard'];
  sendNow(): void;
  /** Answers an offer directly. Answers never go through the outbox. */
  answerOffer(deliveryId: string, verb: 'aceitar' | 'recusar', body: unknown): Promise<Answer<unknown>>;
  refresh(): Promise<void>;
  goTo(run: LocalRun, target: string): void;
  chooseNavigator(navigator: Navigator): void;
  readNews(): void;
  /** Stores a form for the next start. Null deletes it, when the form is confirmed or closed. */
  keepDraft(draft: Omit<Draft, 'driverId'> | null): void;
  /** Deletes the stored work, so that the next start reads it from the central. */
  forgetWork(): Promise<void>;
  /** The statement of a period, or without network as last read. Null if it was never read on this phone. */
  readStatement(from: string, to: string): Promise<KnownStatement | null>;
}
