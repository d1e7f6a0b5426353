import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, newDriver, openDelivery, type TestDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { manager, operator } = malote;

const addressesOf = async ({ id }: TestDelivery): Promise<string[]> => {
  const { data } = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body;
  return data.map((row: { link_rastreio: string }) => `${row.link_rastreio}/eventos`);
};
const watch = (t: TestContext, url: string, headers: Record<string, string> = {}) =>
  openEventSource(t, url, headers);
const step = async ({ id }: TestDelivery, path: string, body: unknown = {}) =>
  assertOk(await operator.post(`/entregas/${id}/${path}`, body));
const listening = (count: number) =>
  waitUntil(`${count} are listening`, () => malote.app.deps.live.readers() === count);

test('the recipient of a stop is told how its delivery goes on, until it has arrived', async (t) => {
  const delivery = await openDelivery(malote, {}, 2);
  const [, second] = await addressesOf(delivery);
  const source = await watch(t, second!);
  await source.until('it is told at once', ({ length }) => length === 1);
  assert.deepEqual(source.messages[0]?.data, {
    status: 'D',
    na_coleta: false,
    paradas_antes: 1,
    concluida_em: null,
    nao_entregue: false,
    tentativas: 0,
    foto: false,
    posicao: null,
  });
  await listening(1);
  const driverId = await newDriver(malote);
  await step(delivery, 'aceitar', { condutor_id: driverId });
  await source.until('it was accepted', () => source.messages.at(-1)?.data.status === 'A');
  await step(delivery, 'iniciar');
  await source.until('it is on its way', () => source.messages.at(-1)?.data.status === 'E');
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat: -30.04, lng: -51.22 }));
  await source.until('the driver is seen', () => source.messages.at(-1)?.data.posicao !== null);
  assert.deepEqual(source.messages.at(-1)?.data.posicao, {
    lat: -30.04,
    lng: -51.22,
    em: '2026-11-16T15:00:00Z',
  });
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`);
  await source.until('it is the next one', () => source.messages.at(-1)?.data.paradas_antes === 0);
  await step(delivery, `paradas/${delivery.stopIds[1]}/concluir`);
  await waitUntil('it is over', source.isOver);
  assert.deepEqual(source.messages.at(-1), {
    id: source.messages.at(-1)?.id,
    event: 'parada',
    data: {
      status: 'F',
      na_coleta: false,
      paradas_antes: 0,
      concluida_em: '2026-11-16T15:00:00Z',
      nao_entregue: false,
      tentativas: 0,
      foto: false,
      posicao: null,
    },
  });
  for (const headers of [{}, { 'last-event-id': source.messages.at(-1)!.id! }])
    assert.equal((await watch(t, second!, headers)).status, 204, 'whoever comes now is told to stop asking');
  await listening(0);
});

test('changes of other stops and their recipients are not sent', async (t) => {
  const delivery = await openDelivery(malote, {}, 3);
  const [, second] = await addressesOf(delivery);
  const source = await watch(t, second!);
  await source.until('it is told at once', ({ length }) => length === 1);
  await listening(1);
  const other = await openDelivery(malote);
  await step(other, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(delivery, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(delivery, 'iniciar');
  await step(delivery, `paradas/${delivery.stopIds[2]}/concluir`);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`);
  await source.until('it is the next one', () => source.messages.at(-1)?.data.paradas_antes === 0);
  for (const { data } of source.messages)
    assert.deepEqual(Object.keys(data), [
      ...['status', 'na_coleta', 'paradas_antes', 'concluida_em', 'nao_entregue', 'tentativas', 'foto'],
      'posicao',
    ]);
  const recorded = source.messages.map(({ data }) => `${data.status} ${data.paradas_antes}`);
  assert.deepEqual(recorded, [...new Set(recorded)], 'a change of another stop alone says nothing');
  source.close();
  await listening(0);
});

test('a reader that reconnects without missed changes gets nothing twice', async (t) => {
  const delivery = await openDelivery(malote);
  const [address] = await addressesOf(delivery);
  const first = await watch(t, address!);
  await first.until('it is told', ({ length }) => length === 1);
  first.close();
  await listening(0);
  const again = await watch(t, address!, { 'last-event-id': first.messages[0]!.id! });
  await listening(1);
  await step(delivery, 'aceitar', { condutor_id: await newDriver(malote) });
  await again.until('it is told what is new', ({ length }) => length > 0);
  assert.equal(again.messages[0]?.data.status, 'A');
  again.close();
  await listening(0);
});

test('a stop that is grouped into another delivery is followed there', async (t) => {
  const [grouper, grouped] = [await openDelivery(malote), await openDelivery(malote)];
  for (const deliveryId of [grouper, grouped]) {
    await step(deliveryId, 'aceitar', { condutor_id: await newDriver(malote) });
    await step(deliveryId, 'iniciar');
  }
  const [address] = await addressesOf(grouped);
  const source = await watch(t, address!);
  await listening(1);
  assertOk(await manager.post(`/entregas/${grouper.id}/agrupar`, { solicitacoes_agrupadas: [grouped.id] }));
  await step(grouper, `paradas/${grouped.stopIds[0]}/concluir`);
  await waitUntil('it is told that it has arrived', source.isOver);
  assert.equal(source.messages.at(-1)?.event, 'parada');
});

test('an unknown token is a 404, and only so many may watch one stop', async (t) => {
  for (const token of ['x', 'x'.repeat(32), `1.${'x'.repeat(32)}`, '..%2f..%2fetc'])
    assert.equal((await fetch(`${malote.url}/rastreio/${token}/eventos`)).status, 404);
  const [address] = await addressesOf(await openDelivery(malote));
  for (let count = 0; count < 20; count += 1) assert.equal((await watch(t, address!)).status, 200);
  const refused = await fetch(address!);
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get('retry-after'));
  await refused.body?.cancel();
});

test('a failed visit is reported, and so is that the stop is to be visited after all', async (t) => {
  const delivery = await openDelivery(malote, {}, 2);
  await step(delivery, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(delivery, 'iniciar');
  const [first] = await addressesOf(delivery);
  const source = await watch(t, first!);
  await listening(1);
  const stop = `paradas/${delivery.stopIds[0]}`;
  await step(delivery, `${stop}/falhar`, { motivo: 'ausente' });
  await source.until('the attempt is told', () => source.messages.at(-1)?.data.tentativas === 1);
  await step(delivery, `${stop}/falhar`, { motivo: 'ausente' });
  await source.until('it was given up', () => source.messages.at(-1)?.data.nao_entregue === true);
  assert.equal(source.messages.at(-1)?.data.concluida_em, null);
  await step(delivery, `${stop}/retomar`);
  await source.until('it goes on', () => source.messages.at(-1)?.data.nao_entregue === false);
  source.close();
  await listening(0);
});

const sendImage = async ({ id, stopIds }: TestDelivery, kind: 'foto' | 'assinatura') =>
  assertOk(
    await operator.send(`/entregas/${id}/paradas/${stopIds[0]}/comprovantes/${kind}`, {
      method: 'PUT',
      body: new Uint8Array(kind === 'foto' ? jpeg() : png()),
      headers: { 'content-type': kind === 'foto' ? 'image/jpeg' : 'image/png' },
    }),
  );
const started = async (): Promise<TestDelivery & { address: string }> => {
  const delivery = await openDelivery(malote);
  await step(delivery, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(delivery, 'iniciar');
  const [address] = await addressesOf(delivery);
  return { ...delivery, address: address! };
};
const stateAt = async (address: string): Promise<Json> => {
  const answer = (await (await fetch(address.replace('/eventos', '/estado'))).json()) as Json;
  return answer.data;
};

test('a photo that arrives after the handing over is announced without saying more, and can be seen then', async (t) => {
  await malote.configureFor(t, { proofOnTracking: true });
  const delivery = await started();
  const source = await watch(t, delivery.address);
  await listening(1);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`);
  await source.until('it was handed over', () => source.messages.at(-1)?.data.status === 'F');
  const handedOver = source.messages.at(-1)!;
  assert.deepEqual([handedOver.event, handedOver.data.foto], ['parada', false]);
  const before = await stateAt(delivery.address);
  assert.deepEqual([before.phase, before.photo, before.over], ['delivered', null, false]);
  await sendImage(delivery, 'assinatura');
  await sendImage(delivery, 'foto');
  await waitUntil('it is over', source.isOver);
  const { event, data } = source.messages.at(-1)!;
  assert.deepEqual([event, data], ['parada', { ...handedOver.data, foto: true }]);
  assert.equal(source.messages.at(-2), handedOver, 'a signature is nothing to the recipient');
  const after = await stateAt(delivery.address);
  assert.equal(after.over, true);
  const image = await fetch(new URL(after.photo, malote.url));
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/jpeg']);
  await image.body?.cancel();
  assert.equal((await watch(t, delivery.address)).status, 204);
  await listening(0);
});

test('a photo that came before the handing over is announced with it', async (t) => {
  await malote.configureFor(t, { proofOnTracking: true });
  const delivery = await started();
  const source = await watch(t, delivery.address);
  await listening(1);
  await sendImage(delivery, 'foto');
  assert.equal((await stateAt(delivery.address)).photo, null);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`);
  await waitUntil('it is over', source.isOver);
  assert.deepEqual(source.messages.map(({ data }) => data.foto).slice(-2), [false, true]);
  assert.match((await stateAt(delivery.address)).photo, /^\/comprovantes\//);
});

test('a photo is awaited for half an hour, where the central shows it, and only of what was handed over', async (t) => {
  const hidden = await started();
  await step(hidden, `paradas/${hidden.stopIds[0]}/concluir`);
  await sendImage(hidden, 'foto');
  assert.equal((await watch(t, hidden.address)).status, 204);
  const { photo, over } = await stateAt(hidden.address);
  assert.deepEqual([photo, over], [null, true]);

  await malote.configureFor(t, { proofOnTracking: true, failureRefused: 'leave' });
  const refused = await started();
  await step(refused, `paradas/${refused.stopIds[0]}/falhar`, { motivo: 'recusado' });
  await sendImage(refused, 'foto');
  assert.equal((await watch(t, refused.address)).status, 204);
  assert.equal((await stateAt(refused.address)).photo, null);

  const late = await started();
  await step(late, `paradas/${late.stopIds[0]}/concluir`);
  malote.clock.advance({ minutes: 29 });
  assert.equal((await watch(t, late.address)).status, 200);
  assert.equal((await stateAt(late.address)).over, false);
  malote.clock.advance({ minutes: 1 });
  assert.equal((await watch(t, late.address)).status, 204);
  assert.equal((await stateAt(late.address)).over, true);
});
