import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, newDriver } from '../support/steps.ts';

/*
 * Times and ids of entries are taken before their account is locked, and may be out of order. A list of one account
 * follows the entries' numbers, so that each line's balance is the previous line's plus the amount.
 */
const malote = await startMalote();
const { operator, db } = malote;
const driverId = await newDriver(malote);

/** The ids and times of entries, in the order in which their account takes them. */
const ENTRIES = [
  [900_009, '2026-11-20T15:00:00Z'],
  [900_003, '2026-11-21T15:00:00Z'],
  [900_002, '2026-11-21T15:00:00Z'],
  [900_007, '2026-11-21T14:59:59.990Z'],
  [900_001, '2026-11-21T15:00:00.010Z'],
  [900_006, '2026-11-22T15:00:00Z'],
] as const;

const ledgers = [
  {
    path: '/carteiras/lancamentos',
    of: { empresa_id: 2 },
    insert: (id: number, at: string, cents: number) => db`
      insert into wallet_entries (central_id, id, company_id, kind, amount_cents, created_at)
      values (1, ${id}, 2, 'top_up', ${cents}, ${at}::timestamptz)`,
  },
  {
    path: '/condutores/lancamentos',
    of: { condutor_id: driverId },
    insert: (id: number, at: string, cents: number) => db`
      insert into driver_entries (central_id, id, driver_id, kind, amount_cents, day, note, created_at)
      values (1, ${id}, ${driverId}, 'adjustment', ${cents}, ${at.slice(0, 10)}::date, 'x', ${at}::timestamptz)`,
  },
  {
    path: '/empresas/lancamentos',
    of: { empresa_id: 2 },
    insert: (id: number, at: string, cents: number) => db`
      insert into company_entries (central_id, id, company_id, kind, amount_cents, day, created_at)
      values (1, ${id}, 2, 'payment', ${cents}, ${at.slice(0, 10)}::date, ${at}::timestamptz)`,
  },
];

for (const { path, of, insert } of ledgers)
  describe(path, () => {
    before(async () => {
      for (const [index, [id, at]] of ENTRIES.entries()) await insert(id, at, 100 + index);
    });
    const ids = ENTRIES.map(([id]) => id);
    /** Reads page by page, without the entries that existed before. */
    async function walk(body: Json): Promise<Json[]> {
      const seen: Json[] = [];
      let cursor: string | null = null;
      do {
        const given: Json = { ...of, ...body, limite: 1, ...(cursor && { cursor }) };
        const answer: Json = assertOk(await operator.post(`${path}/consultar`, given)).body;
        seen.push(...answer.data);
        cursor = answer.proximo;
      } while (cursor);
      return seen.filter(({ id }) => Number(id) > 900_000);
    }
    const idsOf = (entries: readonly Json[]) => entries.map(({ id }) => Number(id));
    const cents = (amount: string) => Math.round(Number(amount) * 100);

    test('the balance follows line by line in both orders, page by page', async () => {
      const oldest = await walk({ ordem: 'mais_antigos' });
      assert.deepEqual(idsOf(oldest), ids);
      for (const [index, { valor, saldo_apos }] of oldest.entries())
        if (index > 0) assert.equal(cents(saldo_apos), cents(oldest[index - 1]!.saldo_apos) + cents(valor));
      assert.deepEqual(idsOf(await walk({})), ids.toReversed());
      assert.deepEqual(idsOf(await walk({ tipo: [oldest[0]!.tipo] })), ids.toReversed());
    });

    test('a period is that of the central’s days', async () => {
      assert.deepEqual(
        idsOf(await walk({ de: '2026-11-21', ate: '2026-11-21', ordem: 'mais_antigos' })),
        [900_003, 900_002, 900_007, 900_001],
      );
      assert.deepEqual(idsOf(await walk({ ate: '2026-11-20' })), [900_009]);
      assert.deepEqual(idsOf(await walk({ de: '2026-11-22' })), [900_006]);
      assert.deepEqual(await walk({ de: '2026-11-23' }), []);
      const counted = { ...of, de: '2026-11-21', contar: true };
      const { total } = assertOk(await operator.post(`${path}/consultar`, counted)).body;
      assert.ok(total.exato && total.numero >= 5);
    });

    test('the file has the same order', async () => {
      const { conteudo } = assertOk(await operator.post(`${path}/exportar`, { ...of, de: '2026-11-21' })).body
        .data;
      const amounts = [...conteudo.matchAll(/;(1,0[1-5]);/g)].map(([, amount]) => amount);
      assert.deepEqual(amounts, ['1,05', '1,04', '1,03', '1,02', '1,01']);
    });
  });
