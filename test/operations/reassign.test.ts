import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { at, groupDeliveries, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, places } from '../support/orders.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, central, db } = malote;
const loginAs = (user: string) =>
  client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const detail = async (id: number, who = operator): Promise<Json> =>
  assertOk(await who.get(`/entregas/${id}`)).body.data;
const reassign = (id: number, driverId: number, motivo = 'Pneu furado') =>
  operator.post(`/entregas/${id}/reatribuir`, { condutor_id: driverId, motivo });
const preview = async (id: number, driverId: number): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}/reatribuir/previa?condutor_id=${driverId}`)).body.data;
const conclude = async (id: number, stopId: number) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));
const eventsOf = async (id: number): Promise<Json[]> =>
  assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.eventos;

test('POST reatribuir: under way -> done stops stay with the first driver, the rest is ordered from the new one', async () => {
  const id = await start(malote, at(0, 1, 5, 8));
  const before = await detail(id);
  const [done, ...rest] = await stopIdsOf(malote, { noun: 'delivery', id });
  await conclude(id, done!);
  // Near the last open stop, so that another order is the best one.
  const second = await newDriver(malote, near(8));
  assert.deepEqual(assertOk(await reassign(id, second)).body.data, { id_mch: String(id), status: 'E' });
  const after = await detail(id);
  assert.equal(after.condutor.id, String(second));
  assert.equal(after.valor, before.valor);
  assert.deepEqual(
    [after.paradas[0].concluida_por?.id, after.paradas[0].id],
    [before.condutor.id, String(done)],
  );
  assert.equal(after.paradas[1].id, String(rest.at(-1)));
  for (const each of after.paradas.slice(1)) await conclude(id, Number(each.id));
  const over = await detail(id);
  assert.equal(over.status, 'F');
  assert.deepEqual(
    over.paradas.map((each: Json) => each.concluida_por.id),
    [before.condutor.id, String(second), String(second), String(second)],
  );
});

test('POST reatribuir: not started -> accepted by a free driver, on hold with one who has another', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  assertOk(await operator.post(`/entregas/${delivery.id}/chegar`));
  const waiting = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${waiting.id}/aceitar`, { condutor_id: delivery.driverId }));
  const free = await newDriver(malote, near(1));
  assert.equal(assertOk(await reassign(delivery.id, free)).body.data.status, 'A');
  const received = await detail(delivery.id);
  assert.equal(received.chegou_em, null);
  // The first driver continues with the delivery that was on hold.
  assert.equal((await detail(waiting.id)).status, 'A');
  assert.equal(assertOk(await reassign(waiting.id, free)).body.data.status, 'S');
  const events = (await eventsOf(waiting.id)).slice(-2);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.status, data.condutor.id]),
    [
      ['entrega.condutor_alterado', 'S', String(free)],
      ['entrega.status', 'S', String(free)],
    ],
  );
  assert.equal(events[0]!.data.condutor_anterior_id, String(delivery.driverId));
  assert.ok(!JSON.stringify(events).includes('Pneu furado'));
});

test('POST reatribuir: what is grouped into the delivery moves along', async () => {
  const grouper = await start(malote, at(0, 2));
  const other = await start(malote, at(3));
  assertOk(await groupDeliveries(malote, grouper, [other]));
  const second = await newDriver(malote, near(3));
  assertOk(await reassign(grouper, second));
  for (const id of [grouper, other])
    assert.equal(assertOk(await central.get(`/entregas/${id}`)).body.data.condutor_id, String(second));
  assert.equal((await eventsOf(other)).at(-1)!.type, 'entrega.condutor_alterado');
  assertRefused(await reassign(other, await newDriver(malote)), 406, /agrupada na entrega/);
});

test('POST reatribuir: refusals say in words what is in the way', async () => {
  const started = await deliveryIn(malote, 'in_progress');
  const busy = await deliveryIn(malote, 'accepted');
  const free = await newDriver(malote);
  assertRefused(await reassign(started.id, started.driverId!), 409, /já leva a entrega/);
  assertRefused(
    await reassign(started.id, busy.driverId!),
    409,
    new RegExp(`está com a entrega ${busy.id} agora`),
  );
  assertRefused(
    await reassign((await openDelivery(malote)).id, free),
    409,
    /ainda não tem entregador; ofereça-a a um/,
  );
  assertRefused(
    await reassign((await deliveryIn(malote, 'finished')).id, free),
    406,
    /finalizada, cancelada ou não atendida/,
  );
  assertRefused(await reassign(started.id, 77_777), 404, /entregador não encontrado/);
  assertRefused(await reassign(99_999_999, free), 404, /entrega não encontrada/);
  await db`update drivers set active = false where central_id = 1 and id = ${free}`;
  assertRefused(await reassign(started.id, free), 422, /inativo/);
  const elsewhere = await newDriver(malote);
  await db`insert into driver_companies (central_id, driver_id, company_id) values (1, ${elsewhere}, 2)`;
  assertRefused(await reassign(started.id, elsewhere), 422, /somente entregas de outras empresas/);
  const blank = await reassign(started.id, elsewhere, '  ');
  assert.equal(blank.status, 400);
  assert.equal(
    (await preview(started.id, elsewhere)).recusa,
    'o entregador atende somente entregas de outras empresas',
  );
  assert.equal((await preview(started.id, started.driverId!)).recusa, 'este entregador já leva a entrega');
});

test('GET reatribuir/previa: the times per stop now and after; nothing changes', async () => {
  const id = await start(malote, at(0, 1), { driverAt: near(6) });
  const free = await newDriver(malote, near(1));
  const before = await detail(id);
  const shown = await preview(id, free);
  assert.deepEqual(
    { ...shown, paradas: shown.paradas.map(({ id }: Json) => id) },
    {
      condutor: { id: String(free), nome: 'Condutor de teste' },
      recusa: null,
      status: 'E',
      metros: shown.metros,
      paradas: before.paradas.map(({ id }: Json) => id).reverse(),
    },
  );
  assert.ok(shown.metros > 4_000);
  assert.ok(shown.paradas[0].previsao_nova < shown.paradas[0].previsao_atual, shown.paradas[0]);
  assert.deepEqual(await detail(id), before);
  assertOk(await reassign(id, free));
  assert.deepEqual(
    (await detail(id)).paradas.map(({ previsao }: Json) => previsao),
    shown.paradas.map(({ previsao_nova }: Json) => previsao_nova),
  );
});

test('GET reatribuir/previa: of a delivery that nobody carries -> as if the driver accepted it', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  const free = await newDriver(malote, near(1));
  const shown = await preview(id, free);
  assert.deepEqual([shown.recusa, shown.status, shown.paradas.length], [null, 'A', 2]);
  assert.equal(shown.paradas[0].previsao_atual, null);
  assert.ok(shown.paradas[0].previsao_nova < shown.paradas[1].previsao_nova);
  const busy = await deliveryIn(malote, 'in_progress');
  assert.equal((await preview(id, busy.driverId!)).status, 'S');
  const unreleased = await deliveryIn(malote, 'awaiting_release');
  assert.match((await preview(unreleased.id, free)).recusa, /etapa|liberad/);
  assert.equal((await detail(id)).status, 'D');
});

test('GET candidatos: the soonest first, without the one who carries it; a busy one is free later', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const at = { lat: Number(pickup.lat), lng: Number(pickup.lng) };
  const [close, far] = [await newDriver(malote, at), await newDriver(malote, near(6))];
  const busy = await deliveryIn(malote, 'in_progress', 3);
  assertOk(await operator.post(`/condutores/${busy.driverId}/posicao`, at));
  const { data } = assertOk(await operator.get(`/entregas/${delivery.id}/candidatos`)).body;
  const place = (driverId: number) => data.findIndex((each: Json) => each.condutor.id === String(driverId));
  assert.ok(place(close) < place(far) && place(far) < place(busy.driverId!));
  assert.equal(place(delivery.driverId!), -1);
  assert.deepEqual(data[place(busy.driverId!)].entregas, [String(busy.id)]);
  assert.ok(data[place(busy.driverId!)].livre_em > data[place(close)].livre_em);
});

test('both phones are notified; the first driver’s late conclusion is refused and its work is empty', async (t) => {
  const [first, second] = [await newDevice(malote), await newDevice(malote)];
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: first.driverId }));
  assertOk(await first.phone.post(`/entregas/${delivery.id}/iniciar`, {}));
  const listen = async ({ driverId, cookie }: typeof first) => {
    const url = `${malote.url}/api/v2/operacao/condutores/${driverId}/trabalho/eventos`;
    const source = await openEventSource(t, url, { cookie });
    const motives = () => source.named('trabalho').map(({ data }) => data.motivo);
    await source.until('its version', () => motives().length === 1);
    return (motive: string) => source.until(motive, () => motives().includes(motive));
  };
  const [firstPhone, secondPhone] = [await listen(first), await listen(second)];
  assertOk(await reassign(delivery.id, second.driverId));
  await firstPhone('repassada');
  await secondPhone('entrega');
  const late = await first.phone.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`, {});
  assertRefused(late, 409, /passou esta entrega para outro entregador/);
  const work = async ({ phone, driverId }: typeof first): Promise<Json> =>
    assertOk(await phone.get(`/condutores/${driverId}/trabalho`)).body.data;
  assert.deepEqual((await work(first)).corridas, []);
  const [run] = (await work(second)).corridas;
  assert.equal(run.id_mch, String(delivery.id));
  assert.ok(run.paradas.every((each: Json) => each.previsao > '2026-11-16T15:00:00Z'));
});

test('only operators of the central hand over: others are refused or find nothing', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  const body = { condutor_id: await newDriver(malote), motivo: 'x' };
  for (const who of [loginAs('gerente'), malote.driver(1)]) {
    assert.equal((await who.post(`/entregas/${delivery.id}/reatribuir`, body)).status, 403);
    assert.equal((await who.post(`/entregas/${delivery.id}/segurar`, { motivo: 'x' })).status, 403);
    assert.equal((await who.get(`/entregas/${delivery.id}/candidatos`)).status, 403);
  }
  const neighbour = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  assertRefused(await neighbour.post(`/entregas/${delivery.id}/reatribuir`, body), 404, /não encontrada/);
  assertRefused(await neighbour.get(`/entregas/${delivery.id}/candidatos`), 404, /não encontrada/);
});

test('POST segurar and retomar: an accepted one waits for the central again, and its driver is free', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const held = await operator.post(`/entregas/${delivery.id}/segurar`, { motivo: 'Pedido atrasado' });
  assert.deepEqual(assertOk(held).body.data, { id_mch: String(delivery.id), status: 'P' });
  const shown = await detail(delivery.id);
  assert.deepEqual([shown.status, shown.condutor, shown.retida.motivo], ['L', null, 'Pedido atrasado']);
  assert.equal(shown.atrasada, false);
  assert.equal((await detail(delivery.id, loginAs('gerente'))).retida, null);
  assertRefused(
    await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: delivery.driverId }),
    406,
    /./,
  );
  const resumed = assertOk(await operator.post(`/entregas/${delivery.id}/retomar`));
  assert.equal(resumed.body.data.status, 'D');
  assert.equal((await detail(delivery.id)).retida, null);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: delivery.driverId }));
});

test('POST segurar: an offered one loses its offer; a started one and one that is over are refused', async () => {
  const offered = await deliveryIn(malote, 'offered');
  assertOk(await operator.post(`/entregas/${offered.id}/segurar`, { motivo: 'x' }));
  const { ofertas } = assertOk(await operator.get(`/condutores/${offered.driverId}/trabalho`)).body.data;
  assert.deepEqual(ofertas, []);
  const cancelled = assertOk(await manager.post(`/entregas/${offered.id}/cancelar`, { motivo_id: 2 }));
  assert.equal(cancelled.status, 200);
  for (const [status, code] of [
    ['in_progress', 406],
    ['finished', 406],
    ['awaiting_release', 406],
  ] as const) {
    const { id } = await deliveryIn(malote, status);
    assert.equal((await operator.post(`/entregas/${id}/segurar`, { motivo: 'x' })).status, code, status);
  }
});
