import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { distributeOnce } from '../support/rounds.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, operator } = malote;
const { data: everybody } = (await operator.get('/condutores?limite=100')).body;
for (const { id } of everybody)
  assertOk(await operator.post(`/condutores/${id}/disponibilidade`, { disponivel: false }));

const names = { nome: 'Condutora', telefone: '51988887777', categorias: [1] };
const bind = async (id: number, empresas: readonly number[]): Promise<void> => {
  assertOk(await operator.put(`/condutores/${id}`, { ...names, empresas }));
};

/** A free driver on duty at the pickup. */
async function newDriver(empresas: readonly number[]): Promise<number> {
  const { id } = assertOk(await operator.post('/condutores', { ...names, empresas })).body.data;
  assertOk(await operator.post(`/condutores/${id}/posicao`, { lat: -30.0305, lng: -51.2303 }));
  assertOk(await operator.post(`/condutores/${id}/disponibilidade`, { disponivel: true }));
  return id;
}

const open = async (login: Client, changes: Record<string, unknown> = {}): Promise<string> =>
  assertOk(await login.post('/entregas', order({ categoria_id: 1, ...changes }))).body.data.id_mch;
const openForPerson = () =>
  open(central, { cliente: { nome: 'Ana Luz', cpf: '529.982.247-25', telefone: '51999990000' } });
const statusOf = async (id: string): Promise<string> =>
  assertOk(await central.get(`/entregas/${id}/status`)).body.data.status;
const cancel = async (id: string) =>
  assertOk(await central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
const goHome = async (id: number) =>
  assertOk(await operator.post(`/condutores/${id}/disponibilidade`, { disponivel: false }));
const ELSEWHERE = /^o entregador atende somente entregas de outras empresas$/;

test('the companies of a driver are kept, shown, and replaced with the rest of the record', async () => {
  const id = await newDriver([2, 1]);
  assert.deepEqual((await operator.get(`/condutores/${id}`)).body.data.empresas, ['1', '2']);
  await bind(id, [2]);
  assert.deepEqual((await operator.get(`/condutores/${id}`)).body.data.empresas, ['2']);
  assertOk(await operator.put(`/condutores/${id}`, names));
  assert.deepEqual((await operator.get(`/condutores/${id}`)).body.data.empresas, []);
  assertFailure(await operator.put(`/condutores/${id}`, { ...names, empresas: [999] }), 404, 0);
  assertFailure(await operator.put(`/condutores/${id}`, { ...names, empresas: [10_000_001] }), 404, 0);
  await goHome(id);
});

test('a bound driver is offered only the deliveries of its companies', async () => {
  const driver = await newDriver([2]);
  const others = [await open(manager), await openForPerson()];
  await distributeOnce(malote.app.deps);
  for (const id of others) assert.equal(await statusOf(id), 'P');
  const own = await open(manager2);
  await distributeOnce(malote.app.deps);
  assert.equal(await statusOf(own), 'G');
  for (const id of [...others, own]) await cancel(id);
  await goHome(driver);
});

test('a driver without companies is offered deliveries of all, and of persons', async () => {
  const driver = await newDriver([]);
  for (const make of [() => open(manager), () => open(manager2), openForPerson]) {
    const id = await make();
    await distributeOnce(malote.app.deps);
    assert.equal(await statusOf(id), 'G');
    await cancel(id);
  }
  await goHome(driver);
});

test('a bound driver is given no other company’s delivery by hand either', async () => {
  const driver = await newDriver([2]);
  for (const id of [await open(manager), await openForPerson()]) {
    for (const step of ['atribuir', 'aceitar'])
      assertRefused(await operator.post(`/entregas/${id}/${step}`, { condutor_id: driver }), 422, ELSEWHERE);
    assert.equal(await statusOf(id), 'D');
    await cancel(id);
  }
  const own = await open(manager2);
  assertOk(await operator.post(`/entregas/${own}/aceitar`, { condutor_id: driver }));
  await goHome(driver);
});

test('to a bound driver’s own login a delivery of another company is not there', async () => {
  const { data } = (await operator.get('/condutores/1')).body;
  const { id: _, disponivel: _available, simulado: _simulated, ...record } = data;
  assertOk(await operator.put('/condutores/1', { ...record, empresas: [2] }));
  const other = await open(manager);
  assertFailure(await malote.driver(1).post(`/entregas/${other}/aceitar`), 404, 0);
  const own = await open(manager2);
  assertOk(await operator.post(`/entregas/${own}/atribuir`, { condutor_id: 1 }));
  assertOk(await malote.driver(1).post(`/entregas/${own}/aceitar`));
});

test('a company that a driver is bound to is not deleted', async () => {
  const company = { nome: 'Nova', cpf_cnpj: '11.444.777/0001-61' };
  const { id } = assertOk(await operator.post('/empresas', company)).body.data;
  const driver = await newDriver([id]);
  assertFailure(await operator.delete(`/empresas/${id}`), 409, 0);
  await bind(driver, []);
  assertOk(await operator.delete(`/empresas/${id}`));
});
