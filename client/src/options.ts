import type { AnswerInfo } from './answerInfo.ts';

/** Who calls: a person's login, the token of a program, or a program by OAuth 2.0. */
export type Login =
  | { apiKey: string; user: string; password: string }
  | {
      /** The token of a program, `malote_…`. It also names the central, so there is no api-key. */
      token: string;
    }
  | {
      /** OAuth 2.0 client credentials: the program's id. The client gets access tokens and renews them. */
      clientId: number | string;
      /** The program's token. */
      clientSecret: string;
      /** Fewer permissions than the program has. */
      scopes?: readonly string[];
    };

interface CommonOptions {
  /** The service's address, e.g. https://entregas.example, with or without the path of the interface. */
  url: string;
  /** The language of the server's messages; Portuguese by default. */
  language?: 'pt' | 'en';
  /** Fields that the service does not know are refused. Without this they are ignored, and `answerInfo` names them. */
  strict?: boolean;
  /** The time limit of one attempt; 30 seconds by default. */
  timeoutMs?: number;
  /** The time limit of a call with all its attempts and pauses; 2 minutes by default. */
  totalTimeoutMs?: number;
  /** The maximum number of attempts of a call; 5 by default. */
  attempts?: number;
  /** The maximum sum of the pauses between the attempts of a call; one minute by default. */
  patienceMs?: number;
  /** Replaces the global `fetch`. It may be the browser's own function: it is not called as a method. */
  fetch?: typeof fetch;
  /** Hears of every answer that is not an error, for logs and measurements. */
  onAnswer?: (info: AnswerInfo) => void;
}

export type MaloteOptions = CommonOptions & Login;
