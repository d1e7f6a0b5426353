import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { dispatchAll } from '../support/scheduled.ts';
import { assertOk, newDriver } from '../support/steps.ts';

/*
 * Several people use one wallet at once, on separate connections. In any order of their actions the ledger must
 * balance: each line follows from the one before, nothing is spent twice, and nothing is held for a delivery that is
 * over.
 */
const malote = await startMalote();
const { central, manager, operator } = malote;
const PAGE = 7;
const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
const cents = (amount: string): number => {
  assert.match(amount, /^-?\d+\.\d\d$/);
  assert.notEqual(amount, '-0.00');
  return Math.round(Number(amount) * 100);
};

/** The whole statement, oldest first, read page by page. */
async function statement(): Promise<{ balance: number; waiting: number; lines: Json[] }> {
  const lines: Json[] = [];
  for (let page = 1; page <= 500; page += 1) {
    const { body } = assertOk(await operator.get(`/empresas/1/extrato?limite=${PAGE}&pagina=${page}`));
    lines.push(...body.data.lancamentos);
    if (body.data.lancamentos.length < PAGE)
      return {
        balance: cents(body.data.saldo),
        waiting: cents(body.data.saldo_programadas),
        lines: lines.reverse(),
      };
  }
  throw new Error('the statement has no end');
}

async function assertLedgerBalances(): Promise<void> {
  const { balance, lines } = await statement();
  let before = 0;
  for (const { id, valor, saldo_apos } of lines) {
    assert.equal(cents(saldo_apos), before + cents(valor), `line ${id} follows the one before`);
    assert.ok(cents(saldo_apos) >= 0, `line ${id} overdraws`);
    before = cents(saldo_apos);
  }
  assert.equal(balance, before);
  const ofDeliveries = Map.groupBy(
    lines.filter((line) => line.entrega_id !== null),
    (line) => line.entrega_id as number,
  );
  for (const [id, own] of ofDeliveries) await assertPaid(id, own);
}

/**
 * While the delivery is open, its price is held. When finished, its price is paid once. When cancelled, nothing
 * remains.
 */
async function assertPaid(id: number, lines: readonly Json[]): Promise<void> {
  const { status_solicitacao: status, valor_corrida } = assertOk(await manager.get(`/entregas/${id}`)).body
    .data;
  const sum = lines.reduce((total, { valor }) => total + cents(valor), 0);
  assert.equal(sum, status === 'C' ? 0 : -cents(valor_corrida), `delivery ${id}, which is ${status}`);
  const charges = lines.filter(({ tipo }) => tipo === 'cobranca');
  assert.equal(charges.length, status === 'F' ? 1 : 0, `charges for delivery ${id}`);
}

type Act = () => Promise<Answer | undefined>;
const known: number[] = [];
const pick = (index: number): number | undefined => known[index % Math.max(1, known.length)];

async function finish(id: number): Promise<Answer> {
  const step = (path: string, body: unknown = {}) => operator.post(`/entregas/${id}/${path}`, body);
  await step('aceitar', { condutor_id: await newDriver(malote) });
  await step('iniciar');
  const { paradas } = (await manager.get(`/entregas/${id}`)).body.data;
  for (const { id: stopId } of paradas) await step(`paradas/${stopId}/concluir`);
  // Sent twice at once: one may come too late, and the fare is paid once.
  const [first] = await Promise.all([step('finalizar'), step('finalizar')]);
  return first;
}

const onDelivery =
  (act: (id: number) => Promise<Answer>) =>
  (index: number): Act =>
  async () => {
    const id = pick(index);
    return id === undefined ? undefined : act(id);
  };

const amount = fc.integer({ min: 1, max: 4_000 }).map((value) => value / 100);
const act: fc.Arbitrary<Act> = fc.oneof(
  amount.map((valor) => () => central.post('/entregas/empresas/creditos/recargas', { valor, empresa })),
  amount.map((valor) => () => central.post('/entregas/empresas/creditos/saques', { valor, empresa })),
  fc.integer({ min: 1, max: 3 }).map((stops) => async () => {
    const answer = await manager.post('/entregas', order({ forma_pagamento: 'R' }, stops));
    if (answer.status === 200) known.push(Number(answer.body.data.id_mch));
    return answer;
  }),
  fc.constant(() =>
    manager.post('/entregas/programadas', scheduledOrder({ data: '20/11/2026', forma_pagamento: 'R' })),
  ),
  fc.nat({ max: 50 }).map(onDelivery((id) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }))),
  fc.nat({ max: 50 }).map(onDelivery(finish)),
);

test('a wallet that many use at once balances line by line, across pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 4, maxLength: 10, size: 'max' }), {
        minLength: 2,
        maxLength: 4,
        size: 'max',
      }),
      async (rounds) => {
        for (const round of rounds) {
          const { waiting: waitingBefore } = await statement();
          const answers = await Promise.all(round.map((act) => act()));
          for (const answer of answers)
            assert.ok(answer === undefined || [200, 406, 422].includes(answer.status), answer?.text ?? '');
          await assertLedgerBalances();
          const { waiting } = await statement();
          assert.ok(waiting >= waitingBefore, 'nothing that waits is lost');
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});

test('top-ups, withdrawals, reserves and settlements in one rush follow line by line', async () => {
  assertOk(await central.post('/entregas/empresas/creditos/recargas', { valor: 2_000, empresa }));
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { body } = assertOk(await manager.post('/entregas', order({ forma_pagamento: 'R' })));
      return Number(body.data.id_mch);
    }),
  );
  const move = (way: string) => central.post(`/entregas/empresas/creditos/${way}`, { valor: 0.01, empresa });
  const answers = await Promise.all([
    ...Array.from({ length: 40 }, (_, index) => move(index % 4 === 0 ? 'saques' : 'recargas')),
    ...ids.slice(0, 5).map(finish),
    ...ids.slice(5).map((id) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 })),
    ...Array.from({ length: 10 }, () => manager.post('/entregas', order({ forma_pagamento: 'R' }))),
  ]);
  for (const answer of answers) assert.ok([200, 406].includes(answer.status), answer.text);
  await assertLedgerBalances();
});

test('waiting deliveries are dispatched as far as the credit goes, and the ledger still balances', async () => {
  malote.clock.advance({ hours: 24 * 5 });
  await Promise.all([
    dispatchAll(malote),
    ...Array.from({ length: 10 }, () =>
      central.post('/entregas/empresas/creditos/saques', { valor: 5, empresa }),
    ),
  ]);
  const { waiting } = await statement();
  assert.equal(waiting, 0);
  await assertLedgerBalances();
});
