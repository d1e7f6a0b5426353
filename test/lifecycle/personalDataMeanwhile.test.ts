import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markAwaitingAgain } from '../../server/src/deliveries/scheduled/scheduledStore.ts';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { dispatchNow, failedDispatch, readScheduled } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { central, manager2, db, clock } = malote;
const deps = { db, clock };

const person = { nome: 'Rita Lima', cpf: '52998224725', telefone: '51988887777' };
const open = async (): Promise<string> =>
  assertOk(await central.post('/entregas', order({ cliente: person, categoria_id: 1 }))).body.data.id_mch;
const cancel = async (id: string) =>
  assertOk(await central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));

test('a person who is erased stays named in a failed scheduled delivery that an operator retries', async () => {
  const id = await failedDispatch(malote);
  await db`
    update scheduled_stops set recipient_name = 'Ana Souza', recipient_phone = '51977776666'
    where central_id = 1 and scheduled_id = ${id}`;
  const { erasing } = await db.begin(async (tx) => {
    await markAwaitingAgain(tx, 1, id, clock.now().add({ hours: 24 }));
    await tx`select`;
    const done = erasePerson(deps, 1, { cpf: null, phone: '51977776666' }, 'Tester');
    await waitUntil('the removal waits', async () => (await countLockWaits(db)) === 1);
    return { erasing: { done } };
  });
  assert.equal((await erasing.done).underWay, 1);
  const names = await db<{ name: string | null }>`
    select recipient_name as name from scheduled_stops where central_id = 1 and scheduled_id = ${id}`;
  assert.deepEqual(names, [{ name: 'Ana Souza' }]);
});

test('data written into a failed scheduled delivery after a removal is removed in its time', async (t) => {
  const id = await failedDispatch(malote);
  await malote.configureFor(t, { personalDataMonths: 1 });
  clock.advance({ hours: 24 * 40 });
  await removeExpiredPersonalData(deps);
  const recipient = {
    ...stop(3),
    nome_cliente_parada: 'Rita Lima',
    telefone_cliente_parada: '(51) 98888-7777',
  };
  const date = clock.now().toZonedDateTimeISO('America/Sao_Paulo').add({ days: 1 });
  const data = date.toPlainDate().toString().split('-').reverse().join('/');
  const changed = scheduledOrder({ data, forma_pagamento: 'F', paradas: [recipient] });
  assertOk(await manager2.put(`/entregas/programadas/${id}`, changed));
  await dispatchNow(malote, id);
  const { id_mch } = await readScheduled(manager2, id);
  await cancel(id_mch);
  clock.advance({ hours: 24 * 140 });
  await removeExpiredPersonalData(deps);
  const names = await db<{ name: string | null }>`
    select recipient_name as name from stops where central_id = 1 and delivery_id = ${id_mch}
    union all select recipient_name from scheduled_stops where central_id = 1 and scheduled_id = ${id}`;
  assert.deepEqual(names, [{ name: null }, { name: null }]);
});

for (const [what, remove] of [
  ['is erased', () => erasePerson(deps, 1, { cpf: person.cpf, phone: null }, 'Tester')],
  ['has orders whose time is over', () => removeExpiredPersonalData(deps)],
] as const)
  test(`a person who ${what} is still named in what it orders at that moment`, async (t) => {
    await cancel(await open());
    await malote.configureFor(t, { personalDataMonths: 1 });
    clock.advance({ hours: 24 * 40 });
    const { ordering, removing } = await db.begin(async (tx) => {
      // An order that already has its customer waits for its category here.
      await tx`select from categories where central_id = 1 and id = 1 for update`;
      const ordering = open();
      await waitUntil('the order waits', async () => (await countLockWaits(db)) === 1);
      const removing = remove();
      await waitUntil('the removal waits', async () => (await countLockWaits(db)) === 2);
      return { ordering: { id: ordering }, removing: { done: removing } };
    });
    const id = await ordering.id;
    await removing.done;
    const shown = assertOk(await central.get(`/entregas/${id}/detalhes`)).body.data;
    assert.deepEqual([shown.nome_cliente, shown.telefone_cliente], [person.nome, person.telefone]);
    await cancel(id);
  });
