import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCentral } from '../../server/src/centrals/centralStore.ts';
import { endSearches } from '../../server/src/dispatch/rounds/closeSearches.ts';
import { dispatchDue } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { lockBalance } from '../../server/src/money/wallet/walletStore.ts';
import type { Json } from '../support/client.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { dispatchAll, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, operator, db, clock } = malote;
const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
assertOk(await central.post('/entregas/empresas/creditos/recargas', { valor: 5_000, empresa }));

/** Another transaction holds the wallet of company 1 while the work runs. */
async function whileHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  return db.begin(async (tx) => {
    await lockBalance(tx, 1, 1);
    return work();
  });
}

test('a held wallet is waited for once, after all others, and its deliveries go a moment later', async () => {
  const held: number[] = [];
  for (let count = 0; count < 6; count += 1) held.push(await schedule(manager, { forma_pagamento: 'R' }));
  const free = await schedule(manager, { forma_pagamento: 'F' });
  await db`update scheduled set dispatch_at = ${clock.now()} where central_id = 1 and situation = 'awaiting'`;
  const errors: unknown[] = [];
  const deps = { ...malote.app.deps, log: { error: (details: object) => errors.push(details) } };
  const { texts } = await countStatements(() => whileHeld(() => dispatchDue(deps)));
  assert.deepEqual(errors, [], 'waiting is no error of a delivery');
  assert.equal(texts.filter((text) => text === 'rollback').length, 1, 'one wait for all of them');
  assert.ok((await readScheduled(manager, free)).id_mch);
  for (const id of held) assert.equal((await readScheduled(manager, id)).id_mch, null);
  clock.advance({ seconds: 1 });
  assert.equal(await dispatchAll(malote), held.length);
});

test('searches that end together give their credit back in as many statements as a few', async () => {
  const statementsFor = async (count: number): Promise<number> => {
    await db`update deliveries set status = 'cancelled', cancelled_at = ${clock.now()}, reserved_cents = 0
      where central_id = 1 and status not in ('cancelled', 'finished', 'not_attended')`;
    for (let number = 0; number < count; number += 1)
      assertOk(await manager.post('/entregas', order({ forma_pagamento: 'R' })));
    clock.advance({ hours: 48 });
    const found = (await findCentral(db, 1))!;
    const { result, texts } = await countStatements(() => endSearches(malote.app.deps, found));
    assert.equal(result, count);
    // Ids are taken in blocks, and a statement that waits for a block travels in a message of its own.
    return texts.flatMap((text) => text.split('; ')).filter((text) => !text.includes('id_counters')).length;
  };
  assert.equal(await statementsFor(12), await statementsFor(2));
  const { lancamentos } = assertOk(await operator.get('/empresas/1/extrato?limite=2')).body.data;
  assert.deepEqual(
    lancamentos.map(({ tipo }: Json) => tipo),
    ['estorno_reserva', 'estorno_reserva'],
  );
});

test('of Pix codes that are requested at once none is above the limit', async (t) => {
  await malote.configureFor(t, { pixKey: 'pix@central.com.br', pixCity: 'Porto Alegre' });
  await db`
    insert into pix_top_ups (central_id, identifier, company_id, amount_cents, requested_at)
    select 1, 'CHEIO' || n, 1, 100, ${clock.now()}::timestamptz from generate_series(1, 198) n`;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => operator.post('/empresas/1/pix', { valor: '1.00' })),
  );
  assert.deepEqual(countStatuses(answers), { 200: 2, 409: 10 });
});
