import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { basic, client, type Json } from '../support/client.ts';
import { newDevice, type TestDevice } from '../support/device.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, assertRefused, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const pathOf = (driverId: number) => `/api/v2/operacao/condutores/${driverId}/trabalho/eventos`;
const headersOf = (user: string, key = 'demo-chave') => ({
  'api-key': key,
  authorization: basic(user, 'demo'),
});

/** A phone that is connected to live updates and has received its version. */
async function listen(t: TestContext, { driverId, cookie }: TestDevice) {
  const source = await openEventSource(t, malote.url + pathOf(driverId), { cookie });
  const received = (): Json[] => source.named('trabalho').map(({ data }) => data);
  const until = async (motive: string) => {
    await source.until(motive, () => received().some(({ motivo }) => motivo === motive));
    return received().find(({ motivo }) => motivo === motive);
  };
  await source.until('its version', () => received().length === 1);
  return { source, received, until };
}
const versionOf = async ({ phone, driverId }: TestDevice) =>
  assertOk(await phone.get(`/condutores/${driverId}/trabalho`)).body.data.versao;
const act = async (path: string, body: unknown = {}) => assertOk(await operator.post(path, body));

test('a phone gets its version, then each change of its work with the reason and the new version', async (t) => {
  const device = await newDevice(malote);
  const { received, until } = await listen(t, device);
  assert.deepEqual(received()[0], { versao: await versionOf(device), motivo: null });
  const delivery = await openDelivery(malote, {}, 2);
  await act(`/entregas/${delivery.id}/atribuir`, { condutor_id: device.driverId });
  assert.equal((await until('oferta')).versao, await versionOf(device));
  assertOk(await device.phone.post(`/entregas/${delivery.id}/aceitar`, {}));
  assert.equal((await until('entrega')).versao, await versionOf(device));
  assertOk(await malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  assert.equal((await until('cancelada')).versao, await versionOf(device));
});

test('the driver of an offer learns of its end, and of a delivery given up', async (t) => {
  const [first, second] = [await newDevice(malote), await newDevice(malote)];
  const [offered, other] = [await listen(t, first), await listen(t, second)];
  const delivery = await openDelivery(malote);
  await act(`/entregas/${delivery.id}/atribuir`, { condutor_id: first.driverId });
  await offered.until('oferta');
  await act(`/entregas/${delivery.id}/atribuir`, { condutor_id: second.driverId });
  await offered.until('oferta_encerrada');
  await other.until('oferta');
  assertOk(await second.phone.post(`/entregas/${delivery.id}/aceitar`, {}));
  await other.until('entrega');
  assertOk(await second.phone.post(`/entregas/${delivery.id}/desistir`, {}));
  await other.until('alterada');
  assert.deepEqual(
    offered.received().map(({ motivo }) => motivo),
    [null, 'oferta', 'oferta_encerrada'],
  );
});

test('a stop that is grouped in and a change of duty are announced', async (t) => {
  const device = await newDevice(malote);
  const delivery = await openDelivery(malote);
  await act(`/entregas/${delivery.id}/aceitar`, { condutor_id: device.driverId });
  await act(`/entregas/${delivery.id}/iniciar`);
  const { until } = await listen(t, device);
  const other = await start(malote, at(3));
  assertOk(await groupDeliveries(malote, delivery.id, [other]));
  await until('parada_agrupada');
  await act(`/condutores/${device.driverId}/disponibilidade`, { disponivel: false });
  await until('disponibilidade');
});

test('nothing of other drivers and other centrals is announced', async (t) => {
  const device = await newDevice(malote);
  const { received, until } = await listen(t, device);
  const delivery = await openDelivery(malote);
  await act(`/entregas/${delivery.id}/aceitar`, { condutor_id: (await newDevice(malote)).driverId });
  await act(`/condutores/${device.driverId}/disponibilidade`, { disponivel: false });
  await until('disponibilidade');
  assert.deepEqual(
    received().map(({ motivo }) => motivo),
    [null, 'disponibilidade'],
  );
});

test('the stream of a phone ends when an operator ends the phone', async (t) => {
  const device = await newDevice(malote);
  const { source } = await listen(t, device);
  const [{ id }] = assertOk(await operator.get(`/condutores/${device.driverId}/aparelhos`)).body.data;
  assertOk(await operator.delete(`/condutores/${device.driverId}/aparelhos/${id}`));
  await source.until('the end', () => source.isOver());
});

test('the streams of a driver’s phones end when the driver is deactivated', async (t) => {
  const device = await newDevice(malote);
  const { source } = await listen(t, device);
  const path = `/condutores/${device.driverId}`;
  const driver = assertOk(await operator.get(path)).body.data;
  assertOk(await operator.put(path, { ...driver, ativo: false }));
  await source.until('the end', () => source.isOver());
});

test('an entry in the account is announced, and none of another driver', async (t) => {
  const [device, other] = [await newDevice(malote), await newDevice(malote)];
  const { received, until } = await listen(t, device);
  const { received: ofOther } = await listen(t, other);
  const entry = { tipo: 'ajuste', valor: '5.00', motivo: 'Gorjeta' };
  await act(`/condutores/${device.driverId}/lancamentos`, entry);
  assert.equal((await until('conta')).versao, await versionOf(device));
  assert.equal(received().length, 2);
  assert.equal(ofOther().length, 1);
});

test('an operator may listen too; other drivers, managers and strangers may not', async (t) => {
  const device = await newDevice(malote);
  const seen = await openEventSource(t, malote.url + pathOf(device.driverId), headersOf('central'));
  await seen.until('the version', () => seen.named('trabalho').length === 1);
  const ask = (user: string, key?: string) =>
    client(malote.url, { key: key ?? 'demo-chave', user, password: 'demo' }).get(pathOf(device.driverId));
  assertRefused(await ask('condutor1'), 404, /entregador não encontrado/);
  assertRefused(await ask('vizinha', 'demo-vizinha'), 404, /entregador não encontrado/);
  assertRefused(await ask('gerente'), 403, /permissão/);
});
