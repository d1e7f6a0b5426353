import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, operator } = malote;

let made = 0;
/** A phone number that no other record has. */
const newPhone = (): string => {
  made += 1;
  return `519${String(70_000_000 + made)}`;
};

async function driverOf(empresas: readonly number[], telefone = newPhone()): Promise<string> {
  const driver = { nome: 'Condutora', telefone, categorias: [1], empresas };
  assertOk(await operator.post('/condutores', driver));
  return telefone;
}

const balance = (phone: string, login: Client = central): Promise<Answer> =>
  login.get(
    `/entregas/empresas/creditos/saldo?tipo_identificacao=T&identificacao=${encodeURIComponent(phone)}`,
  );
const topUp = (phone: string, valor: number): Promise<Answer> =>
  central.post('/entregas/empresas/creditos/recargas', {
    valor,
    empresa: { tipo_identificacao: 'T', identificacao: phone },
  });
const balanceOf = async (companyId: number): Promise<string> =>
  (await operator.get(`/empresas/${companyId}/extrato`)).body.data.saldo;

const UNKNOWN = /^empresa não encontrada$/;
const AMBIGUOUS = /^o telefone corresponde a mais de uma empresa/;

test('a company is found by its own phone, and by that of a driver who works for it alone', async () => {
  const before = Number(await balanceOf(2));
  const phone = await driverOf([2]);
  for (const written of ['(51) 3333-5678', phone, `+55 (51) ${phone.slice(2, 7)}-${phone.slice(7)}`])
    assertOk(await topUp(written, 1));
  assert.equal(Number(await balanceOf(2)), before + 3);
  assert.equal(assertOk(await balance(phone)).body.data.saldo, before + 3);
});

test('the phone of a driver who works for several companies, or for all, names none', async () => {
  for (const phone of [await driverOf([1, 2]), await driverOf([])]) {
    assertRefused(await balance(phone), 404, UNKNOWN);
    assertRefused(await topUp(phone, 1), 404, UNKNOWN);
    assertRefused(await balance(phone, manager), 404, UNKNOWN);
  }
});

test('a phone that names two companies is refused, and nothing is entered', async () => {
  const shared = newPhone();
  await driverOf([1], shared);
  await driverOf([2], shared);
  const before = [await balanceOf(1), await balanceOf(2)];
  assertRefused(await topUp(shared, 1), 422, AMBIGUOUS);
  assertRefused(await balance(shared), 422, AMBIGUOUS);
  assert.deepEqual([await balanceOf(1), await balanceOf(2)], before);
  // The registered phone of company 2, and that of a driver of company 1.
  const taken = '5133335678';
  await driverOf([1], taken);
  assertRefused(await topUp(taken, 1), 422, AMBIGUOUS);
});

test('two drivers of one company with the same phone name that company', async () => {
  const shared = newPhone();
  await driverOf([2], shared);
  await driverOf([2], shared);
  assertOk(await balance(shared));
});

test('to a manager only the own company can be meant', async () => {
  const phone = await driverOf([2]);
  assertOk(await balance(phone, manager2));
  assertRefused(await balance(phone, manager), 404, UNKNOWN);
  const shared = await driverOf([1]);
  await driverOf([2], shared);
  assertOk(await balance(shared, manager));
});

test('a driver who is bound elsewhere, or no longer active, names the company no longer', async () => {
  const telefone = newPhone();
  const driver = { nome: 'Condutora', telefone, categorias: [1] };
  const { id } = assertOk(await operator.post('/condutores', { ...driver, empresas: [2] })).body.data;
  assertOk(await balance(telefone));
  assertOk(await operator.put(`/condutores/${id}`, { ...driver, empresas: [2], ativo: false }));
  assertRefused(await balance(telefone), 404, UNKNOWN);
  assertOk(await operator.put(`/condutores/${id}`, { ...driver, empresas: [1, 2], ativo: true }));
  assertRefused(await balance(telefone), 404, UNKNOWN);
});
