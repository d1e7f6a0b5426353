import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, createCentral } from '../../server/src/centrals/createCentral.ts';
import type { Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk } from '../support/steps.ts';

/* Names that look the same must be the same, or somebody is taken for somebody else. */

const malote = await startMalote();
const { operator, db } = malote;

/** One of each kind of character that is not drawn. */
const INVISIBLE = ['\u00ad', '\u034f', '\u061c', '\u115f', '\u17b4', '\u180e', '\u200b', '\u202e', '\u2063'];
INVISIBLE.push('\u3164', '\ufe0f', '\ufeff', '\uffa0', '\u{e0041}');

const example = (path: string): Json =>
  structuredClone(
    everyEndpoint.find(({ endpoint }) => endpoint.method === 'POST' && endpoint.path === path)!.endpoint
      .bodyExample,
  );

test('a login with characters that are not drawn, or in another form -> 400', async () => {
  const user = { ...example('/usuarios'), senha: 'senha-muito-boa' };
  for (const usuario of [...INVISIBLE.map((character) => `cent${character}ral`), 'ｃｅｎｔｒａｌ', 'ﬁscal'])
    assert.deepEqual(complainedFields(await operator.post('/usuarios', { ...user, usuario })), ['usuario']);
  assertOk(await operator.post('/usuarios', { ...user, usuario: 'joão.müller' }));
});

const named: [path: string, field: string][] = [
  ['/categorias', 'nome'],
  ['/areas-atuacao', 'nome'],
  ['/cupons', 'codigo'],
];
for (const [path, field] of named)
  test(`POST ${path}: a twin by characters that are not drawn -> 409`, async () => {
    const first = { ...example(path), [field]: 'Gêmeo' };
    assert.equal(assertOk(await operator.post(path, first)).body.data[field], 'Gêmeo');
    for (const character of INVISIBLE) {
      const twin = await operator.post(path, { ...first, [field]: `Gê${character}meo` });
      assert.equal(twin.status, 409, character.codePointAt(0)!.toString(16));
    }
    assert.equal((await operator.post(path, { ...first, [field]: 'Ge\u0302meo' })).status, 409, 'decomposed');
    assert.deepEqual(complainedFields(await operator.post(path, { ...first, [field]: '\u200b\u2060 ' })), [
      field,
    ]);
  });

for (const [path, field] of [
  ['/chaves', 'descricao'],
  ['/condutores', 'nome'],
  ['/motivos-cancelamento', 'nome'],
] as const)
  test(`POST ${path}: a name is stored without characters that are not drawn`, async () => {
    const made = await operator.post(path, { ...example(path), [field]: 'Nº\u200b 1\u202e ' });
    assert.equal(assertOk(made).body.data[field], 'Nº 1');
  });

test('the identifiers of companies are compared as they look', async () => {
  const company = example('/empresas');
  const first = { ...company, cpf_cnpj: '11444777000161', telefone: '5133331111', identificador: 'LOJA-1' };
  assertOk(await operator.post('/empresas', { ...first, numero_contrato: 'K-1' }));
  const twin = { ...first, cpf_cnpj: '52998224725', telefone: '5133332222', numero_contrato: 'K-2' };
  assert.equal((await operator.post('/empresas', { ...twin, identificador: 'LOJA\u2060-１' })).status, 409);
});

test('two centrals cannot have names that look the same', async () => {
  const [own] = await db<{ name: string }>`select name from centrals where id = 1`;
  for (const character of INVISIBLE)
    await assert.rejects(
      createCentral({ db }, { name: `${own!.name}${character}`, timeZone: 'America/Sao_Paulo' }),
      { kind: 'central-name-taken' },
    );
  await assert.rejects(
    createCentral({ db }, { name: `Cent\u200b${own!.name.slice(4)}`, timeZone: 'America/Sao_Paulo' }),
    { kind: 'central-name-taken' },
  );
});

test('a key of the command line is stored without characters that are not drawn', async () => {
  const { id } = await createApiKey(malote, 1, ' Loja\u200b 1\u202e');
  const [stored] = await db<{
    label: string;
  }>`select label from api_keys where central_id = 1 and id = ${id}`;
  assert.equal(stored!.label, 'Loja 1');
});

test('the name of a central is changed without characters that are not drawn', async () => {
  const { nome } = assertOk(await operator.get('/configuracoes')).body.data;
  const changed = assertOk(await operator.put('/configuracoes', { nome: `Nova\u200b ${nome}\u202e ` }));
  assert.equal(changed.body.data.nome, `Nova ${nome}`);
  assertOk(await operator.put('/configuracoes', { nome }));
});

test('an imported area is stored without characters that are not drawn', async () => {
  const { features, ...collection } = example('/areas-atuacao/importar');
  const [feature] = features;
  feature.properties = { nome: 'Zona\u200b Sul\u202e ', padrao: false };
  assertOk(await operator.post('/areas-atuacao/importar', { ...collection, features: [feature] }));
  const areas = assertOk(await operator.get('/areas-atuacao')).body.data;
  assert.ok(areas.some(({ nome }: Json) => nome === 'Zona Sul'));
});
