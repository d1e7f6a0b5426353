import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock, db } = malote;
const utc = (instant: Temporal.Instant) =>
  instant.toString({ smallestUnit: 'second', roundingMode: 'trunc' });
const inMinutes = (minutes: number) => clock.now().add({ seconds: minutes * 60 });
const step = async ({ id }: TestDelivery, path: string, at?: Temporal.Instant) =>
  assertOk(
    await operator.post(`/entregas/${id}/${path}`, at === undefined ? {} : { ocorrido_em: at.toString() }),
  );
const detail = async ({ id }: TestDelivery): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;
const history = async ({ id }: TestDelivery): Promise<Json[]> =>
  assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.eventos;
const millis = (instant: Temporal.Instant) => instant.toString({ smallestUnit: 'millisecond' });

test('steps that a phone tells later have the phone’s times, and say when they were recorded', async () => {
  const delivery = await deliveryIn(malote, 'accepted', 2);
  const times = [1, 3, 8, 9, 15].map(inMinutes);
  clock.advance({ minutes: 60 });
  await step(delivery, 'chegar', times[0]);
  await step(delivery, 'iniciar', times[1]);
  const [first, second] = delivery.stopIds;
  await step(delivery, `paradas/${first}/chegar`, times[2]);
  await step(delivery, `paradas/${first}/concluir`, times[3]);
  await step(delivery, `paradas/${second}/concluir`, times[4]);
  const read = await detail(delivery);
  assert.equal(read.chegou_em, utc(times[0]!));
  assert.equal(read.iniciada_em, utc(times[1]!));
  assert.deepEqual(
    read.paradas.map(({ concluida_em }: Json) => concluida_em),
    [utc(times[3]!), utc(times[4]!)],
  );
  assert.equal(read.finalizada_em, utc(times[4]!));
  const recorded = (await history(delivery)).slice(-6);
  assert.deepEqual(
    recorded.map(({ type, timestamp }) => [type, timestamp]),
    [
      ['entrega.status', millis(times[0]!)],
      ['entrega.status', millis(times[1]!)],
      ['entrega.parada_chegada', millis(times[2]!)],
      ['entrega.parada_concluida', millis(times[3]!)],
      ['entrega.parada_concluida', millis(times[4]!)],
      ['entrega.status', millis(times[4]!)],
    ],
  );
  for (const { registrado_em } of recorded) assert.equal(registrado_em, millis(clock.now()));
});

test('without it a step happens when it is told', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  clock.advance({ minutes: 5 });
  await step(delivery, 'chegar');
  const [last] = (await history(delivery)).slice(-1);
  assert.deepEqual(
    [last.timestamp, last.registrado_em, (await detail(delivery)).chegou_em],
    [millis(clock.now()), millis(clock.now()), utc(clock.now())],
  );
});

test('no step is before the one before it, and none in the future', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const accepted = (await detail(delivery)).aceita_em;
  clock.advance({ minutes: 30 });
  await step(delivery, 'chegar', inMinutes(-600));
  assert.equal((await detail(delivery)).chegou_em, accepted);
  await step(delivery, 'iniciar', inMinutes(90));
  assert.equal((await detail(delivery)).iniciada_em, utc(clock.now()));
  const [last] = (await history(delivery)).slice(-1);
  assert.equal(last.timestamp, millis(clock.now()));
});

test('a time of more than 72 hours ago, or none at all, is refused', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  for (const ocorrido_em of [clock.now().subtract({ hours: 73 }).toString(), 'ontem', 5]) {
    const answer = await operator.post(`/entregas/${delivery.id}/chegar`, { ocorrido_em });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, /ocorrido_em/);
  }
  assertOk(await operator.post(`/entregas/${delivery.id}/chegar`, { ocorrido_em: null }));
});

test('the same key brings the same answer once, with its time', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const key = { 'idempotency-key': 'chegada-do-telefone' };
  const body = { ocorrido_em: clock.now().toString() };
  clock.advance({ minutes: 2 });
  const send = () => operator.post(`/entregas/${delivery.id}/chegar`, body, key);
  const answers = [await send(), await send()];
  assert.equal(assertOk(answers[1]!).text, assertOk(answers[0]!).text);
  assertRefused(await operator.post(`/entregas/${delivery.id}/chegar`, body), 406, /etapa|passo|status/);
});

test('money is dated by the service: a phone’s clock moves no entry of a wallet', async () => {
  const delivery = await openDelivery(malote, { forma_pagamento: 'R' });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  const before = clock.now();
  clock.advance({ hours: 2 });
  await step(delivery, 'iniciar', before);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`, before);
  const entries = await db<{ at: Temporal.Instant }>`
    select created_at as at from wallet_entries
    where central_id = 1 and delivery_id = ${delivery.id} and kind <> 'reserve'`;
  assert.ok(entries.length > 0);
  for (const { at } of entries) assert.ok(at.equals(clock.now()), at.toString());
});

test('a search after a driver gave up has all its time, whenever that was', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const gaveUp = clock.now();
  clock.advance({ hours: 5 });
  await step(delivery, 'desistir', gaveUp);
  const [row] = await db<{ since: Temporal.Instant }>`
    select search_since as since from deliveries where central_id = 1 and id = ${delivery.id}`;
  assert.ok(row!.since.equals(clock.now()));
  const [last] = (await history(delivery)).slice(-1);
  assert.equal(last.timestamp, millis(gaveUp));
});

test('a returning delivery is finished when the phone says', async () => {
  const delivery = await openDelivery(malote, { com_retorno: true });
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 2 }));
  const [start, done, back] = [1, 2, 3].map(inMinutes);
  clock.advance({ minutes: 30 });
  await step(delivery, 'iniciar', start);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`, done);
  await step(delivery, 'finalizar', back);
  assert.equal((await detail(delivery)).finalizada_em, utc(back!));
});

test('arrival at a stop comes once, before its end, and is shown to the driver', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const path = `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/chegar`;
  assertRefused(await operator.post(path), 406, /./);
  await step(delivery, 'iniciar');
  assert.deepEqual(assertOk(await operator.post(path)).body.data, {
    id_mch: String(delivery.id),
    parada_id: String(delivery.stopIds[0]),
    status: 'E',
  });
  const work = assertOk(await operator.get(`/condutores/${delivery.driverId}/trabalho`)).body.data;
  assert.equal(work.corridas[0].paradas[0].chegou_em, utc(clock.now()));
  assertRefused(await operator.post(path), 406, /./);
  assertRefused(await operator.post(`/entregas/${delivery.id}/paradas/77777777/chegar`), 404, /parada/);
  await step(delivery, `paradas/${delivery.stopIds[0]}/concluir`);
  assert.equal((await operator.post(path)).status, 406);
  assertRefused(await malote.driver(2).post(path), 404, /entrega não encontrada/);
});

test('a refusal says why, to the central only', async () => {
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: 1 }));
  const path = `/entregas/${delivery.id}/recusar`;
  assert.equal((await malote.driver(1).post(path, { motivo: 'sono' })).status, 400);
  assertOk(await malote.driver(1).post(path, { motivo: 'longe', observacao: ' do outro lado do rio ' }));
  const { ofertas } = assertOk(await operator.get(`/entregas/${delivery.id}/historico`)).body.data;
  assert.deepEqual(
    [ofertas[0].estado, ofertas[0].motivo_recusa, ofertas[0].observacao_recusa],
    ['recusada', 'longe', 'do outro lado do rio'],
  );
});
