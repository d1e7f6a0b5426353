import pg from 'pg';
import { Refusal } from '../kernel/refusal.ts';

/**
 * What an error says about the database rather than about the statement or its rows.
 *
 * - outage: it cannot be reached, or cannot work: nothing will succeed until that is over. Not a bug, and no row's
 *   fault, so nothing is counted against one.
 * - contention: a conflict with another transaction, or a timeout. Can be retried at once.
 */
export type Trouble = 'outage' | 'contention';

/** By SQLSTATE, or its beginning; the first row that fits counts. */
const TROUBLES: readonly (readonly [sqlState: string, trouble: Trouble])[] = [
  // A circle of locks, a lock that was not to be had, a statement that took too long.
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
  // The server is going down, coming up, or was told to end the session.
  ['57', 'outage'],
  // The operating system: reading or writing failed, a file is missing.
  ['58', 'outage'],
  // Damaged data (XX001, XX002) is not here: it concerns some rows, and the others must go on.
];

/**
 * PostgreSQL has no code for some answers of a file system: a quota that is used up or a file that is too large (XX000),
 * or one that became read-only (42501). They are known by where the server met them.
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

/** Codes of the operating system, for a connection that is not there or was lost. */
const UNREACHABLE = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTFOUND'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
];

/** `pg` gives its own failures no codes. */
const UNREACHABLE_WORDS =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|after calling end on the pool/;

/** Undefined for an error that is about the statement or its rows, or not the database's at all. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  // One attempt for each address of the host, or several pieces of work that met the same.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const troubles = error.errors.map(troubleOf);
    return troubles.includes(undefined) ? undefined : troubles.includes('outage') ? 'outage' : 'contention';
  }
  const { code, file } = error as ServerError;
  if (isUncodedStorageError(code, file)) return 'outage';
  const known = TROUBLES.find(([state]) => code?.startsWith(state));
  if (known) return known[1];
  return UNREACHABLE.includes(code ?? '') || UNREACHABLE_WORDS.test(error.message) ? 'outage' : undefined;
}

/** Fields that errors of the server have, and others may have. */
interface ServerError {
  code?: string;
  file?: string;
}

/** The database is there but cannot keep what it is given. */
export function isStorageTrouble(error: unknown): boolean {
  const { code, file } = error as ServerError;
  return STORAGE_STATES.test(code ?? '') || isUncodedStorageError(code, file);
}

/** Resources but connections (53300), the file system, and a server that takes no writes. */
const STORAGE_STATES = /^(25006|53[0124]00|58)/;

const isUncodedStorageError = (code = '', file = ''): boolean =>
  UNCODED.includes(code) && STORAGE_SOURCES.includes(file);

/** Temporary: the caller is asked to try again, and it is not logged as a bug. */
export const isDatabaseUnavailable = (error: unknown): boolean => troubleOf(error) !== undefined;

/** The server refused the statement itself, for what it says or for its rows, and carried nothing of it out. */
export const isStatementRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && troubleOf(error) === undefined;

/** Class 23 of SQLSTATE: integrity constraint violations. */
const isViolation = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') === true;

/** Shards are numbered from 102008. */
const SHARD_SUFFIX = /_\d{6,}$/;

/**
 * The name of the violated constraint; empty if the server names none, undefined for other errors. A distributed
 * database (Citus) reports the constraint of a shard, whose name ends in the shard's number, and may name it in the
 * message only.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!isViolation(error)) return undefined;
  const name = error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1] ?? '';
  return name.replace(SHARD_SUFFIX, '');
}

/** Turns a broken constraint into the refusal that it stands for; any other error stays what it is. */
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

/** `field` is the inner name; the interfaces translate it. */
export const duplicate = (field: string) => () => new Refusal('record-duplicate', { field });

/** For a deletion: whatever still points at the row keeps it, with record-in-use. */
export async function refuseIfUsed<Result>(deletion: Promise<Result>): Promise<Result> {
  try {
    return await deletion;
  } catch (error) {
    throw violatedConstraint(error) === undefined ? error : new Refusal('record-in-use');
  }
}
