import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { assertOk, assertRefused, openDelivery, type TestDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db } = malote;
const driver = malote.driver(1);

type Body = Record<string, unknown>;

/** Under way with driver 1, who has no other delivery then. */
async function underWay(changes: Body): Promise<TestDelivery> {
  const delivery = await openDelivery(malote, changes);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
  return delivery;
}
const conclude = (by: typeof driver, { id, stopIds }: TestDelivery, body: Body = {}, index = 0) =>
  by.post(`/entregas/${id}/paradas/${stopIds[index]}/concluir`, body);
const detailOf = async (id: number): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;
const entriesOf = async (id: number): Promise<Json[]> =>
  assertOk(await operator.get('/condutores/1/extrato?limite=100')).body.data.lancamentos.filter(
    ({ entrega_id, tipo }: Json) => Number(entrega_id) === id && tipo !== 'repasse',
  );
const companyBalance = async (): Promise<number> => {
  const [row] = await db<{ cents: number }>`
    select coalesce(sum(balance_cents), 0)::bigint as cents from company_accounts
    where central_id = 1 and company_id = 1`;
  return row!.cents;
};
const decimal = (cents: number): string => (cents / 100).toFixed(2);
const cents = (amount: string): number => Math.round(Number(amount) * 100);
const asking = (...amounts: (string | null)[]) => ({
  paradas: amounts.map((valor_cobrar, index) => ({ ...stop(index), ...(valor_cobrar && { valor_cobrar }) })),
});

for (const forma_pagamento of ['F', 'R', 'X'])
  test(`a driver records nothing where a delivery paid by ${forma_pagamento} collects nothing`, async () => {
    const delivery = await underWay({ forma_pagamento });
    const before = await companyBalance();
    const invented = { valor_recebido: '999999999.99', forma_recebimento: 'D' };
    const answer = await conclude(driver, delivery, invented);
    assertRefused(answer, 422, /maior que o valor a receber nesta parada \(R\$\s0,00\)/);
    assert.equal(answer.body.errors[0].kind, 'received-above-due');
    assert.equal((await detailOf(delivery.id)).paradas[0].concluida_em, null);
    assert.equal(await companyBalance(), before);
    assertOk(await conclude(driver, delivery, { valor_recebido: '0.00' }));
    assert.deepEqual(await entriesOf(delivery.id), []);
  });

test('a driver records at most what the stop collects, whatever the form of payment', async () => {
  const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
  for (const forma_recebimento of ['D', 'X'])
    assertRefused(
      await conclude(driver, delivery, { valor_recebido: '42.91', forma_recebimento }),
      422,
      /\(R\$\s42,90\)/,
    );
  const english = await driver.post(
    `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`,
    { valor_recebido: '42.91', forma_recebimento: 'D' },
    { 'accept-language': 'en' },
  );
  assertRefused(english, 422, /above what this stop collects \(R\$42\.90\)/);
  assertOk(await conclude(driver, delivery, { valor_recebido: '42.90', forma_recebimento: 'D' }));
  assert.deepEqual(
    (await entriesOf(delivery.id)).map(({ valor }) => valor),
    ['-42.90'],
  );
});

test('the price of an order in cash may be recorded too, once for all its stops', async () => {
  const delivery = await underWay({ forma_pagamento: 'D', ...asking('10.00', null, '5.00') });
  const price = cents((await detailOf(delivery.id)).valor);
  const part = { valor_recebido: decimal(1_000 + price - 100) };
  assertOk(await conclude(driver, delivery, part, 0));
  assertRefused(
    await conclude(driver, delivery, { valor_recebido: '1.01' }, 1),
    422,
    /receber nesta parada \(R\$\s1,00\)/,
  );
  assertOk(await conclude(driver, delivery, { valor_recebido: '1.00' }, 1));
  assertRefused(await conclude(driver, delivery, { valor_recebido: '5.01' }, 2), 422, /\(R\$\s5,00\)/);
  assertOk(await conclude(driver, delivery, { valor_recebido: '5.00' }, 2));
  const entered = (await entriesOf(delivery.id)).reduce((sum, { valor }) => sum - cents(valor), 0);
  assert.equal(entered, 1_500 + price);
});

test('an operator records more with a reason, which the history and the account keep', async () => {
  const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
  const more = { valor_recebido: '50.00', forma_recebimento: 'D' };
  const reason = { valor_recebido_motivo: '  Pagou o frete junto ' };
  assertRefused(await conclude(operator, delivery, more), 422, /\(R\$\s42,90\)/);
  assertRefused(await conclude(driver, delivery, { ...more, ...reason }), 403, /não tem permissão/);
  const tooMuch = await conclude(operator, delivery, { ...more, ...reason, valor_recebido: '1000000.01' });
  assert.equal(tooMuch.status, 400, tooMuch.text);
  assert.match(tooMuch.body.errors[0].message, /^'valor_recebido': /);
  assertOk(await conclude(operator, delivery, { ...more, ...reason }));
  const [entry] = await entriesOf(delivery.id);
  assert.deepEqual([entry!.valor, entry!.motivo], ['-50.00', 'Pagou o frete junto']);
  const { eventos } = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  const { dados } = eventos.find(({ tipo }: Json) => tipo === 'entrega.parada_concluida');
  assert.deepEqual([dados.valor_recebido, dados.valor_recebido_motivo], ['50.00', 'Pagou o frete junto']);
});

test('a reason that nothing needs is not kept', async () => {
  const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
  assertOk(
    await conclude(operator, delivery, {
      valor_recebido: '42.90',
      forma_recebimento: 'D',
      valor_recebido_motivo: 'Conferido',
    }),
  );
  assert.equal((await entriesOf(delivery.id))[0]!.motivo, null);
});

for (const [what, changes] of [
  ['at a stop', { forma_pagamento: 'F', ...asking('42.90') }],
  ['for the whole delivery', { forma_pagamento: 'D' }],
] as const)
  test(`cash collected ${what} is taken back from the driver and from the company`, async () => {
    const delivery = await underWay(changes);
    assertOk(await conclude(driver, delivery));
    const before = await companyBalance();
    const [entry] = await entriesOf(delivery.id);
    const reversal = { tipo: 'estorno', lancamento_id: Number(entry!.id), motivo: 'Nada foi pago' };
    assertOk(await operator.post('/condutores/1/lancamentos', reversal));
    assert.equal(await companyBalance(), before - cents(entry!.valor));
    const again = await operator.post('/condutores/1/lancamentos', reversal);
    assertRefused(again, 409, /já foi estornado/);
    assert.equal(await companyBalance(), before - cents(entry!.valor));
    const closed = assertOk(await operator.post('/empresas/1/fechamentos', { ate: '2026-12-31' })).body.data;
    const { lancamentos } = assertOk(await operator.get(`/fechamentos/${closed.id}?limite=100`)).body.data;
    const lines = lancamentos.filter(
      ({ entrega_id, tipo }: Json) => Number(entrega_id) === delivery.id && tipo === 'recebido_em_dinheiro',
    );
    const amount = entry!.valor.slice(1);
    assert.deepEqual(
      lines.map(({ valor, estorno }: Json) => [valor, estorno]),
      [
        [`-${amount}`, false],
        [amount, true],
      ],
    );
  });

test('the database refuses cash that only one of the two accounts has', async () => {
  const delivery = await underWay({ forma_pagamento: 'F', ...asking('42.90') });
  assertOk(await conclude(driver, delivery));
  const [stopId] = delivery.stopIds;
  const refused = /driver and of the company differ/;
  await assert.rejects(
    runText(
      db,
      `insert into company_entries (central_id, id, company_id, kind, amount_cents, day, delivery_id, stop_id, created_at)
       values (1, 9000001, 1, 'cash', -100, '2026-11-16', $1, $2, now())`,
      [delivery.id, stopId],
    ),
    refused,
  );
  await assert.rejects(
    runText(
      db,
      `insert into driver_entries (central_id, id, driver_id, kind, amount_cents, day, delivery_id, created_at)
       values (1, 9000002, 1, 'collected', -100, '2026-11-16', $1, now())`,
      [delivery.id],
    ),
    refused,
  );
  const [entry] = await entriesOf(delivery.id);
  await assert.rejects(
    runText(
      db,
      `insert into driver_entries (central_id, id, driver_id, kind, amount_cents, day, delivery_id, reverses_id, created_at)
       values (1, 9000003, 1, 'collected', 4290, '2026-11-16', $1, $2, now())`,
      [delivery.id, Number(entry!.id)],
    ),
    refused,
  );
});
