import { DatabaseError } from 'pg';

/** One line that explains why a database cannot be used, with its address but without the password. */
export function databaseTrouble(databaseUrl: string, error: unknown): string {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const place = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decodeURIComponent(username);
  const code = isNoSocket(error) ? 'ECONNREFUSED' : codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: `no server listens at ${place}`,
    ENOTFOUND: `the host ${hostname} does not exist`,
    EAI_AGAIN: `the name ${hostname} cannot be resolved`,
    ETIMEDOUT: `${place} does not answer`,
    EHOSTUNREACH: `${place} cannot be reached`,
    ENETUNREACH: `${place} cannot be reached`,
    '57P03': `${place} is starting or stopping`,
    '28P01': `${place} refused the user "${user}": wrong name or password`,
    '28000': `${place} refused the user "${user}"`,
    '3D000': `${place} has no database "${decodeURIComponent(pathname.slice(1))}"`,
    '53300': `${place} has no free connections`,
  };
  const reason = reasons[code] ?? `${place} answered: ${messageOf(error)}`;
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

/** The server does not answer, or is starting: common while a machine boots. */
export const isNotThereYet = (error: unknown): boolean =>
  PASSING.includes(codeOf(error)) || isNoSocket(error);

/** Only for the socket: a file that a setting of the URL names may also be missing with ENOENT. */
const isNoSocket = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'connect' && codeOf(error) === 'ENOENT';

/** The database user lacks a privilege; also found when the error is wrapped. */
export const isRightMissing = (error: unknown): boolean => codeOf(error) === '42501';

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // One attempt per address of the host: the first is enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof DatabaseError || 'code' in error) return String((error as { code?: unknown }).code);
  // Errors of `pg` itself have no codes.
  if (error.message === 'timeout expired') return 'ETIMEDOUT';
  if (error.message === 'Connection terminated unexpectedly') return 'ECONNRESET';
  return codeOf(error.cause);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
