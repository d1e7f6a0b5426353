import { hash } from 'node:crypto';
import type { Caller } from '../../../centrals/caller.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { RowKey } from '../../../platform/postgres/keysetPage.ts';
import { canonicalJson } from '../../http/body.ts';

/** The position in a list: the last row's key, and how many rows came before. */
export interface Cursor extends RowKey {
  count: number;
}

/** A name of 255 letters is folded into at most 8,415 bytes, because one letter may be decomposed into eighteen. */
export const CURSOR_LENGTH_MAX = 12_000;
const DIGEST_BYTES = 12;

/**
 * Binds a cursor to its query: with another query, or if it was changed, it is refused. The digest is not a security
 * measure, because each page applies the caller's scope independently of the cursor.
 */
const digestOf = ({ centralId, companyId }: Caller, list: string, filter: unknown, key: string): Buffer =>
  hash('sha256', canonicalJson([centralId, companyId, list, filter, key]), 'buffer').subarray(
    0,
    DIGEST_BYTES,
  );

export function writeCursor(caller: Caller, list: string, filter: unknown, cursor: Cursor): string {
  const key = JSON.stringify([cursor.value, cursor.number, cursor.count]);
  return Buffer.concat([digestOf(caller, list, filter, key), Buffer.from(key)]).toString('base64url');
}

export function readCursor(caller: Caller, list: string, filter: unknown, text: string): Cursor {
  const bytes = Buffer.from(text, 'base64url');
  const key = bytes.subarray(DIGEST_BYTES).toString();
  const isOfQuery = digestOf(caller, list, filter, key).equals(bytes.subarray(0, DIGEST_BYTES));
  const [value, number, count] = isOfQuery ? parseKey(key) : [];
  if (typeof value !== 'string' || !isCount(number) || !isCount(count)) throw new Refusal('cursor-not-valid');
  return { value, number, count };
}

function parseKey(text: string): unknown[] {
  try {
    const key: unknown = JSON.parse(text);
    return Array.isArray(key) ? key : [];
  } catch {
    return [];
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
