import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordKind, recordLimits } from '../../server/src/centrals/centralStore.ts';
import type { Answer } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { runText } from '../support/runText.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { db, operator, central } = malote;

/** Ids that no sequence assigns during the test. */
const FILLED_FROM = 5_000_000;

/** Fills a register up to the given number of records, and creates one more. */
const registers: [
  RecordKind,
  string,
  (missing: number) => Promise<unknown>,
  (index: number) => Promise<Answer>,
][] = [
  [
    'reasons',
    'cancellation_reasons',
    (missing) => db`
      insert into cancellation_reasons (central_id, id, name, name_en)
      select 1, ${FILLED_FROM}::bigint + n, 'motivo ' || n, 'reason ' || n from generate_series(1, ${missing}::int) n`,
    (index) => operator.post('/motivos-cancelamento', { nome: `novo ${index}`, nome_en: `new ${index}` }),
  ],
  [
    'categories',
    'categories',
    (missing) => db`
      insert into categories (central_id, id, name, description, profile)
      select 1, ${FILLED_FROM}::bigint + n, 'categoria ' || n, '', 'car' from generate_series(1, ${missing}::int) n`,
    (index) => operator.post('/categorias', { nome: `Nova ${index}`, perfil: 'carro' }),
  ],
  [
    'keys',
    'api_keys',
    (missing) => db`
      insert into api_keys (central_id, id, label, sha256, created_at)
      select 1, ${FILLED_FROM}::bigint + n, 'chave', sha256(convert_to('k' || n, 'UTF8')), now()
      from generate_series(1, ${missing}::int) n`,
    (index) => operator.post('/chaves', { descricao: `nova ${index}` }),
  ],
  [
    'drivers',
    'drivers',
    (missing) => db`
      insert into drivers (central_id, id, name, phone)
      select 1, ${FILLED_FROM}::bigint + n, 'condutor ' || n, (51900000000 + n)::text from generate_series(1, ${missing}::int) n`,
    (index) =>
      operator.post('/condutores', {
        nome: `Novo ${index}`,
        telefone: `5197777000${index}`,
        categorias: [1],
      }),
  ],
];

for (const [kind, table, fill, create] of registers)
  test(`${kind}: of several created at once no more than the limit are kept, and the others are refused`, async () => {
    const [row] = await runText<{ count: number }>(
      db,
      `select count(*) from ${table} where central_id = 1`,
      [],
    );
    await fill(recordLimits[kind] - row!.count - 3);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index)));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 7, JSON.stringify(refused[0]?.body));
    for (const answer of refused) {
      assertFailure(answer, 400, 0);
      assert.match(answer.body.errors[0].message, new RegExp(`no máximo ${recordLimits[kind]} registros`));
    }
    const [after] = await runText<{ count: number }>(
      db,
      `select count(*) from ${table} where central_id = 1`,
      [],
    );
    assert.equal(after!.count, recordLimits[kind]);
  });

test('an import that would make too many areas changes nothing', async () => {
  const square = (index: number) => {
    const [west, south] = [-60 + (index % 100) * 0.01, -20 + Math.floor(index / 100) * 0.01];
    return [
      [west, south],
      [west + 0.005, south],
      [west + 0.005, south + 0.005],
      [west, south + 0.005],
      [west, south],
    ];
  };
  const features = Array.from({ length: 500 }, (_, index) => ({
    type: 'Feature',
    properties: { nome: `Quadra ${index}` },
    geometry: { type: 'Polygon', coordinates: [square(index)] },
  }));
  const list = async () => assertOk(await central.get('/entregas/bandeiras/areas-atuacao')).body.data;
  const before = await list();
  assert.ok(before.length > 0);
  const answer = await operator.post('/areas-atuacao/importar', { type: 'FeatureCollection', features });
  assertFailure(answer, 400, 0);
  assert.deepEqual(await list(), before);
});

test('webhooks registered at once are no more than a company may have', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      malote.manager.post('/webhooks', { url: `http://127.0.0.1:1/${index}`, tipos: ['entrega.status'] }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  for (const answer of answers.filter(({ status }) => status !== 200)) assertFailure(answer, 400, 0);
});

test('the ids of messages, which are made from the id of their event, leave room for all webhooks', () => {
  assert.ok(recordLimits.webhooks < 1_024);
});
