import { jsonOverHttp } from '../engines/jsonOverHttp.ts';
import { type Matrix, RoutingUnavailable } from './router.ts';

/** Answers of an engine are untrusted: anything unexpected counts as no answer. */
export const nonsense = (what: string): RoutingUnavailable =>
  new RoutingUnavailable(`the routing engine's answer is not valid: ${what}`);

/** More than any route on earth, in metres or in seconds. */
const AMOUNT_MAX = 50_000_000;

export function objectIn(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw nonsense(`${what} is no object`);
  return value as Record<string, unknown>;
}

export function arrayIn(value: unknown, length: number, what: string): unknown[] {
  if (!Array.isArray(value)) throw nonsense(`${what} is no list`);
  if (value.length !== length) throw nonsense(`${what} has ${value.length} entries, not ${length}`);
  return value;
}

export function textIn(value: unknown, what: string): string {
  if (typeof value !== 'string') throw nonsense(`${what} is no text`);
  return value;
}

/** An integer of metres or seconds, from an amount in units of `scale` of them. */
export function amountIn(value: unknown, what: string, scale = 1): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw nonsense(`${what} is no number`);
  const amount = Math.round(value * scale);
  if (amount < 0 || amount > AMOUNT_MAX) throw nonsense(`${what} is ${value}`);
  return amount;
}

/** A matrix from its two tables. A cell that lacks one of the values is null in both, since it cannot be priced. */
export function matrixIn(
  distances: unknown,
  durations: unknown,
  size: { rows: number; columns: number },
  metresPerUnit: number,
): Matrix {
  const metres = tableIn(distances, size, 'a distance', metresPerUnit);
  const seconds = tableIn(durations, size, 'a duration', 1);
  for (let row = 0; row < size.rows; row++)
    for (let column = 0; column < size.columns; column++)
      if (metres[row]![column] === null || seconds[row]![column] === null) {
        metres[row]![column] = null;
        seconds[row]![column] = null;
      }
  return { metres, seconds };
}

function tableIn(
  value: unknown,
  { rows, columns }: { rows: number; columns: number },
  what: string,
  scale: number,
): (number | null)[][] {
  return arrayIn(value, rows, 'the table').map((row) =>
    arrayIn(row, columns, 'a row').map((cell) => (cell === null ? null : amountIn(cell, what, scale))),
  );
}

export function nullMatrix({ rows, columns }: { rows: number; columns: number }): Matrix {
  const table = () => Array.from({ length: rows }, () => new Array<number | null>(columns).fill(null));
  return { metres: table(), seconds: table() };
}

export interface HttpEngineOptions {
  timeoutMs?: number;
}

/** Ten times the answer for a route across a continent. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Sends one request to a routing engine over HTTP; the caller interprets the status. */
export const askOverHttp = (
  url: string,
  { timeoutMs = 3000, post }: HttpEngineOptions & { post?: unknown },
): Promise<{ status: number; answer: unknown }> =>
  jsonOverHttp(url, {
    timeoutMs,
    post,
    bytesMax: ANSWER_BYTES_MAX,
    unavailable: (message, options) => new RoutingUnavailable(`the routing engine${message}`, options),
  });

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');
