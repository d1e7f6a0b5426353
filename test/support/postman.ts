import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { type Answer, basic, client, type Json, type Login } from './client.ts';

export interface SentRequest {
  /** With the names of its folders. */
  name: string;
  request: Json;
  /** The example answer; undefined if it is not JSON. */
  example: Json;
  code: number;
  auth: Json;
  prepare: string;
  script: string;
}

export interface PreparedRequest {
  address: string;
  login: Login;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export interface PostmanRun {
  /** In the order of the collection. */
  requests: readonly SentRequest[];
  variables: Readonly<Record<string, string>>;
  /** Runs the script before a request, and returns what is to be sent. */
  prepared(item: SentRequest): Promise<PreparedRequest>;
  /** Runs the script after a request, which keeps ids for the following ones. */
  keep(item: SentRequest, answer: Answer): void;
  /** Sends a request as Postman does, with the scripts before and after it. */
  send(item: SentRequest): Promise<Answer>;
}

/** Interprets what the service's collection uses of Postman: variables, logins, and scripts that send and keep. */
export function postmanRun(collection: Json): PostmanRun {
  const variables: Record<string, string> = Object.fromEntries(
    collection.variable.map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
  );
  const filled = (text: string): string =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return crypto.randomUUID();
      assert.ok(name in variables, `no variable ${name}`);
      return variables[name]!;
    });

  const pm = (answer?: Answer) => ({
    ...(answer && { response: { code: answer.status, json: () => answer.body } }),
    collectionVariables: {
      get: (key: string) => variables[key],
      set(key: string, value: string) {
        assert.ok(key in variables, `no variable ${key}`);
        if (key.endsWith('_id')) assert.match(value, /^\d+$/, key);
        variables[key] = value;
      },
    },
    variables: { replaceIn: filled },
  });

  /** The script is over when the last of its requests was answered. */
  async function prepare(name: string, script: string): Promise<void> {
    const open: Promise<void>[] = [];
    const sendRequest = (asked: Json, onAnswer: (error: unknown, answer: Json) => void) => {
      const { url, method, header, body } = asked;
      open.push(
        fetch(url, { method, headers: header, ...(body && { body: body.raw }) }).then(async (answer) => {
          const text = await answer.text();
          assert.ok(answer.ok, `before ${name}: ${method} ${url}: ${answer.status} ${text}`);
          onAnswer(null, { code: answer.status, json: () => JSON.parse(text) });
        }),
      );
    };
    runInNewContext(script, { pm: { ...pm(), sendRequest }, btoa, JSON });
    for (let request = open.shift(); request; request = open.shift()) await request;
  }

  async function prepared({ name, request, auth, prepare: before }: SentRequest): Promise<PreparedRequest> {
    await prepare(name, before);
    const ids = Object.fromEntries(
      (request.url.variable ?? []).map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
    );
    const address = filled(request.url.raw).replace(/(?<=\/):(\w+)/g, (_, id: string) => filled(ids[id]!));
    const headers = Object.fromEntries(
      request.header.map(({ key, value }: Record<'key' | 'value', string>) => [key, filled(value)]),
    );
    const credential = (key: string) => filled(auth.basic.find((field: Json) => field.key === key).value);
    const login = {
      key: headers['api-key']!,
      user: credential('username'),
      password: credential('password'),
    };
    const body: string | undefined = request.body?.raw && filled(request.body.raw);
    return { address, login, headers, body };
  }

  const keep = ({ script }: SentRequest, answer: Answer) => runInNewContext(script, { pm: pm(answer) });

  async function send(item: SentRequest): Promise<Answer> {
    const { address, login, headers, body } = await prepared(item);
    const { method, url } = item.request;
    if (/\/eventos(\?|$)/.test(url.raw)) return live(address, login);
    const answer = await client('', login).send(address, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    keep(item, answer);
    return answer;
  }
  return { requests: requestsIn(collection, [], collection.auth), variables, prepared, keep, send };
}

/** A stream does not end: its head is the answer. */
async function live(address: string, { key, user, password }: Login): Promise<Answer> {
  const stop = new AbortController();
  const headers = { 'api-key': key, authorization: basic(user, password) };
  const answer = await fetch(address, { headers, signal: stop.signal });
  stop.abort();
  return { status: answer.status, text: '', body: undefined, headers: answer.headers };
}

const exampleOf = ({ header, body }: Json): Json =>
  header[0].value === 'application/json' && body ? JSON.parse(body) : undefined;

const scriptOf = (item: Json, listen: string): string =>
  (item.event?.find((event: Json) => event.listen === listen)?.script.exec ?? []).join('\n');

const requestsIn = (item: Json, path: string[], auth: Json): SentRequest[] =>
  item.request
    ? [
        {
          name: [...path, item.name].join(' › '),
          request: item.request,
          auth: item.request.auth ?? auth,
          code: item.response[0].code,
          example: exampleOf(item.response[0]),
          prepare: scriptOf(item, 'prerequest'),
          script: scriptOf(item, 'test'),
        },
      ]
    : item.item.flatMap((child: Json) =>
        requestsIn(child, item.info ? path : [...path, item.name], child.auth ?? auth),
      );
