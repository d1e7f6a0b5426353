/** How the caller of a request proved who it is. */
export const REQUEST_PROOFS = ['key', 'session', 'program'] as const;
export type RequestProof = (typeof REQUEST_PROOFS)[number];

/** An error of the answer, without what the caller sent. */
export interface RecordedError {
  code: number;
  message: string;
}

/** An object as it was sent, masked; or a text that says what was sent instead of one. */
export type RecordedPart = Record<string, unknown> | string;

/** What was sent and answered, masked. */
export interface RecordedContent {
  query?: RecordedPart;
  body?: RecordedPart;
  errors?: readonly RecordedError[];
}

/** A request as it is noted in memory, until it is written. */
export interface NotedRequest {
  centralId: number;
  /** The central that keeps its logins and test keys: of a sandbox the real one. */
  loginCentralId: number;
  /** Milliseconds since 1970, when the request arrived. */
  atMs: number;
  /** The login or program. Null: the API key was known, but its login was not. */
  userId: number | null;
  /** The SHA-256 of the API key as base64. Null: the request used none. */
  keyDigest: string | null;
  companyId: number | null;
  proof: RequestProof;
  method: string;
  path: string;
  status: number;
  kind: string | null;
  durationMs: number;
  requestId: string;
  content: RecordedContent;
}

/** A stored request, as lists show it. */
export interface RecordedRequest {
  id: number;
  at: Temporal.Instant;
  proof: RequestProof;
  userId: number | null;
  /** The name of the login, or of the program. Null: it is unknown, or deleted. */
  userName: string | null;
  keyId: number | null;
  keyLabel: string | null;
  companyId: number | null;
  method: string;
  path: string;
  status: number;
  kind: string | null;
  durationMs: number;
  requestId: string;
}

export interface RequestDetail extends RecordedRequest {
  content: RecordedContent;
}

/** Whose requests a caller may read: the whole central's, those of one company, or the caller's own. */
export interface RequestScope {
  centralId: number;
  /** The central that keeps its logins and test keys: of a sandbox the real one. */
  loginCentralId: number;
  companyId: number | null;
  /** Null: of all users. */
  userId: number | null;
}
