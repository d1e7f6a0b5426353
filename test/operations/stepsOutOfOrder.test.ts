import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES, type Status } from '../../server/src/deliveries/status.ts';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import {
  allOf,
  assertOk,
  assertRefused,
  deliveryIn,
  newDriver,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const someone = await newDriver(malote);

const post =
  (path: string, body: unknown = {}) =>
  ({ id }: TestDelivery) =>
    malote.operator.post(`/entregas/${id}/${path}`, body);

interface Row {
  take: (delivery: TestDelivery) => Promise<Answer>;
  /** From where it leads, and to which letter of contract 4.16. */
  leads: Partial<Record<Status, string>>;
}

/** Written from the completions' life of a delivery, not from the table that the house works by. */
const steps: Record<string, Row> = {
  liberar: { take: post('liberar'), leads: { awaiting_release: 'D' } },
  atribuir: {
    take: post('atribuir', { condutor_id: someone }),
    leads: { distributing: 'G', offered: 'G', pending: 'G' },
  },
  recusar: { take: post('recusar'), leads: { offered: 'D' } },
  aceitar: {
    take: async ({ id, driverId }) =>
      malote.operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId ?? (await newDriver(malote)) }),
    leads: { distributing: 'A', offered: 'A', pending: 'A' },
  },
  chegar: { take: post('chegar'), leads: { accepted: 'A' } },
  iniciar: { take: post('iniciar'), leads: { accepted: 'E' } },
  concluir: {
    take: ({ id, stopIds }) => malote.operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}),
    leads: { in_progress: 'F' },
  },
  desistir: { take: post('desistir'), leads: { accepted: 'D', on_hold: 'D' } },
  cancelar: {
    take: ({ id }) => malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 1 }),
    leads: {
      awaiting_release: 'C',
      distributing: 'C',
      offered: 'C',
      pending: 'C',
      accepted: 'C',
      on_hold: 'C',
      in_progress: 'C',
    },
  },
};

for (const [name, { take, leads }] of Object.entries(steps))
  for (const status of STATUSES) {
    const expected = leads[status];
    if (expected)
      test(`${name} leads from ${status} to ${expected}`, async () => {
        const delivery = await deliveryIn(malote, status);
        assertOk(await take(delivery));
        const read = await malote.central.get(`/entregas/${delivery.id}/status`);
        assert.equal(read.body.data.status, expected);
      });
    else
      test(`${name} is refused in ${status} and changes nothing`, async () => {
        const delivery = await deliveryIn(malote, status);
        const before = await allOf(malote, delivery.id);
        const over = ['finished', 'cancelled', 'not_attended'].includes(status);
        assertRefused(
          await take(delivery),
          406,
          over ? /já foi finalizada, cancelada ou não atendida/ : /etapa não é possível/,
        );
        assert.deepEqual(await allOf(malote, delivery.id), before);
      });
  }

test('finalizar leads from in_progress to F once every stop is concluded, and not before', async () => {
  const delivery = await deliveryIn(malote, 'in_progress', 2);
  const finish = () => malote.operator.post(`/entregas/${delivery.id}/finalizar`);
  const conclude = (stopId: number) =>
    malote.operator.post(`/entregas/${delivery.id}/paradas/${stopId}/concluir`, {});
  assertRefused(await finish(), 406, /paradas a concluir: 2/);
  assertOk(await conclude(delivery.stopIds[1]!));
  const before = await allOf(malote, delivery.id);
  assertRefused(await finish(), 406, /paradas a concluir: 1/);
  assert.deepEqual(await allOf(malote, delivery.id), before);
  assertOk(await conclude(delivery.stopIds[0]!));
  assert.equal(assertOk(await finish()).body.data.status, 'F');
});

test('finalizar of a finished delivery is answered and changes nothing', async () => {
  const delivery = await deliveryIn(malote, 'finished');
  const before = await allOf(malote, delivery.id);
  const answer = assertOk(await malote.operator.post(`/entregas/${delivery.id}/finalizar`));
  assert.equal(answer.body.data.status, 'F');
  assert.deepEqual(await allOf(malote, delivery.id), before);
});

for (const status of STATUSES.filter((one) => one !== 'in_progress' && one !== 'finished'))
  test(`finalizar is refused in ${status} and changes nothing`, async () => {
    const delivery = await deliveryIn(malote, status);
    const before = await allOf(malote, delivery.id);
    assert.equal((await malote.operator.post(`/entregas/${delivery.id}/finalizar`)).status, 406);
    assert.deepEqual(await allOf(malote, delivery.id), before);
  });

for (const [name, take] of [
  ['chegar', post('chegar')],
  ['concluir', steps.concluir!.take],
] as const)
  test(`${name} twice is refused and keeps the first moment`, async () => {
    const delivery = await deliveryIn(malote, name === 'chegar' ? 'accepted' : 'in_progress', 2);
    assertOk(await take(delivery));
    const before = await allOf(malote, delivery.id);
    malote.clock.advance({ minutes: 1 });
    assertRefused(await take(delivery), 406, /etapa não é possível/);
    assert.deepEqual(await allOf(malote, delivery.id), before);
  });

test('every step of an unknown delivery, or of another central, is 404', async () => {
  const foreign = await malote.neighbour.post(
    '/entregas',
    order({
      empresa_id: 10_000_001,
      partida: { ...pickup, lat: '-3.119', lng: '-60.0217' },
      paradas: [{ ...stop(), lat_parada: '-3.1', lng_parada: '-60.02' }],
    }),
  );
  for (const id of [999_999, Number(assertOk(foreign).body.data.id_mch)])
    for (const { take } of Object.values(steps)) {
      const answer = await take({ id, stopIds: [1], driverId: someone });
      assertRefused(answer, 404, /entrega não encontrada/);
    }
});

test('a delivery grouped into another refuses every step but its cancellation, and names its grouper', async () => {
  const grouper = await deliveryIn(malote, 'in_progress');
  const grouped = await deliveryIn(malote, 'in_progress');
  await malote.db`
    update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}
    where central_id = 1 and id = ${grouped.id}`;
  const before = await allOf(malote, grouped.id);
  const refused = Object.entries(steps).filter(([name]) => name !== 'cancelar');
  for (const [, { take }] of refused)
    assertRefused(await take(grouped), 406, new RegExp(`agrupada na entrega ${grouper.id}`));
  assert.deepEqual(await allOf(malote, grouped.id), before);
});
