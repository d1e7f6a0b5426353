import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { assertFailure, complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { useTimeZone } from '../support/registers.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote({ limits: true });
const { operator } = malote;
const path = '/configuracoes';

test('the settings are read whole, with the central’s name and time zone', async () => {
  const { status, body } = await operator.get(path);
  assert.equal(status, 200);
  assert.equal(body.data.nome, 'Central Demonstração');
  assert.equal(body.data.fuso_horario, 'America/Sao_Paulo');
  assert.equal(body.data.exige_codigo_confirmacao, false);
  assert.equal(body.data.permite_cancelar_programada_aguardando, false);
  assert.equal(body.data.limite_programadas, 200);
  assert.equal(body.data.limite_entregas, 800);
  assert.equal(body.data.limite_estimativas, 1000);
  assert.equal(body.data.limite_recargas_por_empresa, 5);
  assert.equal(body.data.limite_saldos_por_empresa, 12);
});

test('a change keeps what it does not name, and holds for the next request', async () => {
  const before = (await operator.get(path)).body.data;
  const changed = await operator.put(path, { limite_entregas: 900, exige_liberacao: true });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.body.data, { ...before, limite_entregas: 900, exige_liberacao: true });
  assert.deepEqual((await operator.get(path)).body, changed.body);

  const created = await malote.manager.post('/entregas', order());
  assert.equal(created.headers.get('x-ratelimit-limit'), '900');
  const status = await malote.manager.get(`/entregas/${created.body.data.id_mch}/status`);
  assert.equal(status.body.data.status, 'P', 'it awaits release');
  const back = await operator.put(path, { limite_entregas: 800, exige_liberacao: false });
  assert.deepEqual(back.body.data, before);
});

test('the whole answer can be written back', async () => {
  const { body } = await operator.get(path);
  assert.deepEqual((await operator.put(path, body.data)).body, body);
});

test('only what differs from the defaults is stored', async (t) => {
  t.after(() => operator.put(path, { limite_programadas: 200 }));
  await operator.put(path, { limite_entregas: 800, limite_programadas: 201 });
  const [row] = await malote.db<{ settings: Json }>`select settings from centrals where id = 1`;
  assert.equal(row?.settings.limitScheduled, 201);
  assert.ok(!('limitDeliveries' in row.settings));
});

test('the central can be renamed and moved to another time zone', async () => {
  await operator.put(path, { nome: 'Central do Sul', fuso_horario: 'America/Manaus' });
  const created = await malote.manager.post('/entregas', order());
  const delivery = await malote.manager.get(`/entregas/${created.body.data.id_mch}`);
  assert.equal(delivery.body.data.data_hora_solicitacao, '2026-11-16 11:00:00');
  const { data } = (
    await operator.put(path, { nome: 'Central Demonstração', fuso_horario: 'America/Sao_Paulo' })
  ).body;
  assert.equal(data.nome, 'Central Demonstração');
});

test('a zone is named as on the command line, which takes no offset either', async (t) => {
  await useTimeZone(t, malote, 'Etc/GMT+3');
  const { data } = assertOk(await operator.get(path)).body;
  assert.equal(assertOk(await operator.put(path, data)).body.data.fuso_horario, 'Etc/GMT+3');
  for (const fuso_horario of ['-03:00', 'GMT+3', '2026-11-16T12:00[America/Manaus]', 'America/Sao_Paulo '])
    assert.deepEqual(complainedFields(await operator.put(path, { fuso_horario })), ['fuso_horario']);
});

test('every mistake is named at once, an unknown name among them', async () => {
  const answer = await operator.put(path, {
    limite_entregas: 0,
    exige_liberacao: 'sim',
    fuso_horario: 'Brasil/Gaucho',
    nome: '',
    limite_de_velocidade: 80,
    limitDeliveries: 5,
  });
  assert.deepEqual(complainedFields(answer), [
    'exige_liberacao',
    'fuso_horario',
    'limitDeliveries',
    'limite_de_velocidade',
    'limite_entregas',
    'nome',
  ]);
  assert.match(answer.text, /'limite_de_velocidade': não é um campo conhecido/);
});

test('two changes at the same time both hold', async () => {
  await Promise.all([
    operator.put(path, { limite_programadas: 300 }),
    operator.put(path, { limite_estimativas: 2000 }),
    operator.put(path, { limite_entregas: 1000 }),
  ]);
  const { data } = (await operator.get(path)).body;
  assert.equal(data.limite_programadas, 300);
  assert.equal(data.limite_estimativas, 2000);
  assert.equal(data.limite_entregas, 1000);
});

test('only an operator reads or changes them', async () => {
  assertFailure(await malote.driver(1).get(path), 403, 0);
  assertFailure(await malote.driver(1).put(path, { nome: 'Minha' }), 403, 0);
});

test('a central cannot take the name of another, whatever its capitals, accents and spaces', async () => {
  for (const nome of [
    'Central Vizinha',
    'CENTRAL  VIZINHA',
    ' céntral vizinhá ',
    'Central\u200b Vizinha',
    'Ｃentral Vizinha',
  ]) {
    const refused = await operator.put(path, { nome });
    assertFailure(refused, 409, 0);
    assert.equal(
      refused.body.errors[0].message,
      'já existe uma central com este nome; maiúsculas e acentos não diferenciam nomes',
    );
  }
  const english = await operator.put(path, { nome: 'central vizinha' }, { 'accept-language': 'en' });
  assertFailure(english, 409, 0);
  assert.equal(
    english.body.errors[0].message,
    'another central has this name; capitals and accents do not tell names apart',
  );
  assert.equal((await operator.get(path)).body.data.nome, 'Central Demonstração');
});

test('a central cannot be named like the number of another', async () => {
  for (const nome of ['2', '002', '２', ' 1 2 ', '2\u200b']) {
    const refused = await operator.put(path, { nome });
    assert.equal(refused.status, 422, nome);
    assert.match(refused.body.errors[0].message, /ao menos uma letra/);
  }
  const english = await operator.put(path, { nome: '2' }, { 'accept-language': 'en' });
  assert.match(english.body.errors[0].message, /at least one letter/);
});

test('a central may write its own name in another way', async () => {
  const changed = await operator.put(path, { nome: 'CENTRAL DEMONSTRACAO' });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await operator.put(path, { nome: 'Central Demonstração' })).status, 200);
});

test('if two centrals take one name at the same moment, one gets it', async (t) => {
  t.after(() => operator.put(path, { nome: 'Central Demonstração' }));
  const neighbour = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-vizinha',
    user: 'vizinha',
    password: 'demo',
  });
  const both = await Promise.all([
    operator.put(path, { nome: 'Rápida' }),
    neighbour.put(path, { nome: 'RAPIDA' }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((status, other) => status - other),
    [200, 409],
  );
});
