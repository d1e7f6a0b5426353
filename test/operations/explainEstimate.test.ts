import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const path = '/estimativas';
const sum = (lines: Json[]): string =>
  (lines.reduce((total, { valor }) => total + Math.round(Number(valor) * 100), 0) / 100).toFixed(2);

test('the operator’s estimate is the integrator’s, with its reasons', async () => {
  const trip = estimate({ latlng_paradas: '-30.0277,-51.2287', com_retorno: true, categoria_id: 1 });
  const plain = await malote.central.post('/entregas/empresas/1/estimativas', trip);
  const { status, body } = await operator.post(path, { ...trip, empresa_id: 1 });
  assert.equal(status, 200);
  assertOk(plain);
  for (const [field, value] of Object.entries(plain.body.data))
    assert.deepEqual(body.data[field], value, field);
  assert.deepEqual(body.data.area, { id: '2', nome: 'Centro Histórico' });
  assert.deepEqual(body.data.categoria, { id: '1', nome: 'Moto' });
  assert.deepEqual(body.data.tarifa, { id: '1', nome: 'Moto padrão' });
  assert.equal(body.data.instante, '2026-11-16T15:00:00Z');
  assert.deepEqual(
    body.data.linhas.map(({ tipo }: Json) => tipo),
    ['bandeirada', 'distancia', 'tempo', 'paradas_extras', 'retorno'],
  );
  assert.equal(body.data.linhas[0].valor, '5.00');
  assert.equal(sum(body.data.linhas), body.data.estimativa_valor.toFixed(2));
  assert.equal(body.data.valor_original, body.data.estimativa_valor.toFixed(2));
});

test('a coupon and the minimum fare are lines too', async () => {
  const near = estimate({ lat_desejado: -30.0305, lng_desejado: -51.2303, categoria_id: 1 });
  const { body } = await operator.post(path, { ...near, codigo_cupom: 'demo10' });
  assert.deepEqual(body.data.linhas, [
    { tipo: 'bandeirada', valor: '5.00' },
    { tipo: 'minimo', valor: '4.00' },
    { tipo: 'cupom', valor: '-0.90' },
  ]);
  assert.equal(body.data.valor_original, '9.00');
  assert.equal(body.data.estimativa_valor, 8.1);
});

test('another instant may fall into a window of the tariff', async () => {
  const { id: _id, ...tariff } = (await operator.get('/tarifas/1')).body.data;
  const janelas = [{ dias: [6], inicio: '20:00', fim: '23:00', fator: '1.5' }];
  await operator.put('/tarifas/1', { ...tariff, janelas });
  const at = async (instante: string) =>
    (await operator.post(path, estimate({ categoria_id: 1, instante }))).body.data;
  const saturdayNight = await at('2026-11-21T20:00:00-03:00');
  const sunday = await at('2026-11-22T20:00:00-03:00');
  assert.equal(saturdayNight.instante, '2026-11-21T23:00:00Z');
  assert.ok(saturdayNight.linhas.some(({ tipo }: Json) => tipo === 'horario'));
  assert.ok(!sunday.linhas.some(({ tipo }: Json) => tipo === 'horario'));
  assert.ok(saturdayNight.estimativa_valor > sunday.estimativa_valor);
});

test('takes the central’s oldest category without a company, and refuses unknown companies and coupons', async () => {
  assert.equal((await operator.post(path, estimate())).body.data.categoria.nome, 'Moto');
  assertFailure(await operator.post(path, estimate({ empresa_id: 99 })), 404, 0);
  assertFailure(await operator.post(path, estimate({ empresa_id: 10_000_001 })), 404, 0);
  assertFailure(await operator.post(path, estimate({ empresa_id: 1, codigo_cupom: 'NADA' })), 422, 0);
  assertFailure(await operator.post(path, estimate({ empresa_id: 1, lat_partida: 10 })), 422, 0);
  const mistaken = await operator.post(
    path,
    estimate({ instante: 'amanhã', empresa_id: 'x', lat_partida: 'x' }),
  );
  assert.deepEqual(complainedFields(mistaken), ['empresa_id', 'instante', 'lat_partida']);
  assertFailure(await malote.driver(1).post(path, estimate()), 403, 0);
});
