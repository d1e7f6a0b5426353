import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed } from '../command.ts';
import { Deviation, expect } from './deviation.ts';

export interface Login {
  key: string;
  user: string;
  password: string;
}

/** Parsed JSON that a server sent: nothing is known of it. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined where the answer is no JSON. */
  body: Json;
}

export type Send = (request: Request) => Promise<Answer>;

const TIMEOUT_MS = 60_000;
const TURNS_MAX = 4;
const WAIT_SECONDS_MAX = 70;

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Sends as one login. A server that asks for a pause gets it, because limits are no deviation. */
export function sender(base: string, { key, user, password }: Login): Send {
  return async ({ method, path, body, headers = {} }) => {
    const all = {
      'api-key': key,
      authorization: basic(user, password),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    for (let turn = 1; ; turn += 1) {
      const answer = await fetchOnce(base + path, {
        method,
        headers: Object.fromEntries(sent),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy || turn === TURNS_MAX) return answer;
      const seconds = Number(answer.headers.get('retry-after') ?? 1);
      await sleep(1000 * Math.min(WAIT_SECONDS_MAX, Number.isFinite(seconds) ? Math.max(1, seconds) : 1));
    }
  };
}

async function fetchOnce(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  } catch (error) {
    const { cause, message } = error as Error;
    throw new CommandFailed(`no answer from ${url}: ${cause instanceof Error ? cause.message : message}`);
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SHOWN_MAX = 160;

const shown = ({ status, text }: Answer): string =>
  `${status} ${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}`;

/** Contract 7.1: a success has `success: true`. */
export function expectSuccess(answer: Answer): Json {
  expect(answer.status === 200, `expected 200, got ${shown(answer)}`);
  expect(answer.body?.success === true, `a success has success: true, got ${shown(answer)}`);
  return answer.body;
}

interface Refused {
  status: number;
  code: number;
  /** The field that a message of the form 'field': problem must name. */
  field?: string | undefined;
}

/** Contract 7.1: the envelope of a failure, with this status and code. */
export function expectRefusal(answer: Answer, { status, code, field }: Refused): void {
  expect(answer.status === status, `expected ${status}, got ${shown(answer)}`);
  const { body } = answer;
  expect(body?.success === false, `a failure has success: false, got ${shown(answer)}`);
  expect(
    Array.isArray(body.errors) && body.errors.length > 0,
    `errors is a list of at least one, got ${shown(answer)}`,
  );
  for (const error of body.errors as Json[]) {
    expect(Number.isInteger(error?.code), `code is an integer, got ${shown(answer)}`);
    expect(
      typeof error.message === 'string' && error.message !== '',
      `message is a text, got ${shown(answer)}`,
    );
  }
  expect(
    (body.errors as Json[]).every((error) => error.code === code),
    `expected code ${code}, got ${shown(answer)}`,
  );
  if (field === undefined) return;
  const names = (body.errors as Json[]).map(({ message }) => /^'([^']+)': ./.exec(message)?.[1]);
  expect(
    names.some((name) => name !== undefined && isNamed(name, field)),
    `a message names '${field}', got ${shown(answer)}`,
  );
}

/** A mistake in an object may be reported at the object, or at the field within. */
const isNamed = (name: string, field: string): boolean =>
  name === field || name.endsWith(`.${field}`) || isWithin(name, field) || isWithin(field, name);

const isWithin = (inner: string, outer: string): boolean =>
  inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

/** What must be an object or a list before its fields can be read. */
export function dataOf(answer: Answer): Json {
  const { data } = expectSuccess(answer);
  if (data === undefined) throw new Deviation(`the answer has no data: ${shown(answer)}`);
  return data;
}
