import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growHistory } from '../../bench/growthData.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

// No list by cursor reads the history, whatever its filters: it reads one index, from the last key on.
const malote = await startMalote();
const { central, manager, db } = malote;
/** A tenth of them were scheduled. */
const DELIVERIES = 100_000;
/** A page examines 5,000 rows that its index gives; a few more where the index lacks a filter that most satisfy. */
const ROWS_MAX = 7_000;
await growHistory(db, DELIVERIES);

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Every read of a table of requests: how many rows it looked at. */
const reads = (plan: Plan): { node: string; rows: number }[] => [
  ...(['deliveries', 'scheduled', 'stops', 'scheduled_stops'].includes(plan['Relation Name'] ?? '')
    ? [
        {
          node: `${plan['Node Type']} of ${plan['Relation Name']}`,
          rows: (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
        },
      ]
    : []),
  ...(plan.Plans ?? []).flatMap(reads),
];

const date = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\..*/, 'Z');
const FILTERS: Record<string, unknown>[] = [
  {},
  { empresa_id: 1 },
  { numero_pedido: 'P-77' },
  { cursor: 'inicio', id_externo: 'none' },
  { solicitada_de: date(4), solicitada_ate: date(3) },
  { alteradas_desde: '2000-01-01 00:00:00' },
  { alteradas_desde: date(3) },
  { alteradas_desde: date(0) },
];
const OF_DELIVERIES: Record<string, unknown>[] = [
  ...FILTERS,
  ...['D', 'F', 'C', 'N'].map((status_solicitacao) => ({ cursor: 'inicio', status_solicitacao })),
  { cursor: 'inicio', tipo_pagamento: 'T' },
  { cursor: 'inicio', condutor_id: 1 },
  { finalizada_de: date(4), finalizada_ate: date(3) },
];
const together = (filters: Record<string, unknown>[]) =>
  filters.flatMap((one, index) => filters.slice(index).map((other) => ({ ...other, ...one })));

const CASES = [
  ...together(OF_DELIVERIES).map((query) => ({ query, list: '/entregas/consultar' })),
  ...together([...FILTERS, { disparo_de: date(4), disparo_ate: date(3) }]).map((query) => ({
    query,
    list: '/entregas/programadas',
  })),
];

for (const [name, login] of Object.entries({ central, manager }))
  test(`no statement of a walk of ${name} reads the history`, async () => {
    for (const { query, list } of CASES) {
      const given: Record<string, unknown> = { cursor: 'inicio', limite: 1, ...query };
      const { statements } = await countStatements(async () =>
        assertOk(
          await (list === '/entregas/consultar'
            ? login.post(list, given)
            : login.get(`${list}?${new URLSearchParams(given as Record<string, string>)}`)),
        ),
      );
      const said = `${list} ${JSON.stringify(given)}`;
      for (const { text, values } of statements) {
        if (!/^\s*(select|with)\b/i.test(text) || !/\b(deliveries|scheduled)\b/.test(text)) continue;
        const { rows } = await db.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
          text: `explain (analyze, format json) ${text}`,
          values: values as unknown[],
        });
        const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
        for (const { node, rows: seen } of reads(plan)) {
          assert.ok(seen <= ROWS_MAX, `${said}: ${node} looks at ${seen} rows\n${text}`);
        }
      }
    }
  });
