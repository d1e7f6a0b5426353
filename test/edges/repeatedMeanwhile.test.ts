import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { type Router, RoutingUnavailable } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters, type Routers } from '../../server/src/geo/routing/routers.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

interface Question {
  asked: PromiseWithResolvers<void>;
  answer: PromiseWithResolvers<'answered' | 'failed'>;
}

/** The next requests to the router, in order; later ones are answered. */
const questions: Question[] = [];

const next = (): Question => {
  const question = {
    asked: Promise.withResolvers<void>(),
    answer: Promise.withResolvers<'answered' | 'failed'>(),
  };
  questions.push(question);
  return question;
};

const held = (router: Router): Router => ({
  ...router,
  async matrix(points, profile) {
    const question = questions.shift();
    question?.asked.resolve();
    if ((await question?.answer.promise) === 'failed')
      throw new RoutingUnavailable('fails as the test demands');
    return router.matrix(points, profile);
  },
});

const routers: Routers = { ...estimatorRouters, forEstimates: (settings) => held(estimatorFor(settings)) };
const malote = await startMalote({ routers });
const { manager } = malote;

/** A request and its repetition, both waiting for the router. */
async function sendTwice(key: string) {
  const questions = { first: next(), second: next() };
  const send = () => manager.post('/entregas', order(), { 'idempotency-key': key });
  const first = send();
  await questions.first.asked.promise;
  const second = send();
  await questions.second.asked.promise;
  return { first, second, send, questions };
}

test('a repetition that is refused while the first attempt runs gets the answer of the first', async () => {
  const { first, second, questions } = await sendTwice('repetida');
  questions.second.answer.resolve('failed');
  // The repetition is refused before the first attempt continues.
  await manager.get('/entregas/1/status');
  questions.first.answer.resolve('answered');
  const { text } = assertOk(await first);
  assert.equal(assertOk(await second).text, text);
});

test('a repetition and a first attempt that are both refused both get the refusal', async () => {
  const { first, second, send, questions } = await sendTwice('recusada');
  for (const { answer } of [questions.second, questions.first]) answer.resolve('failed');
  for (const answer of [await first, await second]) assertRefused(answer, 422, /calcular a estimativa/);
  assertOk(await send());
});

test('a repetition at another process is refused by itself, and sent again gets the answer of the first', async (t) => {
  const { connection, clock } = malote;
  const { isDistributed } = malote.db;
  const db = openDatabase({ connection, poolSize: 4, onError: () => undefined, isDistributed });
  const app = await buildApp({ db, clock, log: pino({ level: 'silent' }), routers });
  t.after(async () => {
    await app.close();
    await db.close();
  });
  const elsewhere = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const login = { key: 'demo-chave', user: 'gerente', password: 'demo' };
  const other = client(`${elsewhere}/api/v2/integracao`, login);
  const [atFirst, atOther] = [next(), next()];
  const send = (to: typeof manager) =>
    to.post('/entregas', order(), { 'idempotency-key': 'noutro processo' });
  const first = send(manager);
  await atFirst.asked.promise;
  const second = send(other);
  await atOther.asked.promise;
  atOther.answer.resolve('failed');
  assertRefused(await second, 422, /calcular a estimativa/);
  atFirst.answer.resolve('answered');
  const { text } = assertOk(await first);
  assert.equal(assertOk(await send(other)).text, text);
});
