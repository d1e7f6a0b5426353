import assert from 'node:assert/strict';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import type { Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { scheduledOrder } from './orders.ts';

/** Schedules through the interface and returns the id. */
export async function schedule(
  login: Client,
  changes: Record<string, unknown> = {},
  stops = 1,
): Promise<number> {
  const answer = await login.post('/entregas/programadas', scheduledOrder(changes, stops));
  assert.equal(answer.status, 200, answer.text);
  return Number(answer.body.data.id_mch);
}

/** Reads a scheduled delivery through the interface as this login. */
export async function readScheduled(login: Client, id: number): Promise<Json> {
  const answer = await login.get(`/entregas/programadas/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export interface RecordedEvent {
  type: string;
  sequence: number;
  payload: Json;
}

/** The events of a scheduled delivery, in order. */
export const eventsOfScheduled = ({ db }: TestMalote, id: number): Promise<RecordedEvent[]> =>
  db<RecordedEvent>`select type, sequence, payload from events where scheduled_id = ${id} order by sequence`;

export const eventsOfDelivery = ({ db }: TestMalote, id: number): Promise<RecordedEvent[]> =>
  db<RecordedEvent>`select type, sequence, payload from events where delivery_id = ${id} order by sequence`;

/** Dispatches everything that is due by the test's clock. Returns the number of deliveries created. */
export const dispatchAll = ({ app }: TestMalote): Promise<number> =>
  dispatchDue({ ...app.deps, log: { error: (details) => assert.fail(JSON.stringify(details)) } });

/** Makes a scheduled delivery due and dispatches it. The others of the file keep their times. */
export async function dispatchNow(malote: TestMalote, id: number): Promise<void> {
  await malote.db`update scheduled set dispatch_at = ${malote.clock.now()} where central_id = 1 and id = ${id}`;
  await dispatchAll(malote);
}

/** Schedules and dispatches immediately; returns both ids. */
export async function dispatched(
  malote: TestMalote,
  changes: Record<string, unknown> = {},
  stops = 1,
): Promise<{ id: number; deliveryId: number }> {
  const id = await schedule(malote.manager, changes, stops);
  await dispatchNow(malote, id);
  return { id, deliveryId: Number((await readScheduled(malote.manager, id)).id_mch) };
}

/** A scheduled delivery of company 2 whose dispatch failed, because the company's credit was spent in between. */
export async function failedDispatch(malote: TestMalote): Promise<number> {
  const setBalance = (cents: number) =>
    malote.db`update wallets set balance_cents = ${cents} where central_id = 1 and company_id = 2`;
  await setBalance(100_000);
  const id = await schedule(malote.manager2, { data: '17/11/2026', forma_pagamento: 'R' });
  await setBalance(0);
  await dispatchNow(malote, id);
  return id;
}
