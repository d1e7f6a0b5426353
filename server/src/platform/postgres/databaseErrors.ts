import pg from 'pg';
import { Refusal } from '../kernel/refusal.ts';

/**
 * What an error says about the database rather than about the statement or its rows.
 *
 * - outage: the database cannot be reached or cannot work, so nothing succeeds until the outage is over. It is not a
 *   bug and not caused by a row, so no failed attempt is counted for the row.
 * - contention: a conflict with another transaction, or a timeout. The work can be retried at once.
 */
export type Trouble = 'outage' | 'contention';

/** By SQLSTATE or its prefix; the first row that matches counts. */
const TROUBLES: readonly (readonly [sqlState: string, trouble: Trouble])[] = [
  // Serialization failure, deadlock, lock not available, statement timeout.
  ...(['40001', '40P01', '55P03', '57014'] as const).map((state) => [state, 'contention'] as const),
  // Connections: broken, refused, in doubt.
  ['08', 'outage'],
  // The server takes no writes: a standby, or a provider's answer to a full disk.
  ['25006', 'outage'],
  // The password was changed, the account closed, the database renamed.
  ['28', 'outage'],
  ['3D000', 'outage'],
  // Resources: the disk is full, memory or connections ran out, a limit was reached.
  ['53', 'outage'],
  // The server is shutting down, starting up, or was asked to end the session.
  ['57', 'outage'],
  // The operating system: reading or writing failed, a file is missing.
  ['58', 'outage'],
  // Damaged data (XX001, XX002) is not listed: it concerns some rows, and work on the others must continue.
];

/**
 * PostgreSQL has no SQLSTATE for some errors of a file system: an exhausted quota or a file that is too large (XX000),
 * or a file system that became read-only (42501). They are recognised by the server's source file that reports them.
 */
const UNCODED = ['XX000', '42501'];
const STORAGE_SOURCES = [
  'md.c',
  'fd.c',
  'buffile.c',
  'xlog.c',
  'slru.c',
  'copydir.c',
  'bufmgr.c',
  'localbuf.c',
];

/** Codes of the operating system for a connection that cannot be made or was lost. */
const UNREACHABLE = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
];

/** Messages of `pg`, which gives its own errors no codes. */
const UNREACHABLE_WORDS =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|after calling end on the pool/;

/** Undefined for an error about the statement or its rows, and for errors that are not the database's. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  // One error for each address of the host, or for each of several pieces of work.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const troubles = error.errors.map(troubleOf);
    return troubles.includes(undefined) ? undefined : troubles.includes('outage') ? 'outage' : 'contention';
  }
  const { code, file, syscall } = error as ServerError;
  if (isUncodedStorageError(code, file)) return 'outage';
  // Only the socket of a server that is not running: any other missing file is a fault of this service.
  if (code === 'ENOENT') return syscall === 'connect' ? 'outage' : undefined;
  const known = TROUBLES.find(([state]) => code?.startsWith(state));
  if (known) return known[1];
  return UNREACHABLE.includes(code ?? '') || UNREACHABLE_WORDS.test(error.message) ? 'outage' : undefined;
}

/** Fields of errors from the server; other errors may have them too. */
interface ServerError {
  code?: string;
  file?: string;
  /** Only errors of the operating system have it. */
  syscall?: string;
}

/** Whether the database can be reached but cannot store data. */
export function isStorageTrouble(error: unknown): boolean {
  const { code, file } = error as ServerError;
  return STORAGE_STATES.test(code ?? '') || isUncodedStorageError(code, file);
}

/** Resources except connections (53300), the file system, and a server that takes no writes. */
const STORAGE_STATES = /^(25006|53[0124]00|58)/;

const isUncodedStorageError = (code = '', file = ''): boolean =>
  UNCODED.includes(code) && STORAGE_SOURCES.includes(file);

/** Temporary: the caller is asked to try again, and it is not logged as a bug. */
export const isDatabaseUnavailable = (error: unknown): boolean => troubleOf(error) !== undefined;

/** The server refused the statement because of its text or its rows, and carried out none of it. */
export const isStatementRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && troubleOf(error) === undefined;

/** A connection was lost while it stored something: whether that was committed is not known. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
  /** SQLSTATE: transaction resolution unknown. */
  readonly code = '08007';
}

/** For errors of a commit, or of a statement that commits by itself: what a lost connection means for it. */
export const committing = (error: unknown): unknown =>
  isLostUnderWay(error)
    ? new OutcomeUnknown('the connection was lost before the database confirmed the commit', { cause: error })
    : error;

/** Nothing is sent on a connection that is known to be broken. Class 57P: the server ended the session. */
const isLostUnderWay = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? /^(08|57P)/.test(error.code ?? '')
    : troubleOf(error) === 'outage' && !/not queryable/.test((error as Error).message);

/** Class 23 of SQLSTATE: integrity constraint violations. */
const isViolation = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') === true;

/** Shards are numbered from 102008. */
const SHARD_SUFFIX = /_\d{6,}$/;

/**
 * The name of the violated constraint; empty if the server names none, undefined for other errors. A distributed
 * database (Citus) reports the constraint of a shard, whose name ends in the shard's number, and may name it only in
 * the message.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!isViolation(error)) return undefined;
  const name = error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1] ?? '';
  return name.replace(SHARD_SUFFIX, '');
}

/** Turns a violated constraint into its refusal; other errors are rethrown unchanged. */
export async function refuseViolations<Result>(
  statement: Promise<Result>,
  refusals: Readonly<Record<string, () => Refusal>>,
): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    const refusal = refusals[violatedConstraint(error) ?? ''];
    throw refusal ? refusal() : error;
  }
}

/** `field` is the internal name; the interfaces translate it. */
export const duplicate = (field: string) => () => new Refusal('record-duplicate', { field });

/** A row that the statement refers to is gone, or its key is taken. */
export const isOvertaken = (error: unknown): boolean =>
  isViolation(error) && ['23503', '23505'].includes(error.code ?? '');

/** Foreign keys, and those that restrict (from PostgreSQL 18 on). */
const REFERENCED = ['23503', '23001'];

/**
 * Refuses a deletion with record-in-use while other rows refer to the row. Statements that were sent before it in the
 * same message, such as the claim of an Idempotency-Key, fail it too: their violations are not its own.
 */
export async function refuseIfUsed<Result>(deletion: Promise<Result>): Promise<Result> {
  try {
    return await deletion;
  } catch (error) {
    const isReferenced = isViolation(error) && REFERENCED.includes(error.code ?? '');
    throw isReferenced ? new Refusal('record-in-use') : error;
  }
}
