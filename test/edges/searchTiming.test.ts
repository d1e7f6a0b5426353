import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexCentral } from '../../server/src/insight/search/indexCentral.ts';
import { client } from '../support/client.ts';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

/* What a search costs must not tell a company which words the recipients of other companies have. */

const malote = await startMalote();
const asManager = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const orderFor = async (login: typeof malote.manager, name: string) =>
  assertOk(await login.post('/entregas', order({ paradas: [{ ...stop(0), nome_cliente_parada: name }] })));

await orderFor(malote.manager, 'Ana Lima');
await orderFor(malote.manager2, 'Quirino Bastos');
await indexCentral(malote.app.deps, 1);

/** The statements of a search, with the typed word replaced in their values. */
async function statementsOf(word: string, ask: (texto: string) => Promise<unknown>): Promise<string> {
  const { statements } = await countStatements(() => ask(word));
  const asked = statements.filter(({ text }) => text.includes('search_'));
  assert.ok(asked.length > 0);
  return JSON.stringify(asked).replaceAll(word.toLowerCase(), 'WORD').replaceAll(word, 'WORD');
}

const asks: [name: string, ask: (texto: string) => Promise<unknown>][] = [
  ['GET /busca', async (texto) => assertOk(await asManager.get(`/busca?texto=${texto}`))],
  ['GET /busca by two words', async (texto) => assertOk(await asManager.get(`/busca?texto=ana+${texto}`))],
  ['GET /busca by a finished word', async (texto) => assertOk(await asManager.get(`/busca?texto=${texto}+`))],
  [
    'POST /entregas/consultar',
    async (texto) => assertOk(await asManager.post('/entregas/consultar', { texto })),
  ],
];

for (const [name, ask] of asks)
  test(`${name}: a word that another company has, or nobody -> the same statements`, async () => {
    const nobodys = await statementsOf('zzyxwvu', ask);
    for (const [word, what] of [
      ['quirino', 'the word itself'],
      ['quirimo', 'with a typing error'],
      ['kirinoo', 'sounding alike'],
      ['quirin', 'its beginning'],
    ] as const)
      assert.equal(await statementsOf(word, ask), nobodys, what);
  });

test('a company still finds its own by sound and with typing errors', async () => {
  await orderFor(malote.manager, 'Gonçalo Fagundes');
  await indexCentral(malote.app.deps, 1);
  for (const typed of ['goncalo', 'gonsalo', 'gonçlao', 'fagund', 'ana'])
    assert.equal(
      assertOk(await asManager.get(`/busca?texto=${encodeURIComponent(typed)}`)).body.data.entregas.itens
        .length,
      1,
      typed,
    );
});
