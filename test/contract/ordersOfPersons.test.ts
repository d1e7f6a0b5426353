import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { dispatchNow, readScheduled, schedule } from '../support/scheduled.ts';
import { situate } from '../support/states.ts';
import { assertOk, assertRefused, newDriver } from '../support/steps.ts';

// Contract 4.3: the orders of persons have no company whose manager could act on them.
const malote = await startMalote();
const { central, manager, neighbour, operator } = malote;
const login = (user: string, password: string, base: 'integracao' | 'operacao') =>
  client(`${malote.url}/api/v2/${base}`, { key: 'demo-chave', user, password });

const cliente = { nome: 'Ana Souza', cpf: '52998224725', telefone: '51999990000' };
const replacement = (changes: Record<string, unknown> = {}) => ({
  data: '17/11/2026',
  hora: '09:15:30',
  forma_pagamento: 'X',
  partida: pickup,
  paradas: [stop(3), stop(4)],
  ...changes,
});
const schedulePerson = (stops = 1) => schedule(central, { cliente }, stops);

async function openForPerson(stops = 1): Promise<{ id: number; stopIds: number[] }> {
  const { body } = assertOk(await central.post('/entregas', order({ cliente }, stops)));
  const id = Number(body.data.id_mch);
  const read = assertOk(await central.get(`/entregas/${id}`)).body.data;
  return { id, stopIds: read.paradas.map((each: Json) => Number(each.id)) };
}

test('whoever may schedule for a person may edit it, and nobody else', async () => {
  const id = await schedulePerson();
  const before = await readScheduled(central, id);
  const path = `/entregas/programadas/${id}`;
  for (const other of [manager, neighbour])
    assertRefused(await other.put(path, replacement()), 404, /não encontrada/);
  const answer = assertOk(await central.put(path, replacement()));
  assert.deepEqual(answer.body, { success: true, id_mch: id });
  const after = await readScheduled(central, id);
  assert.equal(after.data_previsao_disparo, '17/11/2026');
  assert.equal(after.paradas.length, 2);
  assert.deepEqual(after.cliente, before.cliente);
  await dispatchNow(malote, id);
  assert.equal((await readScheduled(central, id)).situacao, 'D');
});

test('every role that may schedule for a person may edit it', async () => {
  for (const perfil of ['supervisor', 'atendente', 'integrador', 'consulta', 'financeiro']) {
    const id = await schedulePerson();
    const usuario = `pessoa-${perfil}`;
    assertOk(await operator.post('/usuarios', { usuario, nome: usuario, senha: 'uma senha longa', perfil }));
    const by = login(usuario, 'uma senha longa', 'integracao');
    const created = await by.post('/entregas', order({ cliente }));
    const edited = await by.put(`/entregas/programadas/${id}`, replacement());
    assert.equal(edited.status, created.status, `${perfil}: ${edited.text}`);
  }
});

test('credits pay for no person, also after an edit', async () => {
  const id = await schedulePerson();
  const before = await readScheduled(central, id);
  const answer = await central.put(`/entregas/programadas/${id}`, replacement({ forma_pagamento: 'R' }));
  assertRefused(answer, 422, /exige uma empresa/);
  assert.deepEqual(await readScheduled(central, id), before);
});

test('one whose dispatch failed waits again after an edit', async () => {
  const id = await schedulePerson();
  await situate(malote, id, 'failed');
  assertOk(await central.put(`/entregas/programadas/${id}`, replacement()));
  assert.equal((await readScheduled(central, id)).situacao, 'A');
});

interface Logins {
  /** On the integration interface, and on the operator's. */
  orders: Client;
  desk: Client;
}

/** Each action on a person's order. */
const actions: [name: string, act: (by: Logins) => Promise<Answer>][] = [
  [
    'removing a scheduled stop',
    async ({ orders }) => {
      const id = await schedulePerson(2);
      const [first] = (await readScheduled(central, id)).paradas;
      return orders.delete(`/entregas/programadas/${id}/paradas/${first.id}`);
    },
  ],
  [
    'grouping scheduled deliveries',
    async ({ orders }) => {
      const [grouper, grouped] = [await schedulePerson(), await schedulePerson()];
      return orders.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [grouped] });
    },
  ],
  [
    'cancelling a scheduled delivery that waits',
    async ({ desk }) => desk.post(`/programadas/${await schedulePerson()}/cancelar`),
  ],
  [
    'cancelling a dispatched one',
    async ({ orders }) => {
      const id = await schedulePerson();
      await dispatchNow(malote, id);
      return orders.post(`/entregas/programadas/${id}/cancelar`);
    },
  ],
  [
    'editing a delivery',
    async ({ orders }) => orders.put(`/entregas/${(await openForPerson()).id}`, order({ cliente }, 2)),
  ],
  [
    'removing a stop of a delivery',
    async ({ orders }) => {
      const { id, stopIds } = await openForPerson(2);
      return orders.delete(`/entregas/${id}/paradas/${stopIds[0]}`);
    },
  ],
  [
    'changing the stops of a delivery',
    async ({ desk }) => {
      const { id, stopIds } = await openForPerson(2);
      const { versao } = assertOk(await operator.get(`/entregas/${id}`)).body.data;
      const paradas = [{ id: stopIds[1], observacao: 'portão azul' }, { id: stopIds[0] }];
      return desk.put(`/entregas/${id}/paradas`, { versao, paradas });
    },
  ],
  [
    'cancelling a delivery',
    async ({ orders }) => orders.post(`/entregas/${(await openForPerson()).id}/cancelar`, { motivo_id: 2 }),
  ],
  [
    'assigning a delivery',
    async ({ desk }) => {
      const { id } = await openForPerson();
      return desk.post(`/entregas/${id}/atribuir`, { condutor_id: await newDriver(malote) });
    },
  ],
];

for (const [name, act] of actions)
  test(`${name} of a person works for the central, and is not for a manager`, async () => {
    assertOk(await act({ orders: central, desk: operator }));
    const desk = login('gerente', 'demo', 'operacao');
    const answer = await act({ orders: manager, desk });
    // A manager's login takes no step of the operator's, whosever the order is.
    assert.ok([403, 404].includes(answer.status), answer.text);
    assert.ok(answer.status === 404 || answer.headers.get('x-error-kind') === 'not-allowed', answer.text);
  });
