import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import {
  cents,
  code,
  flag,
  id,
  instant,
  integer,
  kmText,
  list,
  localTime,
  number,
  one,
  text,
  view,
} from './view.ts';

interface Courier {
  id: number;
  name: string;
  color: string | null;
}
interface Run {
  state: 'open' | 'over';
  metres: number;
  netCents: number;
  feeCents: number | null;
  at: Temporal.Instant;
  courier: Courier | null;
  carried: Courier[];
}
interface Reader {
  timeZone: string;
  isCentral: boolean;
}

const courier = view<Courier>()({
  id: id((each) => each.id, '3'),
  nome: text((each) => each.name, 'Carlos'),
  cor: text.orNull((each) => each.color, 'branca'),
});

const run = view<Run, Reader>()({
  estado: code({ open: 'A', over: 'F' }, 'as letras')(({ state }) => state, 'A'),
  km: kmText(({ metres }) => metres, '1.20'),
  metros: integer(({ metres }) => metres, 1200),
  grau: number(() => 0.5, 0.5),
  valor: cents(({ netCents }) => netCents, '15.29', 'o preço'),
  taxa: cents.orNull(({ feeCents }) => feeCents, null),
  em: instant(({ at }) => at, '2026-11-16T15:00:00Z'),
  de_novo_em: instant.orNull(({ at }) => at.toString(), null, 'a última vez'),
  local: localTime(({ at }) => at, '2026-11-16 12:00:00'),
  interno: flag.orNull((_, { isCentral }) => (isCentral ? true : null), null),
  condutor: one.orNull(courier, (each) => each.courier, { description: 'quem leva', example: null }),
  primeiro: one(courier, (each) => each.carried[0]!),
  levadas: list(courier, (each) => each.carried, { description: 'na ordem' }),
});

const ana: Courier = { id: 7, name: 'Ana', color: null };
const row: Run = {
  state: 'over',
  metres: 1_005,
  netCents: 0,
  feeCents: null,
  at: Temporal.Instant.from('2026-11-16T15:00:00.9Z'),
  courier: null,
  carried: [ana],
};
const reader: Reader = { timeZone: 'America/Sao_Paulo', isCentral: false };

test('a view shows each field by its kind, in the order of the table', () => {
  const shown: Static<typeof run.schema> = run.show(row, reader);
  const anaShown = { id: '7', nome: 'Ana', cor: null };
  assert.equal(
    JSON.stringify(shown),
    JSON.stringify({
      estado: 'F',
      km: '1.01',
      metros: 1_005,
      grau: 0.5,
      valor: '0.00',
      taxa: null,
      em: '2026-11-16T15:00:00Z',
      de_novo_em: '2026-11-16T15:00:00Z',
      local: '2026-11-16 12:00:00',
      interno: null,
      condutor: null,
      primeiro: anaShown,
      levadas: [anaShown],
    }),
  );
});

test('a value that may be null is shown where there is one, also where it is zero', () => {
  const shown = run.show({ ...row, feeCents: 0, courier: ana }, { ...reader, isCentral: true });
  assert.equal(shown.taxa, '0.00');
  assert.equal(shown.interno, true);
  assert.deepEqual(shown.condutor, { id: '7', nome: 'Ana', cor: null });
});

test('the schema and the example have the fields in the same order', () => {
  const { properties } = run.schema;
  assert.deepEqual(Object.keys(properties), Object.keys(run.example));
  const courierSchema = {
    type: 'object',
    required: ['id', 'nome', 'cor'],
    properties: courier.schema.properties,
  };
  const schemas: [keyof typeof properties, unknown][] = [
    ['estado', { enum: ['A', 'F'], description: 'as letras' }],
    ['valor', { type: 'string', description: 'o preço' }],
    ['taxa', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['em', { type: 'string', description: 'ISO 8601 em UTC' }],
    ['de_novo_em', { anyOf: [{ type: 'string', description: 'a última vez' }, { type: 'null' }] }],
    ['condutor', { anyOf: [{ ...courierSchema, description: 'quem leva' }, { type: 'null' }] }],
    ['primeiro', courierSchema],
    ['levadas', { type: 'array', items: courierSchema, description: 'na ordem' }],
  ];
  for (const [name, schema] of schemas)
    assert.deepEqual(JSON.parse(JSON.stringify(properties[name])), JSON.parse(JSON.stringify(schema)), name);
  assert.deepEqual(run.example.levadas, [{ id: '3', nome: 'Carlos', cor: 'branca' }]);
  assert.equal(run.example.condutor, null);
});
