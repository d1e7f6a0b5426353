import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { recipientStreamLimits, STREAMS_MAX } from '../../server/src/api/http/streamLimits.ts';
import { basic } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const malote = await startMalote({ behindProxy: true });
const { operator, central, url } = malote;

const watch = (t: TestContext, user: string, address = '198.51.100.1') =>
  openEventSource(t, `${url}/api/v2/operacao/eventos`, {
    'api-key': 'demo-chave',
    authorization: basic(user, 'demo demo'),
    'x-forwarded-for': address,
  });

const newUser = async (usuario: string, fields: Record<string, unknown>) =>
  assertOk(await operator.post('/usuarios', { usuario, senha: 'demo demo', ...fields }));

const countOf = (streams: readonly { status: number }[], status: number) =>
  streams.filter((stream) => stream.status === status).length;

test('the streams of a login are limited, and other logins still get theirs', async (t) => {
  await newUser('guloso', { perfil: 'operador' });
  await newUser('modesto', { perfil: 'operador' });
  // The password is verified beforehand, so that all requests arrive at the same time.
  assert.equal((await watch(t, 'guloso')).status, 200);
  const streams = await Promise.all(Array.from({ length: 70 }, () => watch(t, 'guloso')));
  assert.equal(countOf(streams, 200), 49);
  assert.equal(countOf(streams, 429), 21);
  assert.equal((await watch(t, 'modesto')).status, 200);
});

test('a company has so many streams at most, however many users it has', async (t) => {
  for (const usuario of ['g1', 'g2', 'g3']) {
    await newUser(usuario, { perfil: 'gerente', empresa_id: 1 });
    assert.equal((await watch(t, usuario)).status, 200);
  }
  const streams = await Promise.all(
    Array.from({ length: 120 }, (_, index) => watch(t, `g${(index % 3) + 1}`)),
  );
  assert.equal(countOf(streams, 200), 97);
  assert.equal(countOf(streams, 429), 23);
});

test('recipients behind one address have so many streams at most, and those elsewhere still get theirs', async (t) => {
  const links: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { id } = await openDelivery(malote);
    const { data } = assertOk(await central.get(`/entregas/${id}/links-rastreio`)).body;
    links.push(new URL(data[0].link_rastreio).pathname);
  }
  const follow = (index: number, address: string) =>
    openEventSource(t, `${url}${links[index % links.length]}/eventos`, { 'x-forwarded-for': address });
  const streams = await Promise.all(Array.from({ length: 220 }, (_, index) => follow(index, '203.0.113.9')));
  assert.equal(countOf(streams, 200), 200);
  assert.equal(countOf(streams, 429), 20);
  assert.equal((await follow(0, '203.0.113.10')).status, 200);
  assert.equal((await watch(t, 'modesto')).status, 200);
});

test('recipients together never take what is kept for logins', () => {
  const limits = recipientStreamLimits({ centralId: 1, token: 'x', networks: ['a'] });
  const all = limits.find(({ key }) => key === 'recipients');
  assert.ok(all && all.max < STREAMS_MAX);
  // One central cannot use up the others' share.
  assert.ok(limits.find(({ key }) => key === 'recipients of 1')!.max < all.max);
});
