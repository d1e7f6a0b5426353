import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fixedLimits } from '../../server/src/api/http/rateLimits.ts';
import { IMAGES_OF_STOP_MAX } from '../../server/src/deliveries/deliveries/keepProof.ts';
import { erasePerson, exportPerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import type { Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { assertOk, assertRefused, newDriver, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { db, clock, operator, manager } = malote;
const { fail, conclude, reopen, detail } = failing(malote);

beforeEach(() =>
  malote.configure({
    failureAbsent: 'retry',
    failureRefused: 'leave',
    failureAttemptsMax: 3,
    proofPhoto: 'off',
    confirmationCode: false,
  }),
);

/** A delivery in progress, with a second stop that keeps the first one's attempts open. */
async function started(phone = '51977771234'): Promise<TestDelivery> {
  const paradas = [{ ...stop(0), telefone_cliente_parada: phone }, stop(1)];
  const delivery = await openDelivery(malote, { paradas });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  return delivery;
}

const send = ({ id, stopIds }: TestDelivery, seed: string, kind = 'foto') =>
  operator.send(`/entregas/${id}/paradas/${stopIds[0]}/comprovantes/${kind}`, {
    method: 'PUT',
    body: new Uint8Array(kind === 'foto' ? jpeg({ seed }) : png({ seed })),
    headers: { 'content-type': kind === 'foto' ? 'image/jpeg' : 'image/png' },
  });

const stopOf = async (delivery: TestDelivery): Promise<Json> =>
  (await detail(delivery)).paradas.find(({ id }: Json) => Number(id) === delivery.stopIds[0]);

const seedAt = async (url: string): Promise<string | number> => {
  const answer = await fetch(url);
  if (answer.status !== 200) return answer.status;
  const [, seed] = /scan ([a-z ]*)/.exec(Buffer.from(await answer.arrayBuffer()).toString('latin1'))!;
  return seed!;
};
const seedsOf = (proofs: Json[]) => Promise.all(proofs.map(({ url }) => seedAt(url)));

/** Two attempts with a photo each, and the handover with a third photo. */
async function thirdTime(phone?: string): Promise<TestDelivery> {
  const delivery = await started(phone);
  assertOk(await send(delivery, 'gate'));
  assertOk(await fail(delivery));
  assertOk(await send(delivery, 'dark window'));
  assertOk(await fail(delivery));
  assertOk(await conclude(delivery, 1));
  assertOk(await send(delivery, 'handed over'));
  assertOk(await conclude(delivery, 0));
  return delivery;
}

test('the photo of every failed attempt is kept beside that of the handing over', async () => {
  const delivery = await started();
  assertOk(await send(delivery, 'gate'));
  const sent = (await stopOf(delivery)).comprovantes[0].url;
  assertOk(await fail(delivery));
  assert.equal(await seedAt(sent), 'gate', 'a link that was given before leads to the same photo');
  assert.deepEqual((await stopOf(delivery)).comprovantes, [], 'of the visit that comes there is none yet');
  assertOk(await send(delivery, 'dark window'));
  assertOk(await send(delivery, 'porch'));
  assertOk(await fail(delivery));
  assertOk(await conclude(delivery, 1));
  assertOk(await send(delivery, 'handed over'));
  assertOk(await send(delivery, 'signed', 'assinatura'));
  assertOk(await conclude(delivery, 0));

  const shown = await stopOf(delivery);
  assert.deepEqual(await seedsOf(shown.comprovantes.slice(0, 1)), ['handed over']);
  assert.deepEqual(
    shown.comprovantes.map(({ tipo }: Json) => tipo),
    ['foto', 'assinatura'],
  );
  assert.deepEqual(
    await Promise.all(shown.tentativas.map(({ comprovantes }: Json) => seedsOf(comprovantes))),
    [['gate'], ['porch']],
    'another photo takes the place only of one of the same visit',
  );
  const { paradas, eventos } = assertOk(await manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  const integrator = paradas.find(({ id }: Json) => id === shown.id);
  assert.deepEqual(integrator.comprovantes, shown.comprovantes);
  assert.deepEqual(
    integrator.tentativas.map(({ comprovantes }: Json) => comprovantes),
    shown.tentativas.map(({ comprovantes }: Json) => comprovantes),
  );
  const { dados } = eventos.findLast(({ tipo }: Json) => tipo === 'entrega.parada_concluida');
  assert.deepEqual(
    dados.comprovantes.map(({ url }: Json) => url),
    shown.comprovantes.map(({ url }: Json) => url),
    'the event of the handing over names its own images',
  );
  const failed = eventos.filter(({ tipo }: Json) => tipo === 'entrega.parada_nao_entregue');
  assert.deepEqual(
    await Promise.all(failed.map((event: Json) => seedsOf(event.dados.comprovantes))),
    [['gate'], ['porch']],
    'and that of a failed attempt its own',
  );
});

test('the photo of a failed attempt does not stand for the one that a handing over requires', async () => {
  await malote.configure({ proofPhoto: 'required' });
  const delivery = await started();
  assertOk(await send(delivery, 'gate'));
  assertOk(await fail(delivery));
  assertRefused(await conclude(delivery, 0), 422, /falta a foto/);
  assertOk(await send(delivery, 'handed over'));
  assertOk(await conclude(delivery, 0));
});

test('a stop that was given up has its photo at its last attempt, also one that arrives later', async () => {
  const delivery = await started();
  assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
  assertOk(await send(delivery, 'refused'));
  const given = await stopOf(delivery);
  assert.deepEqual(await seedsOf(given.tentativas[0].comprovantes), ['refused']);
  assert.deepEqual(given.comprovantes, given.tentativas[0].comprovantes);
  assertRefused(await send(delivery, 'another'), 409, /já terminou com outra imagem/);

  assertOk(await reopen(delivery));
  assertOk(await send(delivery, 'second visit'));
  const again = await stopOf(delivery);
  assert.notEqual(again.tentativas[0].desfeita_em, null);
  assert.deepEqual(await seedsOf(again.tentativas[0].comprovantes), ['refused']);
  assert.deepEqual(await seedsOf(again.comprovantes), ['second visit']);
});

test('the tracking page shows the photo of the handing over, and none of a failed attempt', async () => {
  await malote.configure({ proofOnTracking: true });
  const photosOn = async (delivery: TestDelivery) => {
    const links = assertOk(await malote.central.get(`/entregas/${delivery.id}/links-rastreio`)).body.data;
    const link = links.find(({ parada_id }: Json) => Number(parada_id) === delivery.stopIds[0]);
    const page = await (await fetch(link.link_rastreio)).text();
    return [...page.matchAll(/src="(\/comprovantes\/[^"]+)"/g)].map(([, path]) => `${malote.url}${path}`);
  };
  const delivered = await thirdTime();
  assert.deepEqual(await Promise.all((await photosOn(delivered)).map(seedAt)), ['handed over']);
  const refused = await started();
  assertOk(await send(refused, 'gate'));
  assertOk(await fail(refused, 0, { motivo: 'recusado' }));
  assert.deepEqual(await photosOn(refused), []);
});

test('a stop keeps so many images and no more, however often it is tried again', async () => {
  const delivery = await started();
  for (let visit = 0; visit < IMAGES_OF_STOP_MAX / 2; visit += 1) {
    if (visit > 0) assertOk(await reopen(delivery));
    assertOk(await send(delivery, 'photo'));
    assertOk(await send(delivery, 'signed', 'assinatura'));
    assertOk(await fail(delivery, 0, { motivo: 'recusado' }));
    clock.advance({ minutes: 1 });
  }
  assertOk(await reopen(delivery));
  const refused = await send(delivery, 'one more');
  assertRefused(refused, 409, /já guarda 40 imagens/);
  assert.equal(refused.body.errors[0].kind, 'proof-too-many');
  assert.equal((await kept(delivery)).length, IMAGES_OF_STOP_MAX);
});

test('images that take the place of one another are refused when they come too fast', async () => {
  const delivery = await started();
  for (let sent = 0; sent < fixedLimits.imagesOfStop; sent += 1)
    assertOk(await send(delivery, sent % 2 === 0 ? 'even' : 'odd'));
  const refused = await send(delivery, 'too fast');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.deepEqual(await seedsOf((await stopOf(delivery)).comprovantes), ['odd']);
  clock.advance({ minutes: 1 });
  assertOk(await send(delivery, 'in time'));
});

const EXPORTED = ['handed over', 'gate', 'dark window'];
const kept = ({ stopIds }: TestDelivery) =>
  db`select kind, attempt from proof_images where central_id = 1 and stop_id = ${stopIds[0]}`;

test('a person gets the images of all visits, and after the erasure there is none', async () => {
  const person = { cpf: null, phone: '51977770777' };
  const delivery = await thirdTime(person.phone);
  const { comprovantes, tentativas } = await stopOf(delivery);
  const { proofImages } = await exportPerson({ db, clock, objectStore: null }, 1, person, 'Tester');
  const images = proofImages as { attempt: number; content: string }[];
  assert.deepEqual(
    images.map(({ attempt }) => attempt),
    [0, 1, 2],
  );
  for (const [index, { content }] of images.entries())
    assert.ok(Buffer.from(content, 'base64').toString('latin1').includes(EXPORTED[index]!));
  await erasePerson({ db, clock }, 1, person, 'Tester');
  assert.deepEqual(await kept(delivery), []);
  const urls = [comprovantes, ...tentativas.map((attempt: Json) => attempt.comprovantes)].flat();
  assert.deepEqual(await seedsOf(urls), [404, 404, 404]);
});

test('retention removes the images of all visits', async () => {
  await malote.configure({ personalDataMonths: 1 });
  const delivery = await thirdTime();
  assert.equal((await kept(delivery)).length, 3);
  clock.advance({ hours: 24 * 40 });
  await removeExpiredPersonalData({ db, clock });
  assert.deepEqual(await kept(delivery), []);
});
