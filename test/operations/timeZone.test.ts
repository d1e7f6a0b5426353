import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basic } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { useTimeZone } from '../support/registers.ts';
import { dispatchAll } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { manager, operator, clock } = malote;
const scheduledOf = async (id: string) =>
  assertOk(await manager.get(`/entregas/programadas/${id}`)).body.data;

test('a central that changes its zone keeps every moment, and shows and takes times of the new one', async (t) => {
  const opened = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  const asked = scheduledOrder({ data: '17/11/2026', hora: '00:30:00' });
  const waiting = assertOk(await manager.post('/entregas/programadas', asked)).body.data.id_mch;
  const edited = assertOk(await manager.post('/entregas/programadas', asked)).body.data.id_mch;

  await useTimeZone(t, malote, 'America/Manaus');
  assert.partialDeepStrictEqual(assertOk(await manager.get(`/entregas/${opened}`)).body.data, {
    data_hora_solicitacao: '2026-11-16 11:00:00',
    data_hora_solicitacao_utc: '2026-11-16T15:00:00Z',
  });
  const moved = { data_previsao_disparo: '16/11/2026', hora_previsao_disparo: '23:30:00', situacao: 'A' };
  assert.partialDeepStrictEqual(await scheduledOf(waiting), moved);
  const ofDay = async (day: string) =>
    assertOk(await operator.post('/programadas/consultar', { de: day, ate: day })).body.data.length;
  assert.deepEqual([await ofDay('2026-11-16'), await ofDay('2026-11-17')], [2, 0]);
  assertOk(await manager.put(`/entregas/programadas/${edited}`, asked));

  clock.set('2026-11-17T03:29:59Z');
  assert.equal(await dispatchAll(malote), 0);
  clock.set('2026-11-17T03:30:00Z');
  assert.equal(await dispatchAll(malote), 1);
  assert.equal((await scheduledOf(waiting)).situacao, 'D');
  clock.set('2026-11-17T04:30:00Z');
  assert.equal(await dispatchAll(malote), 1);
  assert.equal((await scheduledOf(edited)).situacao, 'D');
});

test('a stream that was open before the zone changed tells times of the new one', async (t) => {
  const headers = { 'api-key': 'demo-chave', authorization: basic('central', 'demo') };
  const stream = await openEventSource(t, `${malote.url}/api/v2/operacao/eventos`, headers);
  await waitUntil('it listens', () => malote.app.deps.live.readers() === 1);
  await useTimeZone(t, malote, 'America/Manaus');
  const asked = scheduledOrder({ data: '18/11/2026', hora: '09:15:00' });
  const { id_mch } = assertOk(await manager.post('/entregas/programadas', asked)).body.data;
  await stream.until('it is told', () => stream.named('message').length === 1);
  assert.partialDeepStrictEqual(stream.named('message')[0]!.data, {
    type: 'programada.alterada',
    data: { id: id_mch, data_previsao_disparo: '18/11/2026', hora_previsao_disparo: '09:15:00' },
  });
});
