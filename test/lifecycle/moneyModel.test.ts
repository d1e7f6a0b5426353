import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, newDriver } from '../support/steps.ts';

/*
 * Several people order, carry out and cancel deliveries with all forms of payment, and close accounts in the meantime.
 * The debts of companies plus the payments in cash, by credit and at the order must equal the shares of drivers and the
 * central. Each side is summed from a separate ledger.
 */
const malote = await startMalote();
const { central, manager, operator, db } = malote;
const known: number[] = [];

async function carryOut(id: number): Promise<Answer> {
  const step = (path: string, body: unknown = {}) => operator.post(`/entregas/${id}/${path}`, body);
  await step('aceitar', { condutor_id: await newDriver(malote) });
  await step('iniciar');
  const { paradas } = (await manager.get(`/entregas/${id}`)).body.data;
  const answers = await Promise.all(
    paradas.map(({ id: stopId }: { id: string }) => step(`paradas/${stopId}/concluir`)),
  );
  return answers[0] as Answer;
}

const at = (index: number): number | undefined => known[index % Math.max(1, known.length)];
const onDelivery =
  (act: (id: number) => Promise<Answer>) => (index: number) => async (): Promise<Answer | undefined> => {
    const id = at(index);
    return id === undefined ? undefined : act(id);
  };

const ate = '2026-12-31';
const act = fc.oneof(
  fc
    .record({
      forma_pagamento: fc.constantFrom('D', 'F', 'R', 'X'),
      stops: fc.integer({ min: 1, max: 3 }),
      valor_cobrar: fc.option(fc.integer({ min: 1, max: 9_000 }).map((value) => (value / 100).toFixed(2))),
    })
    .map(({ forma_pagamento, stops, valor_cobrar }) => async () => {
      const body = order({ forma_pagamento }, stops);
      if (valor_cobrar !== null) Object.assign(body.paradas[0]!, { valor_cobrar });
      const answer = await manager.post('/entregas', body);
      if (answer.status === 200) known.push(Number(answer.body.data.id_mch));
      return answer;
    }),
  fc.nat({ max: 60 }).map(onDelivery(carryOut)),
  fc.nat({ max: 60 }).map(
    onDelivery(async (id) => {
      await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) });
      return manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
    }),
  ),
  fc.constant(() => operator.post('/empresas/1/fechamentos', { ate })),
);

const sum = async (query: TemplateStringsArray): Promise<number> =>
  (await db<{ cents: number | null }>(query))[0]!.cents ?? 0;

async function assertBalanced(): Promise<void> {
  const owed =
    await sum`select sum(balance_cents)::bigint as cents from company_accounts where central_id = 1`;
  const cash = await sum`
    select -sum(amount_cents)::bigint as cents from driver_entries where central_id = 1 and kind = 'collected'`;
  const byCredit = await sum`
    select -sum(amount_cents)::bigint as cents from wallet_entries
    where central_id = 1 and kind in ('settlement', 'cancellation_fee')`;
  const direct = await sum`
    select -sum(amount_cents)::bigint as cents from company_entries where central_id = 1 and kind = 'direct'`;
  const shares = await sum`
    select sum(amount_cents)::bigint as cents from driver_entries where central_id = 1 and kind = 'share'`;
  const ofCentral = await sum`
    select sum(amount_cents - driver_cents)::bigint as cents from company_entries
    where central_id = 1 and kind in ('delivery', 'cancellation_fee')`;
  assert.equal(owed + cash + byCredit + direct, shares + ofCentral);
  const prices = await sum`
    select sum(case status when 'finished' then net_cents else coalesce(cancellation_fee_cents, 0) end)::bigint as cents
    from deliveries where central_id = 1 and (status = 'cancelled' or status = 'finished' and grouped_into is null)`;
  assert.equal(shares + ofCentral, prices, 'what is shared is what was charged');
  const faults = await db`
    select account.company_id from company_accounts account
    where central_id = 1 and (balance_cents, entry_count) <> (
      select coalesce(sum(amount_cents), 0), count(*) from company_entries e
      where e.central_id = 1 and e.company_id = account.company_id)
    union all
    select e.id from company_entries e left join lateral (
      select count(*) as count from closings c where c.central_id = 1 and c.company_id = e.company_id
        and e.number between c.from_number and c.to_number) closed on true
    where e.central_id = 1 and closed.count > 1`;
  assert.deepEqual(faults, [], 'accounts are the sums of their entries, and none is closed twice');
}

test('what companies owe plus what was paid is what drivers and the central share', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 67, cancellationFeeCents: 431 });
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await central.post('/entregas/empresas/creditos/recargas', { valor: 900, empresa }));
  // Each form of payment occurs, whatever is drawn afterwards.
  for (const forma_pagamento of ['D', 'F', 'R', 'X']) {
    const { id_mch } = assertOk(await manager.post('/entregas', order({ forma_pagamento }))).body.data;
    assertOk(await carryOut(Number(id_mch)));
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 4, maxLength: 8, size: 'max' }), {
        minLength: 2,
        maxLength: 3,
        size: 'max',
      }),
      async (rounds) => {
        for (const round of rounds) {
          const answers = await Promise.all(round.map((each) => each()));
          for (const answer of answers)
            assert.ok(
              answer === undefined || [200, 404, 406, 409, 422].includes(answer.status),
              answer?.text ?? '',
            );
          await assertBalanced();
        }
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
  const [{ count }] = (await db<{ count: number }>`
    select count(distinct kind) as count from company_entries where central_id = 1`) as [{ count: number }];
  assert.ok(count >= 4, 'charges and several ways of paying took part');
});
