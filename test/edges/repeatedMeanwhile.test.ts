import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  estimatorFor,
  estimatorRouters,
  type Router,
  RoutingUnavailable,
} from '../../server/src/routing/router.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

interface Question {
  asked: PromiseWithResolvers<void>;
  answer: PromiseWithResolvers<'answered' | 'failed'>;
}

/** The next questions to the router, in their order; further ones are answered. */
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
    if ((await question?.answer.promise) === 'failed') throw new RoutingUnavailable('told to fail');
    return router.matrix(points, profile);
  },
});

const malote = await startMalote({
  routers: { ...estimatorRouters, forEstimates: (settings) => held(estimatorFor(settings)) },
});
const { manager } = malote;

test('a repetition that is refused while the first attempt runs gets the answer of the first', async () => {
  const [ofFirst, ofSecond] = [next(), next()];
  const send = () => manager.post('/entregas', order(), { 'idempotency-key': 'repetida' });
  const first = send();
  await ofFirst.asked.promise;
  const second = send();
  await ofSecond.asked.promise;
  ofSecond.answer.resolve('failed');
  // The refusal of the repetition is known before the first attempt goes on.
  await manager.get('/entregas/1/status');
  ofFirst.answer.resolve('answered');
  const { text } = assertOk(await first);
  assert.equal(assertOk(await second).text, text);
});

test('a repetition and a first attempt that are both refused are both told so', async () => {
  const [ofFirst, ofSecond] = [next(), next()];
  const send = () => manager.post('/entregas', order(), { 'idempotency-key': 'recusada' });
  const first = send();
  await ofFirst.asked.promise;
  const second = send();
  await ofSecond.asked.promise;
  for (const { answer } of [ofSecond, ofFirst]) answer.resolve('failed');
  for (const answer of [await first, await second]) assertRefused(answer, 422, /calcular a estimativa/);
  assertOk(await send());
});
