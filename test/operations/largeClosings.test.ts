import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { runText } from '../support/runText.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;

const TODAY = '2026-11-16';
const ENTRIES_MAX = 5_000;
const cents = (amount: string): number => Math.round(Number(amount) * 100);
const preview = (path: string, ate = TODAY) => operator.post(`${path}/fechamentos/simular`, { ate });
const close = (path: string, ate = TODAY) => operator.post(`${path}/fechamentos`, { ate });
const closed = async (path: string): Promise<Json> => assertOk(await close(path)).body.data;

let nextId = 5_000_000;

/**
 * Makes entries of one cent each, in several transactions: each entry changes the account's row, and only the old
 * versions of committed changes can be cleaned up.
 */
async function enter(party: { companyId: number } | { driverId: number }, count: number): Promise<void> {
  const insert =
    'companyId' in party
      ? `insert into company_entries (central_id, id, company_id, kind, amount_cents, day, created_at)
         select 1, $2::bigint + n, $1, 'cash', -1, $4::date, $5::timestamptz from generate_series(1, $3::int) n`
      : `insert into driver_entries (central_id, id, driver_id, kind, amount_cents, day, created_at)
         select 1, $2::bigint + n, $1, 'adjustment', 1, $4::date, $5::timestamptz from generate_series(1, $3::int) n`;
  const day = clock.now().toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toString();
  for (let left = count; left > 0; left -= 250) {
    const part = Math.min(left, 250);
    await runText(db, insert, [Object.values(party)[0], nextId, part, day, clock.now().toString()]);
    nextId += part;
  }
}

async function newCompany(identificador: string, cpf_cnpj: string): Promise<number> {
  const company = { nome: 'Mercado Grande', cpf_cnpj, identificador };
  return Number(assertOk(await operator.post('/empresas', company)).body.data.id);
}

test('a day of a company with more entries than a closing has room for is closed in parts', async () => {
  const companyId = await newCompany('dia-cheio', '12.345.678/0001-95');
  const path = `/empresas/${companyId}`;
  await enter({ companyId }, ENTRIES_MAX + 1_200);
  const seen = assertOk(await preview(path)).body.data;
  assert.deepEqual([seen.lancamentos, seen.restantes, seen.total], [5_000, 1_200, '-50.00']);

  const first = await closed(path);
  assert.deepEqual([first.total, first.restantes, first.de, first.ate], ['-50.00', 1_200, TODAY, TODAY]);
  const second = await closed(path);
  assert.deepEqual([second.total, second.restantes], ['-12.00', 0]);
  assertRefused(await close(path), 409, /não há nada em aberto até esta data/);

  const [entered] = await db<{ cents: number }>`
    select sum(amount_cents)::bigint as cents from company_entries where central_id = 1 and company_id = ${companyId}`;
  assert.equal(cents(first.total) + cents(second.total), entered!.cents);
  const numbers = await Promise.all(
    [first, second].map(async ({ id }) => {
      const { body } = assertOk(await operator.get(`/fechamentos/${id}/arquivo?formato=csv`));
      const [, ...rows] = Buffer.from(body.data.conteudo, 'base64').toString().trimEnd().split('\r\n');
      return rows.map((row) => Number(row.split(';')[0]));
    }),
  );
  assert.deepEqual(
    numbers.map((each) => [each[0], each.length, each.at(-1)]),
    [
      [1, 5_000, 5_000],
      [5_001, 1_200, 6_200],
    ],
  );
});

test('a day of a driver with more entries than a closing has room for is closed in parts', async () => {
  const driverId = await newDriver(malote);
  const path = `/condutores/${driverId}`;
  await enter({ driverId }, ENTRIES_MAX + 1);
  const first = await closed(path);
  assert.deepEqual([first.total, first.restantes], ['50.00', 1]);
  assertOk(await operator.post(`/fechamentos/${first.id}/pagar`));
  // The payment of the first part is listed in the second and does not count there.
  const second = await closed(path);
  assert.deepEqual([second.total, second.restantes], ['0.01', 0]);
  assertOk(await operator.post(`/fechamentos/${second.id}/pagar`));
  assert.equal(assertOk(await operator.get(`${path}/ganhos`)).body.data.saldo, '0.00');
});

test('a day that is closed in parts is not divided between the price of a delivery and its payment', async () => {
  await enter({ companyId: 1 }, ENTRIES_MAX - 1);
  const { id, stopIds } = await openDelivery(malote, { forma_pagamento: 'R' });
  const condutor_id = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  for (const stopId of stopIds)
    assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));
  const first = await closed('/empresas/1');
  assert.deepEqual([first.total, first.entregas, first.restantes], ['-49.99', 0, 2]);
  const second = await closed('/empresas/1');
  assert.deepEqual([second.total, second.entregas, second.restantes], ['0.00', 1, 0]);
});

test('several days with too many entries together are closed up to an earlier day', async () => {
  const companyId = await newCompany('dois-dias', '11.444.777/0001-61');
  const path = `/empresas/${companyId}`;
  await enter({ companyId }, 1);
  clock.advance({ hours: 24 });
  await enter({ companyId }, ENTRIES_MAX);
  const tooMany = /mais de 5000 lançamentos; feche até uma data anterior/;
  assertRefused(await preview(path, '2026-11-17'), 422, tooMany);
  assertRefused(await close(path, '2026-11-17'), 422, tooMany);
  assert.equal((await closed(path)).total, '-0.01');
  const rest = assertOk(await close(path, '2026-11-17')).body.data;
  assert.deepEqual([rest.total, rest.restantes], ['-50.00', 0]);
});
