import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { erasePerson, exportPerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import type { Client } from '../support/client.ts';
import { failingTrigger } from '../support/failingTrigger.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, stop } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { dispatched, schedule } from '../support/scheduled.ts';
import { assertOk, newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { manager, central, operator, db, clock } = malote;
const deps = { db, clock, objectStore: null };

const person = { nome: 'Rita Lima', cpf: '52998224725', telefone: '51988887777' };
const recipient = {
  ...stop(3),
  endereco_parada: 'Rua 24 de Outubro, 300, apto 5',
  complemento_parada: 'apto 5',
  referencia_parada: 'portão azul',
  nome_cliente_parada: 'Rita Lima',
  telefone_cliente_parada: '(51) 98888-7777',
  observacao_parada: 'chamar a Rita',
};
const named = (changes: object = {}) =>
  order({
    observacao: 'para a Rita',
    partida: { ...pickup, complemento: 'fundos' },
    paradas: [recipient],
    ...changes,
  });
/** Later than all times to which these tests advance. */
const far = { data: '16/11/2046' };
const PERSONAL = /Rita|8888-?7777|52998224725|apto|portão|fundos|, 300|, 1001/;

/** The whole database as text, as a person with a stolen dump would read it. */
async function everyRow(): Promise<string> {
  const tables = [
    'deliveries',
    'stops',
    'scheduled',
    'scheduled_stops',
    'customers',
    'events',
    'wallet_entries',
  ];
  const texts = [...tables, 'webhook_messages', 'idempotency_keys', 'privacy_actions'].map((table) =>
    runText<{ text: string }>(db, `select t::text as text from ${table} t`, []),
  );
  return (await Promise.all(texts))
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

async function finish(id: number): Promise<void> {
  const driver = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const stops = await db<{ id: number }>`select id from stops where central_id = 1 and delivery_id = ${id}`;
  for (const stop of stops) assertOk(await operator.post(`/entregas/${id}/paradas/${stop.id}/concluir`));
  assertOk(await operator.post(`/entregas/${id}/finalizar`));
}

const open = async (login: Client, body: object): Promise<number> =>
  Number(
    assertOk(await login.post('/entregas', body, { 'idempotency-key': crypto.randomUUID() })).body.data
      .id_mch,
  );

const recipientOf = async (id: number): Promise<string | null> => {
  const [row] = await db<{ name: string | null }>`
    select recipient_name as name from stops where central_id = 1 and delivery_id = ${id}`;
  return row!.name;
};

const read = async (id: number) => assertOk(await central.get(`/entregas/${id}`)).body.data;

describe('personal data', () => {
  test('is kept while the central says nothing of removing it', async () => {
    const id = await open(central, named({ cliente: person, categoria_id: 1 }));
    await finish(id);
    clock.advance({ hours: 24 * 400 });
    assert.deepEqual(await removeExpiredPersonalData(deps), {
      deliveries: 0,
      scheduled: 0,
      notes: 0,
      favourites: 0,
      views: 0,
    });
    assert.equal((await read(id)).nome_cliente, 'Rita Lima');
  });

  test('is removed so many months after the end, and money, times and shapes stay', async (t) => {
    const finished = await open(manager, named());
    await finish(finished);
    const cancelled = await open(manager, named());
    assertOk(await manager.post(`/entregas/${cancelled}/cancelar`, { motivo_id: 2 }));
    const sent = await dispatched(malote, { ...far, paradas: [recipient] });
    assertOk(await manager.post(`/entregas/${sent.deliveryId}/cancelar`, { motivo_id: 2 }));
    assertOk(
      await central.post('/entregas/empresas/creditos/recargas', {
        empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
        valor: 10,
        observacao: 'pago pela Rita Lima',
      }),
    );
    const balance = await db`select balance_cents from wallets where central_id = 1 order by company_id`;
    const before = await read(finished);
    const receipt = assertOk(await manager.get(`/entregas/${finished}/recibo`)).body.data;
    assert.match(await everyRow(), PERSONAL);

    await malote.configureFor(t, { personalDataMonths: 2 });
    clock.advance({ hours: 24 * 30 });
    const recent = await open(manager, named({ paradas: [{ ...recipient, nome_cliente_parada: 'Ana' }] }));
    assertOk(await manager.post(`/entregas/${recent}/cancelar`, { motivo_id: 2 }));
    clock.advance({ hours: 24 * 40 });
    const removed = await removeExpiredPersonalData(deps);
    assert.deepEqual(removed, { deliveries: 4, scheduled: 1, notes: 1, favourites: 0, views: 0 });
    assert.deepEqual(await removeExpiredPersonalData(deps), {
      deliveries: 0,
      scheduled: 0,
      notes: 0,
      favourites: 0,
      views: 0,
    });

    const after = await read(finished);
    assert.deepEqual(Object.keys(after), Object.keys(before));
    for (const field of ['valor_corrida', 'data_hora_finalizacao', 'status_solicitacao', 'condutor_id'])
      assert.deepEqual(after[field], before[field]);
    assert.equal(after.paradas[0].endereco, 'Rua 24 de Outubro');
    assert.match(after.paradas[0].lat, /^-\d+\.\d{1,2}$/);
    const receiptAfter = assertOk(await manager.get(`/entregas/${finished}/recibo`)).body.data;
    assert.deepEqual(Object.keys(receiptAfter), Object.keys(receipt));
    assert.equal(receiptAfter.valor, receipt.valor);
    assertOk(await central.post('/entregas/consultar', {}));
    assertOk(await manager.get('/entregas/programadas'));
    assert.deepEqual(
      await db`select balance_cents from wallets where central_id = 1 order by company_id`,
      balance,
    );

    assert.equal(await recipientOf(recent), 'Ana');
    await malote.configure({ personalDataMonths: 1 });
    clock.advance({ hours: 24 * 31 });
    await removeExpiredPersonalData(deps);
    assert.doesNotMatch(await everyRow(), PERSONAL);
  });

  test('of one who orders again is kept until the last request is due', async (t) => {
    await malote.configureFor(t, { personalDataMonths: 1 });
    const first = await open(central, named({ cliente: person, categoria_id: 1 }));
    assertOk(await central.post(`/entregas/${first}/cancelar`, { motivo_id: 2 }));
    clock.advance({ hours: 24 * 32 });
    const second = await open(central, named({ cliente: person, categoria_id: 1 }));
    await removeExpiredPersonalData(deps);
    assert.equal((await read(second)).nome_cliente, 'Rita Lima');
    assertOk(await central.post(`/entregas/${second}/cancelar`, { motivo_id: 2 }));
    clock.advance({ hours: 24 * 32 });
    await removeExpiredPersonalData(deps);
    const shown = await read(second);
    assert.equal(shown.nome_cliente, '***');
    assert.equal(shown.cpf_cliente, '***');
  });

  test('of other centrals is nobody’s business', async (t) => {
    await malote.configureFor(t, { personalDataMonths: 1 }, 2);
    const id = await open(manager, named());
    assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
    clock.advance({ hours: 24 * 400 });
    assert.deepEqual(await removeExpiredPersonalData(deps), {
      deliveries: 0,
      scheduled: 0,
      notes: 0,
      favourites: 0,
      views: 0,
    });
    assert.equal(await recipientOf(id), 'Rita Lima');
  });
});

describe('a person', () => {
  test('gets everything that is kept about them, by CPF or by phone, and that is recorded without either', async () => {
    const own = await open(central, named({ cliente: person, categoria_id: 1 }));
    const received = await open(manager, named());
    const waiting = await schedule(manager, { ...far, paradas: [recipient] });
    const byCpf = await exportPerson(deps, 1, { cpf: person.cpf, phone: null }, 'Tester');
    assert.deepEqual(
      (byCpf.deliveries as { id: number }[]).map(({ id }) => id),
      [own],
    );
    const byPhone = await exportPerson(deps, 1, { cpf: null, phone: person.telefone }, 'Tester');
    const carriers = (byPhone.stops as { delivery_id: number }[]).map((stop) => stop.delivery_id);
    assert.ok(carriers.includes(own) && carriers.includes(received));
    assert.ok(
      (byPhone.scheduledStops as { scheduled_id: number }[]).some((stop) => stop.scheduled_id === waiting),
    );
    assert.match(JSON.stringify(byPhone), /Rita Lima/);
    const actions = await db<{ text: string }>`
      select a::text as text from privacy_actions a where action = 'export' and done_by = 'Tester'`;
    assert.equal(actions.length, 2);
    for (const { text } of actions) assert.doesNotMatch(text, PERSONAL);
  });

  test('is forgotten in what has ended; what is under way is left alone and counted', async () => {
    const under = await open(manager, named());
    const over = await open(manager, named());
    assertOk(await manager.post(`/entregas/${over}/cancelar`, { motivo_id: 2 }));
    const others = await open(manager, named({ paradas: [stop(1)], observacao: 'outra' }));
    assertOk(await manager.post(`/entregas/${others}/cancelar`, { motivo_id: 2 }));
    const phone = { cpf: null, phone: person.telefone };
    const erased = await erasePerson(deps, 1, phone, 'Tester');
    assert.ok(erased.stops >= 1 && erased.underWay >= 1, JSON.stringify(erased));
    assert.equal(await recipientOf(over), null);
    assert.equal(await recipientOf(under), 'Rita Lima');
    assert.equal(await recipientOf(others), 'Cliente 2');

    const stillOpen = await db<{ id: number }>`
      select id from deliveries where central_id = 1 and status not in ('finished', 'cancelled', 'not_attended')`;
    for (const { id } of stillOpen) await central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
    const waiting = await db<{
      id: number;
    }>`select id from scheduled where central_id = 1 and situation = 'awaiting'`;
    for (const { id } of waiting) assertOk(await operator.post(`/programadas/${id}/cancelar`));
    await erasePerson(deps, 1, phone, 'Tester');
    assert.equal((await erasePerson(deps, 1, { cpf: person.cpf, phone: null }, 'Tester')).underWay, 0);
    assert.doesNotMatch(await everyRow(), /8888-?7777|52998224725|nome_cliente.*Rita/);
    assert.equal((await exportPerson(deps, 1, phone, 'Tester')).stops!.length, 0);
  });
});

test('the ledger still refuses every other change of an entry', async () => {
  await assert.rejects(db`update wallet_entries set amount_cents = 1`, /append-only/);
  await assert.rejects(db`update wallet_entries set note = 'x'`, /append-only/);
  await assert.rejects(db`delete from wallet_entries`, /append-only/);
});

test('a failure to remove something of a central keeps nothing else of it or of others from being removed', async (t) => {
  const cancelled = await open(manager, named());
  assertOk(await manager.post(`/entregas/${cancelled}/cancelar`, { motivo_id: 2 }));
  for (const centralId of [1, 2]) {
    await db`insert into drivers (central_id, id, name, phone) values (${centralId}, 19000001, 'Outro', '51988880000')`;
    await db`
      insert into driver_entries (central_id, id, driver_id, kind, amount_cents, day, note, created_at)
      values (${centralId}, 19000001, 19000001, 'adjustment', 100, '2026-11-16', 'pago pela Rita', ${clock.now()})`;
    await malote.configureFor(t, { personalDataMonths: 1 }, centralId);
  }
  clock.advance({ hours: 24 * 40 });
  await failingTrigger(db)(t, 'before update on deliveries', 'new.central_id = 1');
  await assert.rejects(removeExpiredPersonalData(deps), /damaged/);
  assert.equal(await recipientOf(cancelled), 'Rita Lima');
  const notes = await db`select central_id, note from driver_entries where id = 19000001 order by central_id`;
  assert.deepEqual(notes, [
    { central_id: 1, note: null },
    { central_id: 2, note: null },
  ]);
  const recorded = await db<{ central_id: number; counts: { notes: number } }>`
    select central_id, counts from privacy_actions where action = 'retention' and done_at = ${clock.now()} order by central_id`;
  assert.deepEqual(
    recorded.map(({ central_id, counts }) => [central_id, counts.notes]),
    [
      [1, 1],
      [2, 1],
    ],
  );
});
