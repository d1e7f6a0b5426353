import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, places, stop } from '../support/orders.ts';
import { deliveryRow } from '../support/rows.ts';
import { allOf, assertOk, assertRefused, openDelivery } from '../support/steps.ts';
import { balanceCents, entriesOf, setBalance } from '../support/wallets.ts';

// PUT /entregas/{id} with payment R: the reserve follows the new price in the same transaction.
const malote = await startMalote();
const { manager, central } = malote;
const edit = (id: number, changes: Record<string, unknown>) => manager.put(`/entregas/${id}`, order(changes));
const far = { ...stop(0), lat_parada: places[5].lat, lng_parada: places[5].lng };

const wallet = () => balanceCents(malote);
const held = async (id: number) => {
  const { reserved_cents, net_cents, payment } = await deliveryRow(malote, id);
  return { reserved_cents, net_cents, payment };
};

test('a dearer order reserves the difference, a cheaper one gives it back', async () => {
  await setBalance(malote, 100_000);
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
  assert.deepEqual(await entriesOf(malote, id), [
    ['reserve', -first],
    ['reserve', first - second],
    ['release', second - first],
  ]);
});

test('another payment gives all of it back, and the other way round reserves', async () => {
  await setBalance(malote, 100_000);
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
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  await setBalance(malote, 1);
  const before = await allOf(malote, id);
  assertRefused(await edit(id, { forma_pagamento: 'R', paradas: [far, stop(1)] }), 422, /saldo insuficiente/);
  assert.deepEqual(await allOf(malote, id), before);
  assert.equal(await wallet(), 1);
});

test('what the other one holds pays for it: only the difference must be there', async () => {
  await setBalance(malote, 100_000);
  const { id } = await openDelivery(malote, { forma_pagamento: 'R' });
  const first = (await held(id)).net_cents;
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  const difference = (await held(id)).net_cents - first;
  assertOk(await edit(id, { forma_pagamento: 'R' }));
  await setBalance(malote, difference);
  assertOk(await edit(id, { forma_pagamento: 'R', paradas: [far] }));
  assert.equal(await wallet(), 0);
});

test('many edits at once leave a reserve equal to the price of the one that was last', async () => {
  await setBalance(malote, 1_000_000);
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
