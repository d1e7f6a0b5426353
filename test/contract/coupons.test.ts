import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, scheduledOrder } from '../support/orders.ts';
import { dispatchAll } from '../support/scheduled.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, operator } = malote;
const INVALID = /^cupom inválido, vencido, esgotado ou não aceito para esta empresa$/;
const person = { nome: 'Ana Luz', cpf: '529.982.247-25', telefone: '51999990000' };

let made = 0;
async function newCoupon(limits: Record<string, unknown> = {}): Promise<{ id: number; code: string }> {
  made += 1;
  const codigo = `CUPOM${made}`;
  const { body } = assertOk(await operator.post('/cupons', { codigo, percentual: '10.00', ...limits }));
  return { id: Number(body.data.id), code: codigo };
}

const use = (code: string, login: Client = manager): Promise<Answer> =>
  login.post('/entregas', order({ codigo_cupom: code }));
const plan = (code: string, login: Client = manager): Promise<Answer> =>
  login.post('/entregas/programadas', scheduledOrder({ data: '20/11/2026', codigo_cupom: code }));
const usesOf = async (id: number): Promise<number> => (await operator.get(`/cupons/${id}`)).body.data.usos;
const idOf = (answer: Answer): number => Number(assertOk(answer).body.data.id_mch);
const refused = (answer: Answer): void => assertRefused(answer, 422, INVALID);
/** Moves the clock on, so that wrong codes of one test do not count in the next. */
const laterOn = (): void => malote.clock.advance({ minutes: 16 });

test('a coupon has as many uses in total as it says, over all companies and persons', async () => {
  const { id, code } = await newCoupon({ limite_usos: 3 });
  assertOk(await use(code));
  assertOk(await use(code, manager2));
  assertOk(await central.post('/entregas', order({ cliente: person, categoria_id: 1, codigo_cupom: code })));
  assert.equal(await usesOf(id), 3);
  refused(await use(code));
  refused(await plan(code, manager2));
  assert.equal(await usesOf(id), 3);
});

test('a limit per company counts each company apart, and persons by their CPF', async () => {
  laterOn();
  const { code } = await newCoupon({ limite_usos_por_empresa: 1 });
  assertOk(await use(code));
  refused(await use(code));
  assertOk(await use(code, manager2));
  const forPerson = (cpf: string) =>
    central.post('/entregas', order({ cliente: { ...person, cpf }, categoria_id: 1, codigo_cupom: code }));
  assertOk(await forPerson('529.982.247-25'));
  refused(await forPerson('52998224725'));
  assertOk(await forPerson('111.444.777-35'));
});

test('a coupon for some companies is not there for others, nor for persons', async () => {
  laterOn();
  const { code } = await newCoupon({ empresas: [2] });
  refused(await use(code));
  refused(await central.post('/entregas', order({ cliente: person, categoria_id: 1, codigo_cupom: code })));
  assertOk(await use(code, manager2));
  assertOk(await central.post('/entregas', order({ empresa_id: 2, codigo_cupom: code })));
});

test('the last use cannot be taken twice, however many try at once', async () => {
  laterOn();
  assertOk(await operator.put('/configuracoes', { cupons_invalidos_max: 100 }));
  const { id, code } = await newCoupon({ limite_usos: 3 });
  const own = await newCoupon({ limite_usos_por_empresa: 2 });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => (index % 2 ? use(code) : plan(code, manager2))),
  );
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 9 });
  assert.equal(await usesOf(id), 3);
  const ofOne = await Promise.all(Array.from({ length: 8 }, () => use(own.code)));
  assert.deepEqual(countStatuses(ofOne), { 200: 2, 422: 6 });
  assertOk(await operator.put('/configuracoes', { cupons_invalidos_max: 10 }));
});

test('a cancelled delivery gives its use back, once', async () => {
  laterOn();
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const first = idOf(await use(code));
  refused(await use(code));
  assertOk(await manager.post(`/entregas/${first}/cancelar`, { motivo_id: 2 }));
  assert.equal(await usesOf(id), 0);
  assert.equal((await manager.post(`/entregas/${first}/cancelar`, { motivo_id: 2 })).status, 406);
  idOf(await use(code));
  refused(await use(code));
});

test('an edit keeps its own use although none is left, takes one with another code, and gives up the old one', async () => {
  laterOn();
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const other = await newCoupon({ limite_usos: 1 });
  const first = idOf(await use(code));
  const second = idOf(await use(other.code));
  const edit = (delivery: number, codigo_cupom?: string) =>
    manager.put(`/entregas/${delivery}`, order({ codigo_cupom }, 2));
  assertOk(await edit(first, code));
  refused(await edit(second, code));
  assert.deepEqual([await usesOf(id), await usesOf(other.id)], [1, 1]);
  assertOk(await edit(first));
  assert.equal(await usesOf(id), 0);
  assertOk(await edit(second, code));
  assert.deepEqual([await usesOf(id), await usesOf(other.id)], [1, 0]);
});

test('edits and creations at once do not take the last use twice', async () => {
  laterOn();
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const ids = [
    idOf(await manager.post('/entregas', order())),
    idOf(await manager.post('/entregas', order())),
  ];
  const answers = await Promise.all([
    ...ids.map((id) => manager.put(`/entregas/${id}`, order({ codigo_cupom: code }))),
    use(code, manager2),
    plan(code, manager2),
  ]);
  assert.deepEqual(countStatuses(answers), { 200: 1, 422: 3 });
  assert.equal(await usesOf(id), 1);
});

test('a creation that is refused for another reason takes no use', async () => {
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const dear = order({ forma_pagamento: 'R', codigo_cupom: code, com_retorno: true }, 10);
  const { saldo } = (await operator.get('/empresas/1/extrato')).body.data;
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await central.post('/entregas/empresas/creditos/saques', { valor: Number(saldo), empresa }));
  assertRefused(await manager.post('/entregas', dear), 422, /^saldo insuficiente/);
  assert.equal(await usesOf(id), 0);
});

test('a scheduled one holds its use through edit and dispatch, and gives it back when cancelled', async () => {
  laterOn();
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const scheduledId = idOf(await plan(code));
  assert.equal(await usesOf(id), 1);
  assertOk(await manager.put(`/entregas/programadas/${scheduledId}`, scheduledOrder({ data: '19/11/2026' })));
  assert.equal(await usesOf(id), 1);
  malote.clock.advance({ hours: 80 });
  await dispatchAll(malote);
  assert.equal(await usesOf(id), 1);
  refused(await use(code));
  assertOk(await operator.post(`/programadas/${scheduledId}/cancelar`, {}));
  assert.equal(await usesOf(id), 0);
});

test('grouped ones keep their uses, and give them back with the one that carries them', async () => {
  const { id, code } = await newCoupon({ limite_usos: 2 });
  const later = scheduledOrder({ data: '25/11/2026', codigo_cupom: code });
  const grouper = idOf(await manager.post('/entregas/programadas', later));
  const other = idOf(await manager.post('/entregas/programadas', later));
  assertOk(
    await manager.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
  assert.equal(await usesOf(id), 2);
  malote.clock.advance({ hours: 200 });
  await dispatchAll(malote);
  assert.equal(await usesOf(id), 2);
  const { id_mch } = (await manager.get(`/entregas/programadas/${grouper}`)).body.data;
  assertOk(await manager.post(`/entregas/${id_mch}/cancelar`, { motivo_id: 2 }));
  assert.equal(await usesOf(id), 0);
});

test('the same refusal whatever is wrong with a code', async () => {
  laterOn();
  const expired = await newCoupon({ valido_ate: '2026-11-01T00:00:00Z' });
  const inactive = await newCoupon({ ativo: false });
  const others = await newCoupon({ empresas: [2] });
  const usedUp = await newCoupon({ limite_usos: 1 });
  assertOk(await use(usedUp.code, manager2));
  const answers = await Promise.all(
    [expired.code, inactive.code, others.code, usedUp.code, 'NUNCA-HOUVE'].map((code) => use(code)),
  );
  for (const answer of answers) refused(answer);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
});

const isThrottled = (answer: Answer): void => {
  assertRefused(answer, 429, /^muitos cupons inválidos informados por este usuário/);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
};

test('after ten wrong codes a login can try no code for a quarter of an hour', async () => {
  laterOn();
  const { code } = await newCoupon();
  for (let guess = 0; guess < 9; guess += 1) refused(await use(`CHUTE${guess}`));
  assertOk(await use(code));
  refused(await plan('CHUTE9'));
  isThrottled(await use('CHUTE10'));
  isThrottled(await use(code));
  isThrottled(await plan(code));
  const { id_mch } = assertOk(await manager.post('/entregas', order())).body.data;
  isThrottled(await manager.put(`/entregas/${id_mch}`, order({ codigo_cupom: code })));
  assertOk(await manager.put(`/entregas/${id_mch}`, order()));
  assertOk(await use(code, manager2));
  laterOn();
  assertOk(await use(code));
});

test('guessing in parallel tries no more codes than one by one', async () => {
  laterOn();
  const { code } = await newCoupon();
  const guesses = [...Array.from({ length: 30 }, (_, guess) => `CHUTE${guess}`), code];
  const answers = await Promise.all(guesses.map((guess) => use(guess)));
  assert.deepEqual(countStatuses(answers.slice(0, -1)), { 422: 10, 429: 20 });
  isThrottled(answers.at(-1)!);
  laterOn();
});

test('right codes in parallel never hinder each other', async () => {
  const { code } = await newCoupon();
  const answers = await Promise.all(Array.from({ length: 25 }, () => use(code)));
  assert.deepEqual(countStatuses(answers), { 200: 25 });
});

test('an estimate takes a coupon, uses none, and its wrong codes count as those of a creation do', async () => {
  laterOn();
  const { id, code } = await newCoupon({ limite_usos: 1 });
  const ask = (codigo_cupom?: string) =>
    manager.post('/entregas/empresas/1/estimativas', estimate({ codigo_cupom }));
  const plain = assertOk(await ask()).body.data.estimativa_valor;
  assert.ok(assertOk(await ask(code)).body.data.estimativa_valor < plain);
  assert.equal(await usesOf(id), 0);
  for (let wrong = 0; wrong < 10; wrong += 1) refused(await ask('NUNCA-HOUVE'));
  assertRefused(await ask(code), 429, /^muitos cupons/);
  assertRefused(await use(code), 429, /^muitos cupons/);
  assertOk(await ask());
});
