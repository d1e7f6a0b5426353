import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthenticationError, ConnectionError, ForbiddenError, Malote } from '../../client/src/index.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const operator = malote.operator;

async function newProgram(permissions: string[] = ['watch', 'order']): Promise<Json> {
  const body = { descricao: `Programa ${Math.random()}`, permissoes: permissions };
  return assertOk(await operator.post('/programas', body)).body.data;
}

/** Records the requests by their last part, and the bearer tokens. */
function listening(change: (path: string, answer: Response) => Response = (_, answer) => answer) {
  const asked: string[] = [];
  const bearers: (string | null)[] = [];
  const send: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname;
    asked.push(path.split('/').at(-1)!);
    bearers.push(new Headers(init?.headers).get('authorization'));
    return change(path, await fetch(input, init));
  };
  const tokensAsked = () => asked.filter((last) => last === 'token').length;
  return { asked, bearers, tokensAsked, fetch: send };
}
const program = ({ id, token }: Json, send: typeof fetch) =>
  new Malote({ url: malote.url, clientId: id, clientSecret: token, fetch: send });

test('a token of a program is enough to call', async () => {
  const { token } = await newProgram();
  const shop = new Malote({ url: malote.url, token });
  const { id_mch: id } = await shop.criarEntrega({ ...(order() as Json), empresa_id: 1 });
  assert.equal((await shop.obterStatus(id)).status, 'D');
});

test('calls at the same time share one request for an access token, and so do later calls', async () => {
  const made = await newProgram();
  const { fetch, tokensAsked, bearers } = listening();
  const shop = program(made, fetch);
  await Promise.all(Array.from({ length: 5 }, () => shop.listarAreasAtuacao()));
  await shop.listarAreasAtuacao();
  assert.equal(tokensAsked(), 1);
  const sent = new Set(bearers.filter((bearer) => bearer !== null));
  assert.equal(sent.size, 1);
  assert.doesNotMatch([...sent][0]!, new RegExp(made.token));
});

test('a token is renewed before it ends', async () => {
  const short = (path: string, answer: Response) =>
    path.endsWith('/token') ? withBody(answer, { expires_in: 0.05 }) : answer;
  const { fetch, tokensAsked } = listening(short);
  const shop = program(await newProgram(), fetch);
  await shop.listarAreasAtuacao();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await shop.listarAreasAtuacao();
  assert.equal(tokensAsked(), 2);
});

/** The answer with other fields. */
function withBody(answer: Response, fields: object): Response {
  const body = answer.text().then((text) => JSON.stringify({ ...JSON.parse(text), ...fields }));
  return new Response(
    new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode(await body));
        stream.close();
      },
    }),
    { status: answer.status },
  );
}

test('a token that the service refuses is replaced once, and the write is done once', async () => {
  const { fetch, tokensAsked, asked } = listening();
  const shop = program(await newProgram(), fetch);
  await shop.listarAreasAtuacao();
  malote.clock.advance({ minutes: 61 });
  const { id_mch: id } = await shop.criarEntrega({ ...(order() as Json), empresa_id: 1 });
  assert.ok(id);
  assert.equal(tokensAsked(), 2);
  assert.deepEqual(asked.slice(-3), ['entregas', 'token', 'entregas']);
});

test('a program that is out gets no further than one new token', async () => {
  const refused = (path: string, answer: Response) =>
    path.endsWith('/token') ? answer : new Response('{}', { status: 401 });
  const { fetch, tokensAsked } = listening(refused);
  await assert.rejects(program(await newProgram(), fetch).listarAreasAtuacao(), AuthenticationError);
  assert.equal(tokensAsked(), 2);
});

test('a wrong secret is an error of authentication that says so', async () => {
  const made = await newProgram();
  const { fetch, asked } = listening();
  const wrong = program({ ...made, token: `${made.token}x` }, fetch);
  await assert.rejects(wrong.listarAreasAtuacao(), (error) => {
    assert.ok(error instanceof AuthenticationError);
    assert.match(error.message, /invalid_client: client_id is the id of the program/);
    return true;
  });
  assert.deepEqual(asked, ['token']);
});

test('a service that gives no token for a moment is asked again', async () => {
  let count = 0;
  const busy = (path: string, answer: Response) => {
    if (!path.endsWith('/token')) return answer;
    count++;
    if (count === 1) throw new TypeError('fetch failed');
    return count === 2 ? new Response('', { status: 503, headers: { 'retry-after': '0' } }) : answer;
  };
  const { fetch, tokensAsked } = listening(busy);
  await program(await newProgram(), fetch).listarAreasAtuacao();
  assert.equal(tokensAsked(), 3);
});

test('one who stops waiting for a token does not stop the others', async () => {
  const made = await newProgram();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const slow: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/token')) await answered;
    return fetch(input, init);
  };
  const shop = program(made, slow);
  const giveUp = new AbortController();
  const first = shop.listarAreasAtuacao({ signal: giveUp.signal });
  const second = shop.listarAreasAtuacao();
  giveUp.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
  answer();
  assert.ok((await second).length > 0);
});

test('fewer permissions may be asked for', async () => {
  const { id, token } = await newProgram();
  const reader = new Malote({ url: malote.url, clientId: id, clientSecret: token, scopes: ['watch'] });
  assert.ok((await reader.consultarEntregas()).length >= 0);
  await assert.rejects(reader.criarEntrega({ ...(order() as Json), empresa_id: 1 }), (error) => {
    assert.ok(error instanceof ForbiddenError);
    assert.equal(error.kind, 'scope-missing');
    return true;
  });
});

test('while no new token is to be had, one that still works is used', async () => {
  const { fetch } = listening((path, answer) => {
    if (!path.endsWith('/token')) return answer;
    if (count++ > 0) throw new TypeError('fetch failed');
    return withBody(answer, { expires_in: 600 });
  });
  let count = 0;
  const shop = program(await newProgram(), fetch);
  await shop.listarAreasAtuacao();
  const { now } = Date;
  try {
    // In the last minute.
    Date.now = () => now() + 570_000;
    await shop.listarAreasAtuacao();
    Date.now = () => now() + 700_000;
    await assert.rejects(shop.listarAreasAtuacao({ totalTimeoutMs: 300 }), ConnectionError);
  } finally {
    Date.now = now;
  }
});
