import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { recordLimits } from '../../server/src/centrals/centralStore.ts';

// Loaded by its address: the compiler of tests knows no browser.
const { ApiError, call, isUndecided, readAll } = (await import(
  new URL('../../web/console/src/api.ts', import.meta.url).href
)) as {
  ApiError: new () => Error;
  call(api: string, operation: string, given: object): Promise<unknown>;
  isUndecided(error: unknown): boolean;
  readAll<T>(readPage: (given: { query: { pagina: number; limite: number } }) => Promise<T[]>): Promise<T[]>;
};

// The browser features that the console's API client uses: a document with a language, and addresses without a host.
Object.assign(globalThis, { document: { documentElement: { lang: 'pt-BR' } } });

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const keys: (string | undefined)[] = [];
const server = createServer((request, response) => {
  keys.push(request.headers['idempotency-key'] as string | undefined);
  answer(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { fetch: fetchWhole } = globalThis;
after(() => {
  server.close();
  globalThis.fetch = fetchWhole;
  Reflect.deleteProperty(globalThis, 'document');
});
globalThis.fetch = (path, init) =>
  fetchWhole(`http://127.0.0.1:${(server.address() as AddressInfo).port}${String(path)}`, init);

const release = () => call('operacao', 'POST /entregas/{id}/liberar', { id: '1' });

async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  return assert.fail('it was taken for done');
}

const html = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<html>not the service</html>');

const isDone = (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');

/** The rest of the answer never arrives. */
const isCut = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"success":', () => response.socket?.destroy());
};

for (const [what, wrong] of [
  ['of a proxy that does not reach the service', html(502)],
  ['of a network that shows its own page', html(200)],
  ['whose rest is lost on the way', isCut],
] as const)
  test(`an answer ${what} is told in words, and the same write is sent again, as the same one`, async () => {
    keys.length = 0;
    answer = wrong;
    const failure = await failureOf(release());
    assert.ok(failure instanceof ApiError);
    assert.match(
      failure.message,
      /^O serviço não deu uma resposta completa \(HTTP \d+\)\. Nada foi perdido: tente/,
    );
    assert.ok(isUndecided(failure));
    answer = isDone;
    await release();
    assert.equal(keys.length, 2);
    assert.ok(keys[0]);
    assert.equal(keys[0], keys[1], 'it has the same key');
    await release();
    assert.notEqual(keys[2], keys[0], 'what is done is done, and the next one is another');
  });

test('the console reads a register whole, also with as many entries as a central may have', async () => {
  const max = Math.max(...Object.values(recordLimits));
  const entries = Array.from({ length: max }, (_, index) => index);
  const read = await readAll(async ({ query: { pagina, limite } }) =>
    entries.slice((pagina - 1) * limite, pagina * limite),
  );
  assert.deepEqual(read, entries);
});
