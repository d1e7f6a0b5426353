import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { at, groupDeliveries, start, stopIdsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { balanceCents, setBalance } from '../support/rows.ts';
import { assertOk, assertRefused, countStatuses, deliveryIn, openDelivery } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const routers = testRouters();
const malote = await startMalote({ routers: { ...routers, forEstimates: routers.forPlanning } });
const { operator } = malote;
beforeEach(() => routers.restore());

const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const detail = async (id: number): Promise<Json> => assertOk(await operator.get(`/entregas/${id}`)).body.data;
const newStop = (index: number) => ({
  endereco: `Rua Nova, ${index}`,
  bairro: 'Centro',
  cidade: 'Porto Alegre',
  estado: 'RS',
  ...near(index),
  nome_cliente: `Nova ${index}`,
  valor_cobrar: '12.50',
});
/** Edits the state that the operator sees now. */
async function edit(id: number, paradas: Json[], more: Json = {}) {
  const { versao } = await detail(id);
  return operator.put(`/entregas/${id}/paradas`, { versao, paradas, ...more });
}
const idsOf = (stops: readonly Json[]): number[] => stops.map(({ id }) => Number(id));

test('PUT paradas: adds, changes, removes and reorders what is not done; the price follows', async () => {
  const id = await start(malote, at(0, 1, 2));
  const [done, second, third] = (await stopIdsOf(malote, { noun: 'delivery', id })) as [
    number,
    number,
    number,
  ];
  assertOk(await operator.post(`/entregas/${id}/paradas/${done}/concluir`, {}));
  const before = await detail(id);
  const paradas = [{ id: third, observacao: 'Portão azul', telefone_cliente: '' }, newStop(5)];
  const body = { versao: before.versao, paradas };
  const shown = assertOk(await operator.post(`/entregas/${id}/paradas/previa`, body)).body.data;
  assert.deepEqual(await detail(id), before);
  assert.deepEqual([shown.antes.paradas, shown.depois.paradas], [3, 3]);
  assert.equal(shown.antes.valor, before.valor);
  assertOk(await operator.put(`/entregas/${id}/paradas`, body));
  const after = await detail(id);
  assert.deepEqual(idsOf(after.paradas).slice(0, 2), [done, third]);
  assert.equal(after.paradas.length, 3);
  assert.deepEqual(
    after.paradas
      .slice(1)
      .map(({ endereco, observacao, telefone_cliente, valor_cobrar, previsao }: Json) => [
        endereco,
        observacao,
        telefone_cliente,
        valor_cobrar,
        previsao,
      ]),
    [
      ['Avenida Ipiranga, 3', 'Portão azul', null, null, shown.paradas[0].previsao_nova],
      ['Rua Nova, 5', null, null, '12.50', shown.paradas[1].previsao_nova],
    ],
  );
  assert.equal(after.valor, shown.depois.valor);
  assert.notEqual(after.valor, before.valor);
  const { eventos } = assertOk(await operator.get(`/entregas/${id}/historico`)).body.data;
  assert.deepEqual(
    eventos.slice(-2).map(({ type, data }: Json) => [type, data.mudanca ?? data.parada.id]),
    [
      ['entrega.parada_removida', String(second)],
      ['entrega.alterada', 'paradas_editadas'],
    ],
  );
});

test('PUT paradas: only what is known of recipients -> neither router nor price is touched', async () => {
  const id = await start(malote, at(0, 1));
  const before = await detail(id);
  routers.fail();
  const [first, second] = idsOf(before.paradas);
  assertOk(await edit(id, [{ id: first, nome_cliente: 'Dona Ana', valor_cobrar: '9.90' }, { id: second }]));
  const after = await detail(id);
  assert.deepEqual([after.valor, after.km, idsOf(after.paradas)], [before.valor, before.km, [first, second]]);
  assert.deepEqual([after.paradas[0].nome_cliente, after.paradas[0].valor_cobrar], ['Dona Ana', '9.90']);
  assertRefused(await edit(id, [{ id: second }, { id: first }]), 422, /não foi possível/);
});

test('PUT paradas: the server orders the stops on request, and a moved pin is a move', async () => {
  const id = await start(malote, at(0, 1, 3), { driverAt: near(3) });
  const [first, second, third] = idsOf((await detail(id)).paradas);
  assertOk(await edit(id, [{ id: first }, { id: second }, { id: third }], { otimizar: true }));
  assert.equal(idsOf((await detail(id)).paradas)[0], third);
  assertOk(await edit(id, [{ id: third, ...near(7) }, { id: first }, { id: second }]));
  const [moved] = (await detail(id)).paradas;
  assert.deepEqual([moved.id, moved.lat], [String(third), near(7).lat]);
});

test('PUT paradas: what is reserved follows, and credit that does not cover it is refused beforehand', async () => {
  await setBalance(malote, 6_000);
  const balance = () => balanceCents(malote);
  const cents = async (id: number) => Math.round(Number((await detail(id)).valor) * 100);
  const opened = await openDelivery(malote, { forma_pagamento: 'R' });
  const before = await cents(opened.id);
  assert.equal(await balance(), 6_000 - before);
  const more = [{ id: opened.stopIds[0] }, newStop(6)];
  assertOk(await edit(opened.id, more));
  const after = await cents(opened.id);
  assert.ok(after > before);
  assert.equal(await balance(), 6_000 - after);
  assertOk(await edit(opened.id, [{ id: opened.stopIds[0] }]));
  assert.equal(await cents(opened.id), before);
  assert.equal(await balance(), 6_000 - before);
  await setBalance(malote, after - before - 1);
  assertRefused(await edit(opened.id, more), 422, /saldo/);
  const { versao } = await detail(opened.id);
  const previewed = await operator.post(`/entregas/${opened.id}/paradas/previa`, { versao, paradas: more });
  assertRefused(previewed, 422, /saldo/);
});

test('PUT paradas: refusals', async () => {
  const id = await start(malote, at(0, 1));
  const [first, second] = idsOf((await detail(id)).paradas);
  const { versao } = await detail(id);
  assertOk(await operator.post(`/entregas/${id}/paradas/${first}/concluir`, {}));
  const stale = { versao, paradas: [{ id: second }] };
  const words = /mudou enquanto você a editava/;
  assertRefused(await operator.put(`/entregas/${id}/paradas`, stale), 409, words);
  assertRefused(await operator.post(`/entregas/${id}/paradas/previa`, stale), 409, words);
  assertRefused(
    await edit(id, [{ id: first }, { id: second }]),
    409,
    /já foi concluída e não pode mais mudar/,
  );
  for (const paradas of [[{ id: 99_999_999 }], [{ id: second }, { id: second }]]) {
    const answer = await edit(id, paradas);
    assert.equal(answer.status, 404);
    assert.match(answer.body.errors[0].message, /parada não encontrada nesta entrega/);
  }
  const many = Array.from({ length: 10 }, (_, index) => newStop(index));
  assertRefused(await edit(id, many), 400, /10/);
  assertRefused(await edit(id, [{ ...newStop(0), lat: 10, lng: 10 }]), 422, /área/);
  assert.equal((await edit(id, [])).status, 400);
  assert.equal((await edit(id, [{ endereco: 'Rua sem bairro' }])).status, 400);
  assert.equal((await edit(id, [{ id: second, lat: -30 }])).status, 400);
  const over = await deliveryIn(malote, 'finished');
  assertRefused(await edit(over.id, [newStop(1)]), 406, /finalizada/);
  const [grouper, other] = [await start(malote, at(0)), await start(malote, at(1))];
  assertOk(await groupDeliveries(malote, grouper, [other]));
  assertRefused(await edit(other, [newStop(1)]), 406, new RegExp(`agrupada na entrega ${grouper}`));
  const login = (user: string, key: string) =>
    client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
  const body = { versao: 1, paradas: [newStop(1)] };
  for (const [who, status] of [
    [login('gerente', 'demo-chave'), 403],
    [malote.driver(1), 403],
    [login('vizinha', 'demo-vizinha'), 404],
  ] as const)
    assert.equal((await who.put(`/entregas/${id}/paradas`, body)).status, status);
});

test('PUT paradas and a step, a grouping or another edit at once -> one of them counts, nothing is lost', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [id, other] = [await start(malote, at(0, 1)), await start(malote, at(2))];
    const { versao, paradas } = await detail(id);
    const [first, second] = idsOf(paradas);
    const send = (stops: Json[]) => operator.put(`/entregas/${id}/paradas`, { versao, paradas: stops });
    const [adding, swapping, grouping] = await Promise.all([
      send([{ id: first }, { id: second }, newStop(5)]),
      send([{ id: second }, { id: first }]),
      groupDeliveries(malote, id, [other]),
      operator.post(`/entregas/${id}/paradas/${first}/concluir`, {}),
    ]);
    for (const answer of [adding, swapping]) assert.ok([200, 409].includes(answer.status), answer.text);
    assert.ok((countStatuses([adding, swapping])[200] ?? 0) <= 1);
    assert.ok([200, 400].includes(grouping.status), grouping.text);
    const carried = await stopIdsOf(malote, { noun: 'delivery', id });
    assert.equal(carried.length, 2 + Number(adding.status === 200) + Number(grouping.status === 200));
    for (const stopId of [first, second]) assert.ok(carried.includes(stopId!));
  }
});

test('PUT paradas: the delivery changes while roads are asked -> 409, and nothing of the edit is kept', async () => {
  const id = await start(malote, at(0, 1));
  const [first, second] = idsOf((await detail(id)).paradas);
  const held = routers.hold();
  const editing = edit(id, [{ id: second }, newStop(4)]);
  await held.asked;
  assertOk(await operator.post(`/entregas/${id}/paradas/${first}/concluir`, {}));
  held.release();
  assertRefused(await editing, 409, /mudou enquanto/);
  assert.deepEqual(idsOf((await detail(id)).paradas), [first, second]);
});

test('the driver’s work has what changed', async () => {
  const device = await newDevice(malote);
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: device.driverId }));
  const [first, second] = delivery.stopIds;
  assertOk(await edit(delivery.id, [{ id: second, observacao: 'Interfone 12' }, { id: first }, newStop(4)]));
  const work = assertOk(await device.phone.get(`/condutores/${device.driverId}/trabalho`)).body.data;
  const [run] = work.corridas;
  assert.deepEqual(idsOf(run.paradas).slice(0, 2), [second, first]);
  assert.deepEqual(
    [run.paradas[0].observacao, run.paradas[2].endereco, run.paradas[2].valor_a_receber],
    ['Interfone 12', 'Rua Nova, 4', '12.50'],
  );
});
