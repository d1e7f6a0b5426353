import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import type { Answer, Client, Json } from '../support/client.ts';
import { newDevice, type TestDevice } from '../support/device.ts';
import { failing } from '../support/failures.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { assertOk, assertRefused, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const { fail, conclude, reopen, detail, history } = failing(malote);
await malote.configure({ failureAbsent: 'retry', failureRefused: 'leave', proofPhoto: 'off' });

const PHONE = '51977770001';

interface HandedOver extends TestDelivery {
  first: TestDevice;
  second: TestDevice;
}

/** A delivery in progress with the first driver, who sends no photos before it passes to the second one. */
async function started(): Promise<HandedOver> {
  const [first, second] = [await newDevice(malote), await newDevice(malote)];
  const paradas = [{ ...stop(0), telefone_cliente_parada: PHONE }, stop(1), stop(2)];
  const delivery = await openDelivery(malote, { paradas });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: first.driverId }));
  assertOk(await first.phone.post(`/entregas/${delivery.id}/iniciar`, {}));
  return { ...delivery, first, second };
}

const handOver = async ({ id, second }: HandedOver) =>
  assertOk(
    await operator.post(`/entregas/${id}/reatribuir`, {
      condutor_id: second.driverId,
      motivo: 'Pneu furado',
    }),
  );

const send = (
  who: Client,
  { id, stopIds }: TestDelivery,
  index: number,
  seed = 'late',
  kind = 'foto',
): Promise<Answer> =>
  who.send(`/entregas/${id}/paradas/${stopIds[index]}/comprovantes/${kind}`, {
    method: 'PUT',
    body: new Uint8Array(kind === 'foto' ? jpeg({ seed }) : png({ seed })),
    headers: { 'content-type': kind === 'foto' ? 'image/jpeg' : 'image/png' },
  });

const stopOf = async (delivery: TestDelivery, index: number): Promise<Json> =>
  (await detail(delivery)).paradas.find(({ id }: Json) => Number(id) === delivery.stopIds[index]);

const seedsOf = (proofs: Json[]) =>
  Promise.all(
    proofs.map(async ({ url }) => {
      const content = Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1');
      return /scan ([a-z ]*)/.exec(content)![1];
    }),
  );

const assertHandedOver = (answer: Answer) =>
  assertRefused(answer, 409, /passou esta entrega para outro entregador/);

test('the driver who concluded a stop adds its photo after the hand-over, and an event tells of it', async () => {
  const delivery = await started();
  const { first, second } = delivery;
  assertOk(await first.phone.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`, {}));
  await handOver(delivery);
  const sent = assertOk(await send(first.phone, delivery, 0));
  assert.deepEqual(assertOk(await send(first.phone, delivery, 0)).body, sent.body);
  assertRefused(await send(first.phone, delivery, 0, 'another'), 409, /já terminou com outra imagem/);
  assertOk(await send(first.phone, delivery, 0, 'signed', 'assinatura'));
  const shown = await stopOf(delivery, 0);
  assert.deepEqual(await seedsOf(shown.comprovantes.slice(0, 1)), ['late']);
  assert.equal(shown.comprovantes.length, 2);
  const announced = (await history(delivery)).filter(({ type }) => type === 'entrega.comprovante');
  assert.deepEqual(
    announced.map(({ data }) => data.parada.id),
    [shown.id, shown.id],
  );
  assert.equal(
    assertOk(await operator.get(`/entregas/${delivery.id}`)).body.data.condutor.id,
    String(second.driverId),
  );
});

test('after the hand-over the first driver adds nothing to open stops nor to those of the second', async () => {
  const delivery = await started();
  const { first, second } = delivery;
  assertOk(await conclude(delivery, 0));
  await handOver(delivery);
  assertHandedOver(await send(first.phone, delivery, 1));
  assertOk(await second.phone.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[1]}/concluir`, {}));
  assertHandedOver(await send(first.phone, delivery, 1));
  assert.deepEqual((await stopOf(delivery, 1)).comprovantes, []);
  const stranger = await newDevice(malote);
  assertRefused(await send(stranger.phone, delivery, 0), 404, /entrega não encontrada/);
  assertOk(await conclude(delivery, 2));
  assertOk(await send(first.phone, delivery, 0));
  assertOk(await send(second.phone, delivery, 1));
});

test('after the hand-over the same 72 hours hold, and no image comes back after an erasure', async () => {
  const late = await started();
  assertOk(await conclude(late, 0));
  await handOver(late);
  malote.clock.advance({ hours: 71 });
  assertOk(await send(late.first.phone, late, 0));
  malote.clock.advance({ hours: 2 });
  assertRefused(await send(late.first.phone, late, 0, 'signed', 'assinatura'), 409, /há mais de 72 horas/);
  const erased = await started();
  for (const index of [0, 1]) assertOk(await conclude(erased, index));
  await handOver(erased);
  assertOk(await conclude(erased, 2));
  await erasePerson(malote.app.deps, 1, { cpf: null, phone: PHONE }, 'Tester');
  assertRefused(await send(erased.first.phone, erased, 0), 409, /foram apagados/);
  assertOk(await send(erased.first.phone, erased, 1));
});

test('the photo of a visit that failed before the hand-over goes to that attempt, not to the next visit', async () => {
  const delivery = await started();
  const { first, second } = delivery;
  assertOk(await fail(delivery, 0, {}, first.phone));
  assertOk(await fail(delivery, 1, { motivo: 'recusado' }, first.phone));
  await handOver(delivery);
  assertOk(await send(first.phone, delivery, 1, 'refused'));
  const given = await stopOf(delivery, 1);
  assert.deepEqual(await seedsOf(given.tentativas[0].comprovantes), ['refused']);

  assertOk(await send(second.phone, delivery, 0, 'second visit'));
  const sent = assertOk(await send(first.phone, delivery, 0, 'gate'));
  assert.deepEqual(assertOk(await send(first.phone, delivery, 0, 'gate')).body, sent.body);
  assertRefused(await send(first.phone, delivery, 0, 'another'), 409, /já terminou com outra imagem/);
  const open = await stopOf(delivery, 0);
  assert.deepEqual(await seedsOf(open.tentativas[0].comprovantes), ['gate']);
  assert.deepEqual(await seedsOf(open.comprovantes), ['second visit']);

  // When the stop is put back into the run it is open again. The first driver's visit remains that driver's.
  assertOk(await reopen(delivery, 1));
  assertOk(await send(first.phone, delivery, 1, 'signed', 'assinatura'));
  const again = await stopOf(delivery, 1);
  assert.equal(again.tentativas[0].comprovantes.length, 2);
  assert.deepEqual(again.comprovantes, []);
  for (const index of [0, 1, 2]) assertOk(await conclude(delivery, index));
  assertRefused(await send(first.phone, delivery, 1, 'another'), 409, /já terminou com outra imagem/);
  const announced = (await history(delivery)).filter(({ type }) => type === 'entrega.comprovante');
  assert.equal(
    announced.length,
    1,
    'the late photo of an ended stop, and none of attempts that were followed by others',
  );
});

test('a driver adds the photos of its visits after its delivery was grouped into that of another', async () => {
  const [delivery, carrier] = [await started(), await started()];
  const { first } = delivery;
  assertOk(await first.phone.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`, {}));
  assertOk(await fail(delivery, 1, {}, first.phone));
  assertOk(
    await malote.manager.post(`/entregas/${carrier.id}/agrupar`, { solicitacoes_agrupadas: [delivery.id] }),
  );
  const sent = assertOk(await send(first.phone, delivery, 0));
  assert.deepEqual(assertOk(await send(first.phone, delivery, 0)).body, sent.body);
  assertOk(await send(first.phone, delivery, 1, 'gate'));
  const moved = async (index: number): Promise<Json> =>
    (await detail(carrier)).paradas.find(({ id }: Json) => Number(id) === delivery.stopIds[index]);
  assert.deepEqual(await seedsOf((await moved(0)).comprovantes), ['late']);
  assert.deepEqual(await seedsOf((await moved(1)).tentativas[0].comprovantes), ['gate']);
  for (const each of [delivery, carrier]) {
    const announced = (await history(each)).filter(({ type }) => type === 'entrega.comprovante');
    assert.deepEqual(
      announced.map(({ data }) => Number(data.parada.id)),
      [delivery.stopIds[0]],
    );
  }

  const stranger = await newDevice(malote);
  for (const index of [0, 1, 2])
    assertRefused(await send(stranger.phone, delivery, index), 404, /entrega não encontrada/);
  assertRefused(await send(first.phone, delivery, 2), 404, /entrega não encontrada/);
  assertRefused(await send(first.phone, carrier, 0), 404, /entrega não encontrada/);
  assertRefused(await send(carrier.first.phone, delivery, 2), 406, /agrupada/);
  assertRefused(await send(operator, delivery, 0, 'another'), 406, /agrupada/);
  assertOk(await send(carrier.first.phone, { ...carrier, stopIds: delivery.stopIds }, 2));
});
