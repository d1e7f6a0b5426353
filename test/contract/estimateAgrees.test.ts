import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startMalote } from '../support/malote.ts';
import { estimate, order, pickup, stop } from '../support/orders.ts';
import { newRecord } from '../support/registers.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();

// Rates with fractions of a cent, a time window that applies now, and a tariff of the central itself: everything that
// the two could round or choose differently.
const odd = {
  por_km: '1.8733',
  por_minuto: '0.1235',
  fator_retorno: '0.33',
  janelas: [{ dias: [1], inicio: '11:30', fim: '12:30', fator: '1.17' }],
};
for (const { id, ...tariff } of assertOk(await malote.operator.get('/tarifas')).body.data)
  assertOk(await malote.operator.put(`/tarifas/${id}`, { ...tariff, ...odd }));
await newRecord(malote.operator, '/tarifas', {
  nome: 'Moto no centro',
  categoria_id: 1,
  area_id: 2,
  bandeirada: '3.13',
  por_km: '1.3333',
  por_minuto: '0.0777',
  por_parada_extra: '1.11',
  fator_retorno: '0.77',
  minimo: '0.01',
});

const place = fc.record({
  lat: fc.integer({ min: -302_999, max: -299_001 }).map((value) => value / 1e4),
  lng: fc.integer({ min: -513_499, max: -510_001 }).map((value) => value / 1e4),
});
const trip = fc.record({
  from: place,
  stops: fc.array(place, { minLength: 1, maxLength: 10 }),
  returning: fc.boolean(),
  category: fc.constantFrom(1, 2, 3),
  atNight: fc.boolean(),
});

test('a delivery costs the same as the estimate of its trip, to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(trip, async ({ from, stops, returning, category, atNight }) => {
      malote.clock.set(atNight ? '2026-11-17T02:00:00Z' : '2026-11-16T15:00:00Z');
      const between = stops.slice(0, -1);
      const last = stops.at(-1)!;
      const said = await malote.central.post(
        '/entregas/empresas/1/estimativas',
        estimate({
          lat_partida: from.lat,
          lng_partida: from.lng,
          lat_desejado: last.lat,
          lng_desejado: last.lng,
          latlng_paradas: between.map(({ lat, lng }) => `${lat},${lng}`).join('|'),
          categoria_id: category,
          com_retorno: returning,
        }),
      );
      assert.equal(said.status, 200, said.text);
      const created = await malote.manager.post(
        '/entregas',
        order({
          partida: { ...pickup, lat: String(from.lat), lng: String(from.lng) },
          paradas: stops.map(({ lat, lng }) => ({
            ...stop(),
            lat_parada: String(lat),
            lng_parada: String(lng),
          })),
          categoria_id: category,
          com_retorno: returning,
        }),
      );
      assert.equal(created.status, 200, created.text);
      const delivery = await malote.manager.get(`/entregas/${created.body.data.id_mch}`);
      assert.equal(said.body.data.estimativa_valor.toFixed(2), delivery.body.data.valor_corrida);
      assert.equal(said.body.data.tarifa_nome, delivery.body.data.tarifa);
    }),
    { numRuns: 60 },
  );
});

test('so do its receipt and its scheduled twin, with a coupon of an odd share', async () => {
  malote.clock.set('2026-11-16T15:00:00Z');
  const { operator, manager } = malote;
  const coupon = await operator.post('/cupons', { codigo: 'TERCO', percentual: '33.33' });
  assert.equal(coupon.status, 200, coupon.text);
  await fc.assert(
    fc.asyncProperty(trip, async ({ from, stops, returning, category }) => {
      const last = stops.at(-1)!;
      const said = await operator.post(
        '/estimativas',
        estimate({
          lat_partida: from.lat,
          lng_partida: from.lng,
          lat_desejado: last.lat,
          lng_desejado: last.lng,
          latlng_paradas: stops
            .slice(0, -1)
            .map(({ lat, lng }) => `${lat},${lng}`)
            .join('|'),
          categoria_id: category,
          com_retorno: returning,
          empresa_id: 1,
          codigo_cupom: 'TERCO',
        }),
      );
      assert.equal(said.status, 200, said.text);
      const body = order({
        partida: { ...pickup, lat: String(from.lat), lng: String(from.lng) },
        paradas: stops.map(({ lat, lng }) => ({
          ...stop(),
          lat_parada: String(lat),
          lng_parada: String(lng),
        })),
        categoria_id: category,
        com_retorno: returning,
        codigo_cupom: 'TERCO',
      });
      const { id_mch: id } = (await manager.post('/entregas', body)).body.data;
      const { paradas } = (await manager.get(`/entregas/${id}`)).body.data;
      await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 });
      await operator.post(`/entregas/${id}/iniciar`);
      for (const { id: stopId } of paradas) await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`);
      assert.equal((await operator.post(`/entregas/${id}/finalizar`)).status, 200);
      const { dados_solicitacao: receipt } = (await manager.get(`/entregas/${id}/recibo`)).body.data;
      assert.equal(receipt.valor, said.body.data.estimativa_valor.toFixed(2));
      assert.equal(receipt.valor_original, said.body.data.valor_original);

      const soon = { data: '16/11/2026', hora: '12:05:00' };
      const planned = (await manager.post('/entregas/programadas', { ...body, ...soon })).body.data;
      const { valor } = (await manager.get(`/entregas/programadas/${planned.id_mch}`)).body.data;
      assert.equal(valor.estimado, receipt.valor);
    }),
    { numRuns: 15 },
  );
});
