import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE, widthOf } from '../../server/src/api/operations/wire/pdf.ts';
import { checkSum } from '../../server/src/money/billing/brCode.ts';
import { client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { readPdf } from '../support/pdf.ts';
import {
  assertOk,
  assertRefused,
  countStatuses,
  finishInvoiced,
  newDriver,
  openDelivery,
  type TestDelivery,
} from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, clock } = malote;
await malote.configure({ shareKind: 'percent', sharePercent: 70 });

const managerOf = (user: string) =>
  client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });
const cents = (amount: string): number => Math.round(Number(amount) * 100);
const ate = '2026-12-31';
const priceOf = async (id: number): Promise<number> =>
  cents(assertOk(await manager.get(`/entregas/${id}`)).body.data.valor_corrida);
const preview = (path: string) => operator.post(`${path}/fechamentos/simular`, { ate });
const close = (path: string, until = ate) => operator.post(`${path}/fechamentos`, { ate: until });
const read = async (id: number): Promise<Json> =>
  assertOk(await operator.get(`/fechamentos/${id}?limite=100`)).body.data;
const file = async (id: number, formato: string): Promise<{ nome: string; tipo: string; bytes: Buffer }> => {
  const { nome, tipo, conteudo } = assertOk(
    await operator.get(`/fechamentos/${id}/arquivo?formato=${formato}`),
  ).body.data;
  return { nome, tipo, bytes: Buffer.from(conteudo, 'base64') };
};

async function finished(changes: Record<string, unknown> = {}): Promise<TestDelivery & { driverId: number }> {
  const delivery = await openDelivery(malote, changes);
  const driverId = await newDriver(malote);
  const step = async (path: string, body: unknown = {}) =>
    assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  await step('aceitar', { condutor_id: driverId });
  await step('iniciar');
  for (const stopId of delivery.stopIds) await step(`paradas/${stopId}/concluir`);
  return { ...delivery, driverId };
}

/** The texts of a PDF file, after a check of its structure. */
const pdfWords = (bytes: Buffer): string => readPdf(bytes).pages.flat().join('\n');

test('a company is closed with its invoiced, wallet and cash deliveries, once', async () => {
  const invoiced = await finished({ forma_pagamento: 'F' });
  const byWallet = await finished({ forma_pagamento: 'R' });
  const { paradas } = order();
  const collected = await finished({ paradas: [{ ...paradas[0], valor_cobrar: '50.00' }] });
  const prices = await Promise.all([invoiced, byWallet, collected].map(({ id }) => priceOf(id)));
  const charged = prices.reduce((sum, price) => sum + price, 0);
  const expected = charged - prices[1]! - 5_000;

  const seen = assertOk(await preview('/empresas/1')).body.data;
  assert.equal(cents(seen.total), expected);
  assert.equal(seen.lancamentos, 5);
  const closing = assertOk(await close('/empresas/1')).body.data;
  assert.partialDeepStrictEqual(closing, {
    empresa_id: '1',
    condutor_id: null,
    nome: 'Padaria Moinhos',
    de: '2026-11-16',
    ate: '2026-11-16',
    entregas: 3,
    total: seen.total,
    pago_em: null,
    pix: null,
  });
  assert.deepEqual(
    closing.totais.map(({ tipo, valor }: Json) => [tipo, cents(valor)]),
    [
      ['entrega', charged],
      ['pago_com_creditos', -prices[1]!],
      ['recebido_em_dinheiro', -5_000],
    ],
  );
  const { lancamentos } = await read(closing.id);
  assert.equal(
    lancamentos.reduce((sum: number, { valor }: Json) => sum + cents(valor), 0),
    expected,
  );
  assertRefused(await close('/empresas/1'), 409, /não há nada em aberto até esta data/);
  assertRefused(await preview('/empresas/1'), 409, /não há nada em aberto até esta data/);

  const later = await finished({ forma_pagamento: 'F' });
  const next = assertOk(await close('/empresas/1')).body.data;
  assert.deepEqual(
    (await read(next.id)).lancamentos.map(({ entrega_id }: Json) => entrega_id),
    [String(later.id)],
  );
});

test('a paid closing has its payment in the account, and the next one does not count it', async () => {
  await finished({ forma_pagamento: 'F' });
  const closing = assertOk(await close('/empresas/1')).body.data;
  const answers = await Promise.all([1, 2, 3].map(() => operator.post(`/fechamentos/${closing.id}/pagar`)));
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 2 });
  assertRefused(answers.find(({ status }) => status === 409)!, 409, /já está pago/);
  const next = await finished({ forma_pagamento: 'F' });
  const after = assertOk(await close('/empresas/1')).body.data;
  assert.equal(cents(after.total), await priceOf(next.id));
  assert.deepEqual(
    (await read(after.id)).lancamentos.map(({ tipo }: Json) => tipo),
    ['pagamento', 'entrega'],
  );
});

test('a driver is closed with shares, cash and adjustments, and paid', async () => {
  const { id, driverId } = await finished({ forma_pagamento: 'D' });
  const price = await priceOf(id);
  const share = Math.round(price * 0.7);
  const path = `/condutores/${driverId}`;
  assertOk(await operator.post(`${path}/lancamentos`, { tipo: 'ajuste', valor: '30.00', motivo: 'Chuva' }));
  const closing = assertOk(await close(path)).body.data;
  assert.equal(cents(closing.total), share - price + 3_000);
  assert.equal(closing.condutor_id, String(driverId));
  assert.equal(closing.entregas, 1);
  assertOk(await operator.post(`/fechamentos/${closing.id}/pagar`));
  const account = assertOk(await operator.get(`${path}/ganhos`)).body.data;
  assert.deepEqual([account.saldo, account.dinheiro_a_entregar], ['0.00', '0.00']);
  // The payment of a closing is listed in the next one and does not count there.
  assertOk(await operator.post(`${path}/lancamentos`, { tipo: 'ajuste', valor: '2.00', motivo: 'Chuva' }));
  assert.equal(assertOk(await close(path)).body.data.total, '2.00');
  assert.deepEqual(
    assertOk(await operator.get(`/fechamentos?tipo=condutores&condutor_id=${driverId}`)).body.data.map(
      ({ total }: Json) => total,
    ),
    ['2.00', closing.total],
  );
});

test('a share that was taken back is no second delivery of the statement', async () => {
  const { driverId } = await finished({ forma_pagamento: 'F' });
  const path = `/condutores/${driverId}`;
  const [share] = assertOk(await operator.get(`${path}/extrato`)).body.data.lancamentos;
  const reversal = { tipo: 'estorno', lancamento_id: Number(share.id), motivo: 'Engano' };
  assertOk(await operator.post(`${path}/lancamentos`, reversal));
  const closing = assertOk(await close(path)).body.data;
  assert.deepEqual([closing.entregas, closing.total], [1, '0.00']);
});

test('a driver who owes pays the closing, and has no cash of it to hand in any more', async () => {
  const { id, driverId } = await finished({ forma_pagamento: 'D' });
  const price = await priceOf(id);
  const path = `/condutores/${driverId}`;
  const account = async (): Promise<Json> => assertOk(await operator.get(`${path}/ganhos`)).body.data;
  const closing = assertOk(await close(path)).body.data;
  assert.ok(cents(closing.total) < 0);
  assert.equal((await account()).saldo, closing.total);
  assertOk(await operator.post(`/fechamentos/${closing.id}/pagar`));
  const { saldo, dinheiro_a_entregar } = await account();
  assert.deepEqual([saldo, dinheiro_a_entregar], ['0.00', '0.00']);
  const valor = (price / 100).toFixed(2);
  const handedIn = { tipo: 'dinheiro_entregue', valor, motivo: 'Base' };
  assertRefused(await operator.post(`${path}/lancamentos`, handedIn), 422, /dinheiro/);
  const next = assertOk(await close(path)).body.data;
  assert.equal(next.total, '0.00');
  assert.deepEqual(
    (await read(next.id)).lancamentos.map((line: Json) => [line.tipo, line.valor]),
    [['pagamento', (-Number(closing.total)).toFixed(2)]],
  );
});

test('the central pays out what it collected for a company beyond its prices', async () => {
  const owed = async (): Promise<string> => {
    const { body } = assertOk(await operator.post('/empresas/consultar', { limite: 100 }));
    return body.data.find(({ id }: Json) => Number(id) === 1).em_aberto;
  };
  // Entries that others left open are not part of it.
  await close('/empresas/1');
  const before = cents(await owed());
  const { paradas } = order();
  await finished({ forma_pagamento: 'D', paradas: [{ ...paradas[0], valor_cobrar: '500.00' }] });
  const closing = assertOk(await close('/empresas/1')).body.data;
  assert.equal(cents(await owed()) - before, cents(closing.total));
  assert.ok(cents(closing.total) < 0);
  assertOk(await operator.post(`/fechamentos/${closing.id}/pagar`));
  assert.equal(cents(await owed()), before);
});

test('the statement is a PDF and a CSV file with accents, amounts and the Pix code', async (t) => {
  await malote.configureFor(t, {
    pixKey: '+5551999990000',
    pixReceiver: 'Central São João',
    pixCity: 'Porto Alegre',
  });
  const { id } = await finished({ forma_pagamento: 'F' });
  const price = await priceOf(id);
  const closing = assertOk(await close('/empresas/1')).body.data;
  const amount = (price / 100).toFixed(2);
  assert.match(
    closing.pix,
    new RegExp(`540${amount.length}${amount.replace('.', '\\.')}5802BR5916Central Sao Joao`),
  );
  assert.match(closing.pix, new RegExp(`05\\d\\dFECHAMENTO${closing.id}6304`));
  assert.equal(checkSum(closing.pix.slice(0, -4)), closing.pix.slice(-4));

  const pdf = await file(closing.id, 'pdf');
  assert.deepEqual([pdf.nome, pdf.tipo], [`fechamento-${closing.id}.pdf`, 'application/pdf']);
  const words = pdfWords(pdf.bytes);
  assert.match(words, /Central Demonstração\nFatura nº \d+\nPadaria Moinhos - 11\.222\.333\/0001-81/);
  assert.match(words, /Período: 16\/11\/2026 a 16\/11\/2026, fechado em 16\/11\/2026/);
  assert.match(words, new RegExp(`Total a pagar\nR\\$ ${amount.replace('.', ',')}`));
  assert.ok(words.replaceAll('\n', '').includes(closing.pix));

  const csv = await file(closing.id, 'csv');
  const [head, ...rows] = csv.bytes.toString().split('\r\n');
  const line = rows.find((row) => row.includes(`;${id};`));
  assert.equal(head, '\ufeffNúmero;Data;Entrega;Lançamento;Valor;Desconto;Total');
  assert.match(
    line!,
    new RegExp(
      `^\\d+;16/11/2026;${id};Entrega;${amount.replace('.', ',')};0,00;${amount.replace('.', ',')}$`,
    ),
  );
  assert.equal(rows.at(-1), '');
});

test('a long name is printed whole, with its document, within the page', async () => {
  const nome =
    'Associação Beneficente dos Irmãos da Conceição, Comércio, Importação e Exportação de Pães e Bolos Ltda.';
  const company = { nome, cpf_cnpj: '12.345.678/0001-95', identificador: 'nome-longo' };
  const { id: empresa_id } = assertOk(await operator.post('/empresas', company)).body.data;
  await finishInvoiced(malote, empresa_id);
  const closing = assertOk(await close(`/empresas/${empresa_id}`)).body.data;
  const [lines] = readPdf((await file(closing.id, 'pdf')).bytes).pages;
  const from = lines!.findIndex((line) => line.startsWith('Associação'));
  const until = lines!.findIndex((line) => line.startsWith('Período'));
  const printed = lines!.slice(from, until);
  assert.equal(printed.join(' '), `${nome} - 12.345.678/0001-95`);
  for (const line of printed) assert.ok(widthOf(line, 10) <= PAGE.width - 2 * PAGE.margin, line);
});

test('a long statement has several pages, and a reason cannot become a formula', async () => {
  const driverId = await newDriver(malote);
  for (let index = 0; index < 60; index += 1)
    assertOk(
      await operator.post(`/condutores/${driverId}/lancamentos`, {
        tipo: 'ajuste',
        valor: '1.00',
        motivo: index === 0 ? '=HYPERLINK("x"); (preço)' : `Ajuste ${index}`,
      }),
    );
  const closing = assertOk(await close(`/condutores/${driverId}`)).body.data;
  const words = pdfWords((await file(closing.id, 'pdf')).bytes);
  assert.match(words, /2 \/ 2/);
  assert.match(words, /Ajuste - =HYPERLINK\("x"\); \(preço\)/);
  const csv = (await file(closing.id, 'csv')).bytes.toString();
  assert.match(csv, /"Ajuste - =HYPERLINK\(""x""\); \(preço\)"/);
  assert.equal((await read(closing.id)).lancamentos.length, 60);
});

test('two closings of one period at once: one of them has it', async () => {
  await finished({ forma_pagamento: 'F' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => close('/empresas/1')));
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 4 });
});

test('a delivery that finishes while a closing runs is in that one or in the next, never in both or none', async () => {
  const open = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const delivery = await openDelivery(malote, { forma_pagamento: 'F' });
      const driverId = await newDriver(malote);
      assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
      assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
      return delivery;
    }),
  );
  const closings = (
    await Promise.all([
      ...open.map(({ id, stopIds }) => operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`)),
      ...Array.from({ length: 4 }, () => close('/empresas/1')),
    ])
  )
    .slice(open.length)
    .filter(({ status }) => status === 200);
  const last = await close('/empresas/1');
  const lists = await Promise.all(
    [...closings, ...(last.status === 200 ? [last] : [])].map(({ body }) => read(body.data.id)),
  );
  const billed = lists.flatMap(({ lancamentos }) => lancamentos.map(({ entrega_id }: Json) => entrega_id));
  assert.deepEqual(
    billed.map(Number).toSorted((a, b) => a - b),
    open.map(({ id }) => id).toSorted((a, b) => a - b),
  );
});

test('entries after the last day stay open, and unknown closings are not found', async () => {
  const before = await finished({ forma_pagamento: 'F' });
  clock.advance({ hours: 24 });
  const after = await finished({ forma_pagamento: 'F' });
  const first = assertOk(await close('/empresas/1', '2026-11-16')).body.data;
  // There are open entries, but none up to that day.
  assertRefused(await close('/empresas/1', '2026-11-16'), 409, /^não há nada em aberto até esta data$/);
  const second = assertOk(await close('/empresas/1', '2026-11-17')).body.data;
  assert.equal((await read(first.id)).lancamentos.at(-1).entrega_id, String(before.id));
  assert.deepEqual(
    (await read(second.id)).lancamentos.map(({ entrega_id }: Json) => entrega_id),
    [String(after.id)],
  );
  assertRefused(await close('/empresas/9999'), 404, /empresa/);
  assertRefused(await close('/condutores/9999'), 404, /entregador/);
  assertRefused(await operator.get('/fechamentos/9999'), 404, /fechamento não encontrado/);
});

test('a manager reads the closings of the own company and no others', async () => {
  await finished({ forma_pagamento: 'F' });
  const { id } = assertOk(await close('/empresas/1')).body.data;
  const own = managerOf('gerente');
  const other = managerOf('gerente2');
  const ids = assertOk(await own.get('/fechamentos')).body.data.map((each: Json) => each.empresa_id);
  assert.deepEqual([...new Set(ids)], ['1']);
  assert.equal(assertOk(await own.get(`/fechamentos/${id}`)).body.data.id, id);
  for (const formato of ['pdf', 'csv'])
    assertOk(await own.get(`/fechamentos/${id}/arquivo?formato=${formato}`));
  assertRefused(await other.get(`/fechamentos/${id}`), 404, /fechamento não encontrado/);
  assertRefused(await other.get(`/fechamentos/${id}/arquivo`), 404, /fechamento não encontrado/);
  assert.deepEqual(assertOk(await other.get('/fechamentos?empresa_id=1')).body.data, []);
  assertRefused(await own.post(`/fechamentos/${id}/pagar`), 403, /permiss|permite/);
  assertRefused(await own.post('/empresas/1/fechamentos', { ate }), 403, /permiss|permite/);
});
