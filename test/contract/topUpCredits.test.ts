import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { newRecord } from '../support/registers.ts';
import { balanceCents, newestEvent } from '../support/rows.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const path = '/entregas/empresas/creditos/recargas';
const bakery = { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' };
const topUp = (changes: Record<string, unknown> = {}) => ({
  valor: 150.5,
  observacao: 'Recarga de novembro',
  empresa: bakery,
  ...changes,
});

const balanceOf = (companyId: number) => balanceCents(malote, companyId);

const fieldsOf = (body: Json): string[] =>
  body.errors.map(({ code, message }: { code: number; message: string }) => {
    assert.equal(code, 2);
    return /^'(.+?)'/.exec(message)?.[1];
  });

test('a top-up adds to the wallet and answers with the id of its entry as text', async () => {
  const before = await balanceOf(1);
  const answer = await malote.central.post(path, topUp());
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['success', 'data']);
  assert.deepEqual(Object.keys(answer.body.data), ['registro_id']);
  assert.match(answer.body.data.registro_id, /^\d+$/);
  assert.equal(await balanceOf(1), before + 15_050);
  const users = assertOk(await malote.operator.get('/usuarios?limite=100')).body.data;
  const { lancamentos } = assertOk(await malote.operator.get('/empresas/1/extrato')).body.data;
  const amount = ((before + 15_050) / 100).toFixed(2);
  assert.partialDeepStrictEqual(lancamentos[0], {
    id: answer.body.data.registro_id,
    observacao: 'Recarga de novembro',
    saldo_apos: amount,
    usuario_id: users.find(({ usuario }: Json) => usuario === 'central').id,
  });
});

test('a top-up is recorded as an event', async () => {
  const answer = await malote.central.post(path, topUp({ valor: 1.23 }));
  const event = await newestEvent(malote);
  assert.equal(event.type, 'wallet.entry');
  assert.equal(event.company_id, 1);
  assert.equal(event.payload.kind, 'top_up');
  assert.equal(event.payload.amountCents, 123);
  assert.equal(event.payload.entryId, Number(answer.body.data.registro_id));
});

test('cents arrive exactly, also where floating point would lose one', async () => {
  for (const [amount, cents] of [
    [0.29, 29],
    [1.15, 115],
    [4.35, 435],
    [1_000_000, 100_000_000],
    [0.01, 1],
  ] as const) {
    const before = await balanceOf(2);
    const empresa = { tipo_identificacao: 'I', identificacao: 'farmacia-guaiba' };
    const answer = await malote.central.post(path, topUp({ valor: amount, empresa }));
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await balanceOf(2)) - before, cents);
  }
});

test('a company is found by each of the five types, with or without punctuation', async () => {
  const { id: personId } = await newRecord(malote.operator, '/empresas', {
    nome: 'Pessoa',
    cpf_cnpj: '52998224725',
  });
  const named: [string, string, number][] = [
    ['F', '529.982.247-25', personId],
    ['F', '52998224725', personId],
    ['J', '11222333000181', 1],
    ['J', '12.ABC.345/01DE-35', 2],
    ['J', '12abc34501de35', 2],
    ['T', '(51) 3333-5678', 2],
    ['T', '+55 51 3333 5678', 2],
    ['C', 'C-1001', 1],
    ['I', 'farmacia-guaiba', 2],
  ];
  for (const [tipo_identificacao, identificacao, companyId] of named) {
    const before = await balanceOf(companyId);
    const empresa = { tipo_identificacao, identificacao };
    const answer = await malote.central.post(path, topUp({ valor: 1, empresa }));
    assert.equal(answer.status, 200, `${tipo_identificacao} ${identificacao}: ${answer.text}`);
    assert.equal(await balanceOf(companyId), before + 100);
  }
});

test('a company that nobody has, or of another central, is the same 404', async () => {
  const unknown: [string, string][] = [
    ['F', '11144477735'],
    ['J', '11444777000161'],
    ['J', '00000000000191'],
    ['T', '5133330000'],
    ['C', 'V-1'],
    ['I', 'nobody'],
    ['F', '39053344705'],
  ];
  for (const [tipo_identificacao, identificacao] of unknown) {
    const answer = await malote.central.post(path, topUp({ empresa: { tipo_identificacao, identificacao } }));
    assert.equal(answer.status, 404, answer.text);
    assert.deepEqual(answer.body, {
      success: false,
      errors: [{ code: 0, message: 'empresa não encontrada' }],
    });
  }
});

test('a manager is refused, whatever the body says, and nothing is entered', async () => {
  const before = await balanceOf(1);
  for (const body of [topUp(), topUp({ valor: -1 }), {}]) {
    const answer = await malote.manager.post(path, body);
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(answer.body, {
      success: false,
      errors: [{ code: 0, message: 'este usuário não tem permissão para esta operação' }],
    });
  }
  assert.equal(await balanceOf(1), before);
});

test('where the central allows it, a manager tops up its own company, and any other is not there', async () => {
  await malote.operator.put('/configuracoes', { permite_gerente_recarregar: true });
  const own = await malote.manager.post(path, topUp());
  assert.equal(own.status, 200, own.text);
  const other = await malote.manager2.post(path, topUp());
  assert.equal(other.status, 404, other.text);
  await malote.operator.put('/configuracoes', { permite_gerente_recarregar: false });
  assert.equal((await malote.manager.post(path, topUp())).status, 403);
});

const wrong: [string, Record<string, unknown>, string[]][] = [
  ['nothing', { valor: undefined, empresa: undefined }, ['valor', 'empresa']],
  ['zero', { valor: 0 }, ['valor']],
  ['a negative amount', { valor: -1 }, ['valor']],
  ['three decimals', { valor: 1.234 }, ['valor']],
  ['a fraction of a cent', { valor: 1e-9 }, ['valor']],
  ['more than a million', { valor: 1_000_000.01 }, ['valor']],
  ['an amount as text', { valor: '10.00' }, ['valor']],
  ['a note that is no text', { observacao: 5 }, ['observacao']],
  ['an empty company', { empresa: {} }, ['empresa.tipo_identificacao', 'empresa.identificacao']],
  ['an unknown type', { empresa: { ...bakery, tipo_identificacao: 'X' } }, ['empresa.tipo_identificacao']],
  [
    'wrong check digits of a CNPJ',
    { empresa: { ...bakery, identificacao: '11222333000182' } },
    ['empresa.identificacao'],
  ],
  ['a CNPJ as CPF', { empresa: { ...bakery, tipo_identificacao: 'F' } }, ['empresa.identificacao']],
  [
    'a CPF of equal digits',
    { empresa: { tipo_identificacao: 'F', identificacao: '11111111111' } },
    ['empresa.identificacao'],
  ],
  [
    'a phone without area code',
    { empresa: { tipo_identificacao: 'T', identificacao: '33335678' } },
    ['empresa.identificacao'],
  ],
  [
    'an empty contract number',
    { empresa: { tipo_identificacao: 'C', identificacao: ' ' } },
    ['empresa.identificacao'],
  ],
  [
    'an empty identifier',
    { empresa: { tipo_identificacao: 'I', identificacao: '' } },
    ['empresa.identificacao'],
  ],
  [
    'a number as identification',
    { empresa: { tipo_identificacao: 'J', identificacao: 11222333000181 } },
    ['empresa.identificacao'],
  ],
];
for (const [what, changes, fields] of wrong)
  test(`refuses ${what}`, async () => {
    const before = await balanceOf(1);
    const answer = await malote.central.post(path, topUp(changes));
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(fieldsOf(answer.body).sort(), fields.sort());
    assert.equal(await balanceOf(1), before);
  });

test('every problem of the body is named in one answer, in the reader’s language', async () => {
  const body = { valor: 1.234, observacao: 1, empresa: { tipo_identificacao: 'F', identificacao: '123' } };
  const portuguese = await malote.central.post(path, body);
  assert.deepEqual(fieldsOf(portuguese.body).sort(), ['empresa.identificacao', 'observacao', 'valor']);
  const english = await malote.central.post(path, body, { 'accept-language': 'en' });
  const messages = english.body.errors.map(({ message }: { message: string }) => message);
  assert.ok(messages.includes("'empresa.identificacao': must be a valid CPF"), english.text);
  assert.ok(messages.includes("'valor': must have at most 2 decimals"), english.text);
});

test('the same Idempotency-Key tops up once', async () => {
  const before = await balanceOf(1);
  const headers = { 'idempotency-key': 'top-up-once' };
  const first = await malote.central.post(path, topUp({ valor: 10 }), headers);
  const second = await malote.central.post(path, topUp({ valor: 10 }), headers);
  assert.equal(first.status, 200);
  assert.equal(second.text, first.text);
  assert.equal(await balanceOf(1), before + 1000);
  const other = await malote.central.post(path, topUp({ valor: 11 }), headers);
  assert.equal(other.status, 409);
});
