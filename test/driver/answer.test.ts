import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../web/driver/src/core/answer.ts';

const errors = [{ code: 2, message: 'Fora de ordem.' }];
const answer = (
  status: number,
  headers: Record<string, string> = {},
  body: unknown = { success: false, errors },
) => answerOf(new Response(status === 304 ? null : JSON.stringify(body), { status, headers }));
const kindOf = async (status: number, headers: Record<string, string> = {}) =>
  (await answer(status, headers)).kind;
const own = { 'x-error-kind': 'step-out-of-order' };

test('only what the service itself says of a request settles it', async () => {
  for (const status of [400, 403, 404, 409, 410, 413, 415, 422]) {
    assert.equal(await kindOf(status, own), 'refused', String(status));
    assert.equal(await kindOf(status), 'unreached', `${status} of a proxy`);
  }
  assert.deepEqual(await answer(422, own), {
    kind: 'refused',
    refusal: { kind: 'step-out-of-order', messages: ['Fora de ordem.'] },
  });
  assert.equal(await kindOf(401, { 'x-error-kind': 'bad-credentials' }), 'signed-out');
  assert.equal((await answer(200, {}, { success: true, data: 1 })).kind, 'ok');
  assert.equal((await answerOf(new Response('<html>', { status: 200 }))).kind, 'unreached');
  const date = 'Mon, 16 Nov 2026 15:00:00 GMT';
  const unchanged = await answerOf(new Response(null, { status: 304, headers: { date } }));
  assert.deepEqual(unchanged, { kind: 'unchanged', date });
});

test('a request that came too slowly, too often or to a service in trouble is sent again', async () => {
  for (const status of [408, 429, 500, 502, 503, 504])
    assert.equal(await kindOf(status, { 'x-error-kind': 'invalid-input' }), 'busy', String(status));
  assert.deepEqual(await answer(429, { 'retry-after': '7' }), { kind: 'busy', afterMs: 7_000 });
});
