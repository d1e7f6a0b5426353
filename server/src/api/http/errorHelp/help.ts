import type { Language } from '../envelope.ts';

/** What a page says about a kind of failure, in one or two short sentences each. */
export type Help = Readonly<Record<Language, HelpText>>;

interface HelpText {
  meaning: string;
  /** When the service answers with it. */
  when: string;
  /** What the caller can do. */
  remedy: string;
}
