import { DatabaseError } from 'pg';

/** Says in a line why a database cannot be used; its address without the password. */
export function databaseTrouble(databaseUrl: string, error: unknown): string {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const place = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decodeURIComponent(username);
  const code = codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: `nothing listens at ${place}`,
    ENOTFOUND: `there is no host ${hostname}`,
    EAI_AGAIN: `the name ${hostname} cannot be looked up`,
    ETIMEDOUT: `${place} does not answer`,
    '28P01': `${place} refused the user "${user}": wrong name or password`,
    '28000': `${place} refused the user "${user}"`,
    '3D000': `${place} has no database "${decodeURIComponent(pathname.slice(1))}"`,
    '53300': `${place} has no connection left`,
  };
  const reason = reasons[code] ?? `${place} says: ${messageOf(error)}`;
  return `cannot use the database of DATABASE_URL: ${reason}`;
}

/** The database user lacks a right; also when the refusal is wrapped by whoever met it. */
export const isRightMissing = (error: unknown): boolean => codeOf(error) === '42501';

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // One attempt per address of the host: the first tells enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof DatabaseError || 'code' in error) return String((error as { code?: unknown }).code);
  return codeOf(error.cause);
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
