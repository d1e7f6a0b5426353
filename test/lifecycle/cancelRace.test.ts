import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Answer } from '../support/client.ts';
import { assertNoClaims, assertWalletsBalanced, at, groupDeliveries, start } from '../support/grouping.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, countStatuses } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

// Real concurrent requests on separate connections. In any order the result is consistent: nothing is lost, charged
// twice or held for a request that is over, and no request is answered with an internal error.
const malote = await startMalote();
const { manager, operator, db } = malote;
const ROUNDS = 8;

before(async () => {
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', { valor: 100_000, empresa }));
});

const paid = (...places: number[]) => ({ ...at(...places), forma_pagamento: 'R' });
const cancel = (id: number) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
const conclude = (id: number, stopId: number) => operator.post(`/entregas/${id}/paradas/${stopId}/concluir`);
const statusOf = async (id: number) => assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const stopsOf = async (id: number): Promise<number[]> =>
  (await read(id)).paradas.map((stop: { id: string }) => Number(stop.id));

/** A delivery that also carries another one's stops. */
async function grouped(
  own: number[] = [1],
  other: number[] = [4, 5],
): Promise<{ carrier: number; inside: number; stopIds: number[] }> {
  const [carrier, inside] = [await start(malote, paid(...own)), await start(malote, paid(...other))];
  const stopIds = await stopsOf(inside);
  assertOk(await groupDeliveries(malote, carrier, [inside]));
  return { carrier, inside, stopIds };
}

async function assertSound(answers: readonly Answer[], allowed: readonly number[]): Promise<void> {
  for (const { status, text } of answers) assert.ok(allowed.includes(status), `${status}: ${text}`);
  const held = await db`
    select id from deliveries where central_id = 1 and reserved_cents <> 0
      and (status in ('finished', 'cancelled', 'not_attended') or grouped_into is not null)`;
  assert.deepEqual(held, [], 'nothing is held for what is over or carried by another');
  const unpaid = await db`
    select id from deliveries where central_id = 1 and payment = 'credit_wallet' and grouped_into is null
      and status = 'in_progress' and reserved_cents <> net_cents`;
  assert.deepEqual(unpaid, [], 'what is on its way holds its price');
  const strays = await db`
    select d.id from deliveries d join deliveries g on g.central_id = 1 and g.id = d.grouped_into
    where d.central_id = 1 and (g.grouped_into is not null or d.status <> g.status)`;
  assert.deepEqual(strays, [], 'whoever is grouped follows one that is not');
  const charged = await db`
    select delivery_id from wallet_entries
    where central_id = 1 and kind in ('settlement', 'cancellation_fee')
    group by delivery_id having count(*) > 1`;
  assert.deepEqual(charged, [], 'nothing is charged twice');
  await assertWalletsBalanced(malote);
  await assertNoClaims(malote);
}

test('cancelling a grouped one against itself: one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { carrier, inside } = await grouped();
    const answers = await Promise.all(Array.from({ length: 4 }, () => cancel(inside)));
    assert.deepEqual(countStatuses(answers), { 200: 1, 406: 3 });
    await assertSound(answers, [200, 406]);
    assert.equal(await statusOf(carrier), 'E');
    assert.equal((await stopsOf(carrier)).length, 1);
  }
});

test('against concluding its stops: what was concluded in time stays with the carrier', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { carrier, inside, stopIds } = await grouped();
    const answers = await Promise.all([
      cancel(inside),
      ...stopIds.map((stopId) => conclude(carrier, stopId)),
    ]);
    await assertSound(answers, [200, 404]);
    assertOk(answers[0]!);
    assert.equal(await statusOf(inside), 'C');
    const concluded = answers.slice(1).filter(({ status }) => status === 200).length;
    assert.equal((await stopsOf(carrier)).length, 1 + concluded);
    assert.equal((await stopsOf(inside)).length, stopIds.length - concluded);
  }
});

test('against the conclusion that would end the carrier', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { carrier, inside, stopIds } = await grouped([1], [4]);
    const inTurn = await stopsOf(carrier);
    const own = inTurn.find((id) => !stopIds.includes(id));
    const [cancelled, ...concluded] = await Promise.all([cancel(inside), conclude(carrier, own!)]);
    await assertSound([cancelled, ...concluded], [200]);
    // The second request left nothing to visit.
    assert.deepEqual([await statusOf(inside), await statusOf(carrier)], ['C', 'F']);
  }
});

test('against cancelling the carrier: both are cancelled, each once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { carrier, inside } = await grouped();
    const answers = await Promise.all([cancel(inside), cancel(carrier)]);
    await assertSound(answers, [200, 406]);
    assertOk(answers[1]!);
    assert.deepEqual([await statusOf(carrier), await statusOf(inside)], ['C', 'C']);
    const recorded = await db`
      select id from events where central_id = 1 and delivery_id in (${carrier}, ${inside})
        and type = 'delivery.status' and payload ->> 'status' = 'cancelled'`;
    assert.equal(recorded.length, 2);
  }
});

test('against grouping the carrier into another, and another into the carrier', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { carrier, inside } = await grouped();
    const other = await start(malote, paid(6));
    const [grouper, joined] = round % 2 ? [other, carrier] : [carrier, other];
    const [cancelled, grouping] = await Promise.all([
      cancel(inside),
      groupDeliveries(malote, grouper, [joined]),
    ]);
    await assertSound([cancelled, grouping], [200, 400, 409]);
    assertOk(cancelled);
    assert.equal(await statusOf(inside), 'C');
    const carried = grouping.status === 200 ? 2 : 1;
    assert.equal((await stopsOf(grouper)).length, carried);
  }
});

test('cancelling against concluding the last stop: charged once, by whichever came first', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await start(malote, paid(1, 0));
    const [first, last] = await stopsOf(id);
    assertOk(await conclude(id, first!));
    const answers = await Promise.all([cancel(id), conclude(id, last!), cancel(id)]);
    await assertSound(answers, [200, 406]);
    const { status_solicitacao, taxas_cancelamento, valor_corrida } = await read(id);
    assert.ok(['C', 'F'].includes(status_solicitacao));
    const [entry] = await db<{ kind: string; cents: number }>`
      select kind, -amount_cents as cents from wallet_entries
      where central_id = 1 and delivery_id = ${id} and kind in ('settlement', 'cancellation_fee')`;
    const [kind, price] =
      status_solicitacao === 'F' ? ['settlement', valor_corrida] : ['cancellation_fee', taxas_cancelamento];
    assert.deepEqual([entry!.kind, entry!.cents], [kind, Math.round(Number(price) * 100)]);
  }
});

test('cancelling what ends its carrier against a settlement that holds the wallet: neither waits for the other', async (t) => {
  await malote.configureFor(t, { cancellationFeeCents: 250 });
  const [carrier, inside] = [
    await start(malote, { ...at(1), forma_pagamento: 'F' }),
    await start(malote, paid(4)),
  ];
  const earlier = await start(malote, paid(2));
  assertOk(await conclude(earlier, (await stopsOf(earlier))[0]!));
  const [own] = await stopsOf(carrier);
  assertOk(await groupDeliveries(malote, carrier, [inside]));
  assertOk(await conclude(carrier, own!));
  // Locks in the order of every settlement: first the wallet, then the company's account.
  const [answer] = await db.begin(async (tx) => {
    await tx`select from wallets where central_id = ${1} and company_id = ${1} for update`;
    const cancelling = cancel(inside);
    await waitUntil('it waits for the wallet', async () => (await countLockWaits(db)) === 1);
    // `nowait`, because PostgreSQL would resolve a deadlock by retrying one of the two.
    await tx`select from company_accounts where central_id = ${1} and company_id = ${1} for update nowait`;
    return [cancelling];
  });
  await assertSound([await answer], [200]);
  assert.deepEqual([await statusOf(inside), await statusOf(carrier)], ['C', 'F']);
  assert.equal((await read(inside)).taxas_cancelamento, '2.50');
});
