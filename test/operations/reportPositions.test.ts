import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;
const path = '/condutores/posicoes';
const ago = (seconds: number) => clock.now().subtract({ seconds }).toString();
const at = (lat: number, secondsAgo: number) => ({ lat, lng: -51.2, em: ago(secondsAgo) });
const lastOf = async (driverId: number) => {
  const [row] = await db<{ lat: number; at: Temporal.Instant }>`
    select lat, at from driver_positions where central_id = 1 and driver_id = ${driverId}`;
  return row!;
};

test('in a batch of any order the newest position by its own time is the last one', async () => {
  const { driverId, phone } = await newDevice(malote);
  const posicoes = [at(-30.1, 40), at(-30.3, 5), at(-30.2, 20), at(-30.2, 20)];
  const answer = assertOk(await phone.post(path, { posicoes }));
  assert.deepEqual(answer.body.data, { recebidas: 4 });
  assert.equal((await lastOf(driverId)).lat, -30.3);
  assert.ok((await lastOf(driverId)).at.equals(Temporal.Instant.from(ago(5))));
});

test('a position held back for more than a minute does not replace a newer one', async () => {
  const { driverId, phone } = await newDevice(malote);
  assertOk(await phone.post(path, { posicoes: [at(-30.5, 1)] }));
  assertOk(await phone.post(path, { posicoes: [at(-30.4, 3600), at(-30.41, 600)] }));
  assert.equal((await lastOf(driverId)).lat, -30.5);
  assertOk(await phone.post(path, { posicoes: [at(-30.6, 0)] }));
  assert.equal((await lastOf(driverId)).lat, -30.6);
});

test('a time in the future is taken for now, so that a wrong clock does not freeze the driver', async () => {
  const { driverId, phone } = await newDevice(malote);
  assertOk(await phone.post(path, { posicoes: [at(-30.7, -86_400)] }));
  assert.ok((await lastOf(driverId)).at.equals(clock.now()));
  clock.advance({ seconds: 5 });
  assertOk(await phone.post(path, { posicoes: [at(-30.8, 0)] }));
  assert.equal((await lastOf(driverId)).lat, -30.8);
});

test('battery and version are kept with the phone that sent them', async () => {
  const { driverId, phone } = await newDevice(malote);
  const device = async () =>
    assertOk(await operator.get(`/condutores/${driverId}/aparelhos`)).body.data.map(
      ({ bateria, versao }: { bateria: number; versao: string }) => [bateria, versao],
    );
  assertOk(await phone.post(path, { posicoes: [at(-30, 0)], bateria: 64, versao: '1.4.0' }));
  assert.deepEqual(await device(), [[64, '1.4.0']]);
  assertOk(await phone.post(path, { posicoes: [at(-30, 0)], bateria: 63 }));
  assert.deepEqual(await device(), [[63, '1.4.0']]);
  assertOk(await phone.post(path, { posicoes: [at(-30, 0)] }));
  assert.deepEqual(await device(), [[63, '1.4.0']]);
  // A battery level that an operator sends does not refer to a phone.
  assertOk(await operator.post(path, { condutor_id: driverId, posicoes: [at(-30, 0)], bateria: 1 }));
  assert.deepEqual(await device(), [[63, '1.4.0']]);
});

test('phones that report at the same moment each keep their own', async () => {
  const phones = await Promise.all([newDevice(malote), newDevice(malote), newDevice(malote)]);
  const answers = await Promise.all(
    phones.map(({ phone }, index) =>
      phone.post(path, { posicoes: [at(-30 - index / 10, 0)], bateria: 10 + index }),
    ),
  );
  answers.forEach(assertOk);
  for (const [index, { driverId }] of phones.entries()) {
    assert.equal((await lastOf(driverId)).lat, -30 - index / 10);
    const [device] = assertOk(await operator.get(`/condutores/${driverId}/aparelhos`)).body.data;
    assert.equal(device.bateria, 10 + index);
  }
});

test('500 positions are taken, 501, none and odd ones are refused', async () => {
  const { phone } = await newDevice(malote);
  const many = (count: number) => ({ posicoes: Array.from({ length: count }, (_, index) => at(-30, index)) });
  assert.equal(assertOk(await phone.post(path, many(500))).body.data.recebidas, 500);
  for (const body of [
    many(501),
    many(0),
    { posicoes: [{ lat: 91, lng: 0, em: ago(0) }] },
    { posicoes: [{ lat: 0, lng: 0, em: 'ontem' }] },
    { ...many(1), bateria: 101 },
    { ...many(1), versao: 'x'.repeat(21) },
  ])
    assert.equal((await phone.post(path, body)).status, 400, JSON.stringify(body).slice(0, 80));
});

test('a driver reports for itself; an operator names the driver, within its central', async () => {
  const { driverId, phone } = await newDevice(malote);
  const posicoes = [at(-30, 0)];
  assertRefused(await phone.post(path, { condutor_id: 1, posicoes }), 404, /entregador não encontrado/);
  assert.equal((await operator.post(path, { posicoes })).status, 400);
  assertOk(await operator.post(path, { condutor_id: driverId, posicoes }));
  const login = (user: string, key: string) =>
    client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
  const foreign = await login('vizinha', 'demo-vizinha').post(path, { condutor_id: driverId, posicoes });
  const absent = await operator.post(path, { condutor_id: 77_777_777, posicoes });
  assertRefused(absent, 404, /entregador não encontrado/);
  assert.equal(foreign.text, absent.text);
  assertRefused(await login('gerente', 'demo-chave').post(path, { posicoes }), 403, /permissão/);
  assert.ok(await newDriver(malote));
});
