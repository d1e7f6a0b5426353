import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, places, stop } from '../support/orders.ts';
import { allOf, assertOk, assertRefused, openDelivery } from '../support/steps.ts';

// PUT /entregas/{id} with payment R: the reserve follows the new price in the same transaction.
const malote = await startMalote();
const { manager, central, db } = malote;
const edit = (id: number, changes: Record<string, unknown>) => manager.put(`/entregas/${id}`, order(changes));
const far = { ...stop(0), lat_parada: places[5].lat, lng_parada: places[5].lng };

const setBalance = async (cents: number) => {
  await db`update wallets set balance_cents = ${cents} where central_id = 1 and company_id = 1`;
};
const wallet = async () => {
  const [row] = await db<{ balance_cents: number }>`
    select balance_cents from wallets where central_id = 1 and company_id = 1`;
  return row!.balance_cents;
};
const held = async (id: number) => {
  const [row] = await db<{ reserved_cents: number; net_cents: number; payment: string }>`
    select reserved_cents, net_cents, payment from deliveries where central_id = 1 and id = ${id}`;
  return row!;
};
const entriesOf = async (id: number) => {
  const rows = await db<{ kind: string; amount_cents: number }>`
    select kind, amount_cents from wallet_entries where central_id = 1 and delivery_id = ${id} order by id`;
  return rows.map(({ kind, amount_cents }) => [kind, amount_cents]);
};

test('a dearer order reserves the difference, a cheaper one gives it back', async () => {
  await setBalance(100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const first = (await held(id)).net_cents;
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far, stop(1)] }));
  const second = (await held(id)).net_cents;
  assert.ok(second > first);
  assert.equal((await held(id)).reserved_cents, second);
  assert.equal(await wallet(), 100_000 - second);
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  assert.equal((await held(id)).reserved_cents, first);
  assert.equal(await wallet(), 100_000 - first);
  assert.deepEqual(await entriesOf(id), [
    ['reserve', -first],
    ['reserve', first - second],
    ['release', second - first],
  ]);
});

test('another payment gives all of it back, and the other way round reserves', async () => {
  await setBalance(100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const { net_cents: net } = await held(id);
  assertOk(await edit(id, { forma_pagamento: 'D' }));
  assert.deepEqual(await held(id), { reserved_cents: 0, net_cents: net, payment: 'cash' });
  assert.equal(await wallet(), 100_000);
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  assert.equal((await held(id)).reserved_cents, net);
  assert.equal(await wallet(), 100_000 - net);
});

test('too little balance -> 422, and nothing changes', async () => {
  await setBalance(100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  await setBalance(1);
  const before = await allOf(malote, id);
  assertRefused(await edit(id, { forma_pagamento: 'R', paradas: [far, stop(1)] }), 422, /saldo insuficiente/);
  assert.deepEqual(await allOf(malote, id), before);
  assert.equal(await wallet(), 1);
});

test('what the other one holds pays for it: only the difference must be there', async () => {
  await setBalance(100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const first = (await held(id)).net_cents;
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  const difference = (await held(id)).net_cents - first;
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  await setBalance(difference);
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  assert.equal(await wallet(), 0);
});

test('many edits at once leave a reserve equal to the price of the one that was last', async () => {
  await setBalance(1_000_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      edit(id, { forma_pagamento: 'R', paradas: Array.from({ length: index + 1 }, (_, at) => stop(at)) }),
    ),
  );
  for (const answer of answers) assertOk(answer);
  const { reserved_cents, net_cents } = await held(id);
  assert.equal(reserved_cents, net_cents);
  assert.equal(await wallet(), 1_000_000 - net_cents);
  const { paradas, valor_corrida } = assertOk(await central.get(`/entregas/${id}`)).body.data;
  assert.deepEqual(
    paradas.map((one: { ordem: number }) => one.ordem),
    [...paradas.keys()],
  );
  assert.equal(Math.round(Number(valor_corrida) * 100), net_cents);
});
