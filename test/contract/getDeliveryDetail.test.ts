import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Errors } from 'typebox/value';
import { DeliveryDetailSchema } from '../../server/src/api/integration/endpoints/deliveryDetail.ts';
import type { Json } from '../support/client.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { dispatched } from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';

// Contract 4.21.
const malote = await startMalote();
const { manager, central, operator, clock } = malote;

const detailOf = async (id: number): Promise<Json> => {
  const { data } = assertOk(await manager.get(`/entregas/${id}/detalhes`)).body;
  assert.deepEqual([...Errors(DeliveryDetailSchema, data)], []);
  return data;
};

for (const status of [
  'distributing',
  'offered',
  'accepted',
  'on_hold',
  'in_progress',
  'finished',
  'cancelled',
] as const)
  test(`GET /entregas/{id}/detalhes: ${status} -> the fields of 2.1 as GET /entregas/{id} has them, and more`, async () => {
    const { id } = await deliveryIn(malote, status, 2);
    const detail = await detailOf(id);
    const { paradas, ...shown } = assertOk(await manager.get(`/entregas/${id}`)).body.data;
    for (const [field, value] of Object.entries(shown)) assert.deepEqual(detail[field], value, field);
    assert.equal(paradas.length, 2);
    for (const [index, stop] of paradas.entries())
      for (const [field, value] of Object.entries(stop))
        assert.deepEqual(detail.paradas[index][field], value);
    const letter = assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
    assert.equal(detail.status, letter);
  });

test('each stop tells its recipient, what to collect, its link, and when it was concluded', async () => {
  await malote.configure({ confirmationCode: true });
  const first = {
    ...stop(0),
    referencia_parada: 'portão azul',
    observacao_parada: 'tocar duas vezes',
    id_externo: 'erp-1',
    valor_cobrar: '12.5',
    codigo_confirmacao: '0123',
  };
  const { id } = await openDelivery(malote, { paradas: [first, stop(1)], observacao: 'frágil' });
  const links = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  const before = await detailOf(id);
  assert.equal(before.observacao, 'frágil');
  assert.partialDeepStrictEqual(before.paradas[0], {
    referencia: 'portão azul',
    nome_cliente: 'Cliente 1',
    telefone_cliente: '51999990000',
    observacao: 'tocar duas vezes',
    id_externo: 'erp-1',
    valor_cobrar: '12.50',
    entrega_pedida: String(id),
    status: 'pendente',
    data_hora_conclusao: null,
    data_hora_conclusao_utc: null,
    link_rastreio: links[0].link_rastreio,
    codigo_confirmacao: '0123',
  });
  assert.equal(Number(before.paradas[1].codigo_confirmacao), links[1].codigo_confirmacao);
  await malote.configure({ confirmationCode: false });
  assert.equal((await detailOf(id)).paradas[0].codigo_confirmacao, null);

  assertOk(
    await operator.post(`/entregas/${id}/aceitar`, {
      condutor_id: (await deliveryIn(malote, 'finished')).driverId,
    }),
  );
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  clock.advance({ minutes: 7 });
  assertOk(await operator.post(`/entregas/${id}/paradas/${before.paradas[0].id}/concluir`));
  assert.partialDeepStrictEqual((await detailOf(id)).paradas[0], {
    status: 'concluida',
    data_hora_conclusao: '2026-11-16 12:07:00',
    data_hora_conclusao_utc: '2026-11-16T15:07:00Z',
  });
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  const after = await detailOf(id);
  assert.deepEqual(
    after.paradas.map((stop: Json) => stop.status),
    ['concluida', 'nao_realizada'],
  );
  assert.deepEqual(Object.keys(after.motivo_cancelamento), ['id', 'nome']);
  assert.equal(after.motivo_cancelamento.id, 2);
});

test('codes are made by reading the details, as by reading the links', async () => {
  await malote.configure({ confirmationCode: true });
  const { id } = await openDelivery(malote, {}, 2);
  const codes = (await detailOf(id)).paradas.map((stop: Json) => Number(stop.codigo_confirmacao));
  const links = assertOk(await manager.get(`/entregas/${id}/links-rastreio`)).body.data;
  await malote.configure({ confirmationCode: false });
  assert.deepEqual(
    codes,
    links.map((link: Json) => link.codigo_confirmacao),
  );
});

test('the events tell what happened in order, in local time and UTC, from the scheduled one on', async () => {
  const { id, deliveryId } = await dispatched(malote);
  assertOk(await manager.post(`/entregas/${deliveryId}/cancelar`, { motivo_id: 2 }));
  const { eventos, id_mch_programada } = await detailOf(deliveryId);
  assert.equal(id_mch_programada, String(id));
  assert.deepEqual(eventos.map((event: Json) => event.tipo).toSorted(), [
    'entrega.status',
    'entrega.status',
    'programada.alterada',
    'programada.disparada',
  ]);
  const last = eventos.at(-1);
  assert.partialDeepStrictEqual(last, {
    tipo: 'entrega.status',
    dados: { id: String(deliveryId), status: 'C', status_anterior: 'D', motivo_id: 2 },
  });
  const local = Temporal.Instant.from(last.data_hora_utc).toZonedDateTimeISO('America/Sao_Paulo');
  assert.equal(last.data_hora, local.toPlainDateTime().toString().replace('T', ' '));
});

test('a delivery that was grouped into another -> names it, and shows the stops ordered with it', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const grouped = await deliveryIn(malote, 'in_progress');
  assertOk(await groupDeliveries(malote, grouper.id, [grouped.id]));
  const detail = await detailOf(grouped.id);
  assert.equal(detail.agrupada_em, String(grouper.id));
  assert.deepEqual(
    detail.paradas.map((stop: Json) => [Number(stop.id), stop.entrega_pedida]),
    [[grouped.stopIds[0], String(grouped.id)]],
  );
  const carrier = await detailOf(grouper.id);
  assert.deepEqual(carrier.entregas_agrupadas, [String(grouped.id)]);
  assert.equal(carrier.paradas.length, 2);
});

test('GET /entregas/{id}/detalhes: not in the scope of the login -> 404', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await central.get(`/entregas/${id}/detalhes`));
  for (const login of [malote.manager2, malote.neighbour])
    assertRefused(await login.get(`/entregas/${id}/detalhes`), 404, /entrega não encontrada/);
  assertRefused(await manager.get('/entregas/999999/detalhes'), 404, /entrega não encontrada/);
});

test('GET /entregas/{id}/detalhes: Accept-Language en -> the reason in English', async () => {
  const { id } = await deliveryIn(malote, 'cancelled');
  const english = await manager.get(`/entregas/${id}/detalhes`, { 'accept-language': 'en' });
  const portuguese = await manager.get(`/entregas/${id}/detalhes`);
  assert.notEqual(english.body.data.motivo_cancelamento.nome, portuguese.body.data.motivo_cancelamento.nome);
});
