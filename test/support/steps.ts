import assert from 'node:assert/strict';
import type { Status } from '../../server/src/deliveries/deliveries/status.ts';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import type { Answer } from './client.ts';
import type { TestMalote } from './malote.ts';
import { order } from './orders.ts';
import { runText } from './runText.ts';

export interface TestDelivery {
  id: number;
  /** In visiting order. */
  stopIds: number[];
  /** The driver who carries the delivery or holds its offer. */
  driverId: number | null;
}

export function assertOk(answer: Answer): Answer {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.success, true);
  return answer;
}

/** Asserts a refusal with the business code, its status, and a message that matches. */
export function assertRefused(answer: Answer, status: number, words: RegExp): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.errors.length, 1);
  assert.equal(answer.body.errors[0].code, 0);
  assert.match(answer.body.errors[0].message, words);
}

/** Counts the answers by status, for requests of which some must lose: { 200: 1, 409: 2 }. */
export function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Counts the creations with `id_externo` by what they did: { criada: 1, repetida: 7 }. */
export function countResults(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const { resultado } = assertOk(answer).body.data;
    counts[resultado] = (counts[resultado] ?? 0) + 1;
  }
  return counts;
}

/** A driver of central 1 that no other test of the file uses. */
export async function newDriver(malote: TestMalote, at?: { lat: number; lng: number }): Promise<number> {
  const id = await newId(malote.db, 1, 'driver');
  await malote.db`
    insert into drivers (central_id, id, name, phone, vehicle, plate, color, available)
    values (1, ${id}, 'Condutor de teste', '51988880000', 'Honda CG', 'IAA0A00', null, true)`;
  if (at) assertOk(await malote.operator.post(`/condutores/${id}/posicao`, at));
  return id;
}

/** Opened by company 1's manager. */
export async function openDelivery(
  malote: TestMalote,
  changes: Record<string, unknown> = {},
  stops = 1,
): Promise<TestDelivery> {
  const { body } = assertOk(await malote.manager.post('/entregas', order(changes, stops)));
  const id = Number(body.data.id_mch);
  const read = assertOk(await malote.manager.get(`/entregas/${id}`));
  return {
    id,
    stopIds: read.body.data.paradas.map((stop: { id: string }) => Number(stop.id)),
    driverId: null,
  };
}

/** Brings a delivery to a status through the interface. Only statuses that no request leads to are written directly. */
export async function deliveryIn(malote: TestMalote, status: Status, stops = 1): Promise<TestDelivery> {
  const step = async (delivery: TestDelivery, path: string, body: unknown = {}) =>
    assertOk(await malote.operator.post(`/entregas/${delivery.id}/${path}`, body));

  if (status === 'awaiting_release') {
    await malote.configure({ releaseRequired: true });
    const waiting = await openDelivery(malote, {}, stops);
    await malote.configure({ releaseRequired: false });
    return waiting;
  }
  const delivery = await openDelivery(malote, {}, stops);
  if (status === 'distributing') return delivery;
  if (status === 'cancelled') {
    assertOk(await malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
    return delivery;
  }
  if (status === 'pending' || status === 'not_attended') {
    await runText(
      malote.db,
      `update deliveries set status = $2, ${status}_at = $3 where central_id = 1 and id = $1`,
      [delivery.id, status, malote.clock.now()],
    );
    return delivery;
  }
  const driverId = await newDriver(malote);
  delivery.driverId = driverId;
  if (status === 'offered') {
    await step(delivery, 'atribuir', { condutor_id: driverId });
    return delivery;
  }
  if (status === 'on_hold') {
    const current = await openDelivery(malote);
    await step(current, 'aceitar', { condutor_id: driverId });
  }
  await step(delivery, 'aceitar', { condutor_id: driverId });
  if (status === 'accepted' || status === 'on_hold') return delivery;
  await step(delivery, 'iniciar');
  if (status === 'in_progress') return delivery;
  for (const stopId of delivery.stopIds) await step(delivery, `paradas/${stopId}/concluir`);
  await step(delivery, 'finalizar');
  return delivery;
}

/** All stored data of a delivery, to compare before and after. */
export async function allOf(malote: TestMalote, id: number): Promise<unknown> {
  const [row] = await malote.db<{ all: unknown }>`
    select json_build_object(
      'delivery', (select row_to_json(d) from deliveries d where central_id = 1 and id = ${id}),
      'stops', (select json_agg(s order by id) from stops s where central_id = 1 and delivery_id = ${id}),
      'offers', (select json_agg(o order by id) from offers o where central_id = 1 and delivery_id = ${id}),
      'events', (select json_agg(e order by sequence) from events e where central_id = 1 and delivery_id = ${id})
    ) as all`;
  return row!.all;
}

/** Opens a delivery; a new driver accepts and starts it. */
export async function startDelivery(
  malote: TestMalote,
  changes: Record<string, unknown> = {},
  stops = 1,
): Promise<TestDelivery> {
  const delivery = await openDelivery(malote, changes, stops);
  const driverId = await newDriver(malote);
  assertOk(await malote.operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  assertOk(await malote.operator.post(`/entregas/${delivery.id}/iniciar`));
  return { ...delivery, driverId };
}

/** Opens an invoiced delivery of this company and completes it. */
export async function finishInvoiced(malote: TestMalote, companyId: number | string): Promise<void> {
  const { central, operator } = malote;
  const opened = await central.post(
    '/entregas',
    order({ forma_pagamento: 'F', empresa_id: Number(companyId), categoria_id: 1 }),
  );
  const id = Number(assertOk(opened).body.data.id_mch);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const [{ id: stopId }] = assertOk(await operator.get(`/entregas/${id}`)).body.data.paradas;
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
}
