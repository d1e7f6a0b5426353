import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { readPdf } from '../support/pdf.ts';
import { assertOk, assertRefused, finishInvoiced, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db } = malote;
await malote.configure({ shareKind: 'percent', sharePercent: 50 });

const ate = '2026-12-31';

/** An account with deliveries that collect cash, manual entries and closings. */
async function account() {
  const driverId = await newDriver(malote);
  const path = `/condutores/${driverId}`;
  const enter = async (body: Record<string, unknown>): Promise<number> =>
    Number(assertOk(await operator.post(`${path}/lancamentos`, { motivo: 'Teste', ...body })).body.data.id);
  return {
    driverId,
    path,
    enter,
    async collect(valor_cobrar: string): Promise<void> {
      const { paradas } = order();
      const { id, stopIds } = await openDelivery(malote, {
        forma_pagamento: 'D',
        paradas: [{ ...paradas[0], valor_cobrar }],
      });
      assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
      assertOk(await operator.post(`/entregas/${id}/iniciar`));
      for (const stopId of stopIds)
        assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
    },
    entries: async (): Promise<Json[]> =>
      assertOk(await operator.get(`${path}/extrato?limite=100`)).body.data.lancamentos,
    close: async (): Promise<Json> => assertOk(await operator.post(`${path}/fechamentos`, { ate })).body.data,
    pay: async (id: number): Promise<Json> =>
      assertOk(await operator.post(`/fechamentos/${id}/pagar`)).body.data,
    reverse: async (entryId: unknown): Promise<number> =>
      enter({ tipo: 'estorno', lancamento_id: Number(entryId) }),
    /** The amount, which must be the same wherever it is shown. */
    async cash(): Promise<string> {
      const { dinheiro_a_entregar } = assertOk(await operator.get(`${path}/ganhos`)).body.data;
      const statement = assertOk(await operator.get(`${path}/extrato`)).body.data;
      const work = assertOk(await operator.get(`${path}/trabalho`)).body.data;
      const drivers = assertOk(await operator.post('/condutores/consultar', { limite: 100 })).body.data;
      const listed = drivers.find(({ id }: Json) => Number(id) === driverId);
      const entries = assertOk(
        await operator.post('/condutores/lancamentos/consultar', { condutor_id: driverId, limite: 1 }),
      ).body.data;
      for (const shown of [
        statement.dinheiro_a_entregar,
        statement.lancamentos[0].dinheiro_apos,
        work.ganhos.dinheiro_a_entregar,
        listed.dinheiro_a_entregar,
        entries[0].dinheiro_apos,
      ])
        assert.equal(shown, dinheiro_a_entregar);
      return dinheiro_a_entregar;
    },
    balance: async (): Promise<string> => assertOk(await operator.get(`${path}/ganhos`)).body.data.saldo,
  };
}

test('the payment of a closing settles the cash that it counted, and no later cash', async () => {
  const driver = await account();
  await driver.collect('60.00');
  await driver.enter({ tipo: 'ajuste', valor: '100.00' });
  const closing = await driver.close();
  assert.equal(await driver.cash(), '60.00', 'a closing alone settles nothing');
  await driver.collect('30.00');
  assert.equal(await driver.cash(), '90.00');
  await driver.pay(closing.id);
  assert.equal(await driver.cash(), '30.00');
  await driver.enter({ tipo: 'dinheiro_entregue', valor: '30.00' });
  assert.equal(await driver.cash(), '0.00');
});

test('cash that was handed in between a closing and its payment is not settled again', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const closing = await driver.close();
  await driver.enter({ tipo: 'dinheiro_entregue', valor: '60.00' });
  await driver.pay(closing.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '60.00']);
  await driver.collect('10.00');
  await driver.enter({ tipo: 'ajuste', valor: '1.00' });
  const next = await driver.close();
  await driver.pay(next.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
});

test('a closing that leaves nothing to pay settles its cash all the same, once', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const due = assertOk(await operator.post(`${driver.path}/fechamentos/simular`, { ate })).body.data.total;
  await driver.enter({ tipo: 'ajuste', valor: (-Number(due)).toFixed(2) });
  const closing = await driver.close();
  assert.equal(closing.total, '0.00');
  await driver.pay(closing.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
  const [payment] = await driver.entries();
  assert.deepEqual([payment.tipo, payment.valor], ['pagamento', '0.00']);
  const next = await driver.close();
  await driver.pay(next.id);
  assert.deepEqual(await driver.entries().then((entries) => entries[0].id), payment.id);
});

test('closings that are paid in any order settle the cash of each', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const first = await driver.close();
  await driver.collect('25.00');
  const second = await driver.close();
  await driver.pay(second.id);
  assert.equal(await driver.cash(), '60.00');
  await driver.pay(first.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
});

test('a payment that is taken back leaves its closing to be paid and its cash to be handed in', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const closing = await driver.close();
  await driver.pay(closing.id);
  const [payment] = await driver.entries();
  await driver.reverse(payment.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['60.00', closing.total]);
  const again = { tipo: 'estorno', lancamento_id: Number(payment.id), motivo: 'De novo' };
  assertRefused(await operator.post(`${driver.path}/lancamentos`, again), 409, /estornado/);
  assert.equal(assertOk(await operator.get(`/fechamentos/${closing.id}`)).body.data.pago_em, null);
  const changes = assertOk(
    await operator.get(`/auditoria?tipo=fechamento&registro_id=${closing.id}&limite=1`),
  ).body.data.alteracoes;
  assert.deepEqual(changes[0].depois, { pago_em: null });
  assert.notEqual(changes[0].antes.pago_em, null);
  await driver.collect('7.00');
  const paid = await driver.pay(closing.id);
  assert.notEqual(paid.pago_em, null);
  assert.equal(await driver.cash(), '7.00');
  assertRefused(await operator.post(`/fechamentos/${closing.id}/pagar`), 409, /pag/);
  const next = await driver.close();
  assert.equal(next.total, await driver.balance(), 'payments of the earlier closing are no part of the next');
  await driver.pay(next.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
});

test('the reversal of a payment that a later closing listed is no part of the closing after it', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const first = await driver.close();
  await driver.pay(first.id);
  const [payment] = await driver.entries();
  await driver.enter({ tipo: 'ajuste', valor: '10.00' });
  const second = await driver.close();
  await driver.reverse(payment.id);
  await driver.enter({ tipo: 'ajuste', valor: '3.00' });
  const third = await driver.close();
  assert.deepEqual([second.total, third.total], ['10.00', '3.00']);
  for (const { id } of [third, second]) await driver.pay(id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['60.00', first.total]);
  await driver.pay(first.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
});

for (const order of ['cash first', 'payment first'] as const)
  test(`cash that is taken back with the payment of its closing, ${order}, need not be handed in`, async () => {
    for (const paidFirst of ['first', 'next'] as const) {
      const driver = await account();
      await driver.collect('60.00');
      const collected = (await driver.entries()).find(({ tipo }) => tipo === 'dinheiro_recebido')!;
      const first = await driver.close();
      await driver.pay(first.id);
      const [payment] = await driver.entries();
      await driver.collect('5.00');
      const taken = order === 'cash first' ? [collected, payment] : [payment, collected];
      for (const { id } of taken) await driver.reverse(id);
      assert.equal(await driver.cash(), '5.00');
      const next = await driver.close();
      const closings = paidFirst === 'first' ? [first, next] : [next, first];
      await driver.pay(closings[0]!.id);
      assert.equal(await driver.cash(), paidFirst === 'first' ? '5.00' : '0.00');
      await driver.pay(closings[1]!.id);
      assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
    }
  });

test('the payment of nothing is taken back after the cash that it settled', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const collected = (await driver.entries()).find(({ tipo }) => tipo === 'dinheiro_recebido')!;
  await driver.enter({ tipo: 'ajuste', valor: (-Number(await driver.balance())).toFixed(2) });
  const closing = await driver.close();
  await driver.pay(closing.id);
  const [payment] = await driver.entries();
  assert.equal(payment.valor, '0.00');
  await driver.reverse(collected.id);
  await driver.reverse(payment.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '60.00']);
  assert.equal(assertOk(await operator.get(`/fechamentos/${closing.id}`)).body.data.pago_em, null);
});

test('cash that was entered by mistake is taken back after its closing was paid', async () => {
  const driver = await account();
  await driver.collect('60.00');
  const collected = (await driver.entries()).find(({ tipo }) => tipo === 'dinheiro_recebido')!;
  const closing = await driver.close();
  await driver.pay(closing.id);
  await driver.collect('5.00');
  await driver.reverse(collected.id);
  assert.equal(await driver.cash(), '5.00');
  const next = await driver.close();
  await driver.pay(next.id);
  assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
});

test('a statement that is printed again has the names under which it was closed', async () => {
  const driver = await account();
  await driver.enter({ tipo: 'ajuste', valor: '10.00' });
  const { id } = await driver.close();
  const { nome } = assertOk(await operator.get('/configuracoes')).body.data;
  await db`update drivers set name = 'Outro Nome' where central_id = 1 and id = ${driver.driverId}`;
  assertOk(await operator.put('/configuracoes', { nome: 'Central Renomeada' }));
  const { conteudo } = assertOk(await operator.get(`/fechamentos/${id}/arquivo`)).body.data;
  const [words] = readPdf(Buffer.from(conteudo, 'base64')).pages;
  assert.ok(words!.includes('Condutor de teste'), words!.join('\n'));
  assert.ok(words!.includes(nome), words!.join('\n'));
  assert.equal(assertOk(await operator.get(`/fechamentos/${id}`)).body.data.nome, 'Condutor de teste');
  assertOk(await operator.put('/configuracoes', { nome }));
});

test('a statement of a company that was renamed since has its name and document at the closing', async () => {
  const { id: empresa_id } = assertOk(
    await operator.post('/empresas', {
      nome: 'Nome Antigo',
      cpf_cnpj: '12.345.678/0001-95',
      identificador: 'antigo',
    }),
  ).body.data;
  await finishInvoiced(malote, empresa_id);
  const closing = assertOk(await operator.post(`/empresas/${empresa_id}/fechamentos`, { ate })).body.data;
  assertOk(
    await operator.put(`/empresas/${empresa_id}`, {
      nome: 'Nome Novo',
      cpf_cnpj: '33.000.167/0001-01',
      identificador: 'antigo',
    }),
  );
  const { conteudo } = assertOk(await operator.get(`/fechamentos/${closing.id}/arquivo`)).body.data;
  const [words] = readPdf(Buffer.from(conteudo, 'base64')).pages;
  assert.ok(words!.includes('Nome Antigo - 12.345.678/0001-95'), words!.join('\n'));
});

for (const seed of [1, 2, 3])
  test(`whatever is entered, reversed and closed at once (${seed}), all closings paid leave no cash and no debt`, async () => {
    const driver = await account();
    let state = seed;
    const some = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const enter = (body: Record<string, unknown>) =>
      operator.post(`${driver.path}/lancamentos`, { motivo: 'Teste', ...body });
    const closings = async (): Promise<Json[]> =>
      assertOk(await operator.get(`/fechamentos?tipo=condutores&condutor_id=${driver.driverId}&limite=100`))
        .body.data;
    const act = async () => {
      const amount = `${1 + some(40)}.50`;
      const entries = await driver.entries();
      const entry = entries[some(Math.max(1, entries.length))];
      const unpaid = (await closings()).filter(({ pago_em }) => pago_em === null);
      const closing = unpaid[some(Math.max(1, unpaid.length))];
      return [
        () => enter({ tipo: 'dinheiro_entregue', valor: amount }),
        () => enter({ tipo: 'ajuste', valor: amount }),
        () => enter({ tipo: 'pagamento', valor: amount }),
        () => (entry ? enter({ tipo: 'estorno', lancamento_id: Number(entry.id) }) : null),
        () => operator.post(`${driver.path}/fechamentos`, { ate }),
        () => (closing ? operator.post(`/fechamentos/${closing.id}/pagar`) : null),
        () => (closing ? operator.post(`/fechamentos/${closing.id}/pagar`) : null),
      ][some(7)]!();
    };
    await driver.collect('20.00');
    for (let round = 0; round < 8; round += 1) {
      if (some(3) > 0) await driver.collect(`${1 + some(60)}.00`);
      for (const answer of await Promise.all(Array.from({ length: 5 }, act)))
        assert.ok(answer === null || [200, 404, 409, 422].includes(answer.status), answer?.text ?? '');
      await driver.cash();
    }
    // The payment of a closing is listed in the next one, which then has nothing to pay.
    for (let last = 0; last < 2; last += 1) {
      await operator.post(`${driver.path}/fechamentos`, { ate });
      for (const { id, pago_em } of (await closings()).toReversed())
        if (pago_em === null) await driver.pay(id);
    }
    assert.deepEqual([await driver.cash(), await driver.balance()], ['0.00', '0.00']);
  });
