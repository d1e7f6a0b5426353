import { DatabaseError } from 'pg';

/** Says in a line why a database cannot be used; its address without the password. */
export function databaseTrouble(databaseUrl: string, error: unknown): string {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const place = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decodeURIComponent(username);
  const code = isNoSocket(error) ? 'ECONNREFUSED' : codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: `nothing listens at ${place}`,
    ENOTFOUND: `there is no host ${hostname}`,
    EAI_AGAIN: `the name ${hostname} cannot be looked up`,
    ETIMEDOUT: `${place} does not answer`,
    EHOSTUNREACH: `there is no way to ${place}`,
    ENETUNREACH: `there is no way to ${place}`,
    '57P03': `${place} is starting or stopping`,
    '28P01': `${place} refused the user "${user}": wrong name or password`,
    '28000': `${place} refused the user "${user}"`,
    '3D000': `${place} has no database "${decodeURIComponent(pathname.slice(1))}"`,
    '53300': `${place} has no connection left`,
  };
  const reason = reasons[code] ?? `${place} says: ${messageOf(error)}`;
  return `cannot use the database of DATABASE_URL: ${reason}`;
}

const PASSING = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '57P03',
];

/** Nothing answers there, or it is about to: as it is while a machine boots. */
export const isNotThereYet = (error: unknown): boolean =>
  PASSING.includes(codeOf(error)) || isNoSocket(error);

/** A file that a setting of the address names may be missing just so. */
const isNoSocket = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'connect' && codeOf(error) === 'ENOENT';

/** The database user lacks a right; also when the refusal is wrapped by whoever met it. */
export const isRightMissing = (error: unknown): boolean => codeOf(error) === '42501';

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // One attempt per address of the host: the first tells enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof DatabaseError || 'code' in error) return String((error as { code?: unknown }).code);
  // `pg` gives its own failures no codes.
  if (error.message === 'timeout expired') return 'ETIMEDOUT';
  if (error.message === 'Connection terminated unexpectedly') return 'ECONNRESET';
  return codeOf(error.cause);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
