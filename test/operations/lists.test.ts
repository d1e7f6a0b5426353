import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused, deliveryIn, newDriver } from '../support/steps.ts';

// Behaviour common to all lists (cursors, counts, the format of files) is tested in deliveryList.test.ts.

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const [managersSide, neighbour] = [login('gerente'), login('vizinha', 'demo-vizinha')];

const rows = async (path: string, body: Json = {}, side: Client = operator): Promise<Json[]> =>
  assertOk(await side.post(`${path}/consultar`, { limite: 100, ...body })).body.data;

/** Reads all rows one by one, by cursor. */
async function walk(path: string, body: Json, side: Client = operator): Promise<Json[]> {
  const seen: Json[] = [];
  let cursor: string | null = null;
  do {
    const given: Json = { ...body, limite: 1, ...(cursor && { cursor }) };
    const answer: Json = assertOk(await side.post(`${path}/consultar`, given)).body;
    seen.push(...answer.data);
    cursor = answer.proximo;
  } while (cursor);
  return seen;
}

const file = async (path: string, body: Json = {}): Promise<string[]> =>
  assertOk(await operator.post(`${path}/exportar`, body))
    .body.data.conteudo.trimEnd()
    .split('\r\n');

describe('scheduled deliveries', () => {
  const idsOf = (entries: Json[]) => entries.map(({ id_mch_programada: id }) => Number(id));
  let [early, late, cancelled, theirs] = [0, 0, 0, 0];
  before(async () => {
    late = await schedule(malote.manager, { hora: '15:00:00', forma_pagamento: 'X' });
    early = await schedule(malote.manager, { hora: '14:00:00' });
    cancelled = await schedule(malote.manager, { data: '17/11/2026', hora: '08:00:00' });
    assertOk(await operator.post(`/programadas/${cancelled}/cancelar`));
    theirs = await schedule(malote.manager2, { hora: '16:00:00' });
  });

  test('by their dispatch, in both orders, page by page', async () => {
    assert.deepEqual(idsOf(await rows('/programadas')), [cancelled, theirs, late, early]);
    const earliest = { ordem: 'disparo_mais_cedo' };
    assert.deepEqual(idsOf(await rows('/programadas', earliest)), [early, late, theirs, cancelled]);
    assert.deepEqual(idsOf(await walk('/programadas', earliest)), [early, late, theirs, cancelled]);
  });

  test('by situation, company, payment and days', async () => {
    assert.deepEqual(idsOf(await rows('/programadas', { situacao: ['C'] })), [cancelled]);
    assert.deepEqual(idsOf(await rows('/programadas', { situacao: ['A', 'C'], empresa_id: 1 })), [
      cancelled,
      late,
      early,
    ]);
    assert.deepEqual(idsOf(await walk('/programadas', { situacao: ['A', 'C'] })), [
      cancelled,
      theirs,
      late,
      early,
    ]);
    assert.deepEqual(idsOf(await rows('/programadas', { empresa_id: 2 })), [theirs]);
    assert.deepEqual(idsOf(await rows('/programadas', { forma_pagamento: 'X' })), [late]);
    assert.deepEqual(idsOf(await rows('/programadas', { de: '2026-11-17' })), [cancelled]);
    assert.deepEqual(idsOf(await rows('/programadas', { situacao: ['A'], ate: '2026-11-15' })), []);
  });

  test('a manager sees the own ones, the next central none', async () => {
    assert.deepEqual(idsOf(await rows('/programadas', {}, managersSide)), [cancelled, late, early]);
    assert.deepEqual(idsOf(await rows('/programadas', { situacao: ['A'] }, managersSide)), [late, early]);
    assert.deepEqual(await rows('/programadas', { empresa_id: 2 }, managersSide), []);
    assert.deepEqual(await rows('/programadas', {}, neighbour), []);
  });

  test('by a text, together with the other filters', async () => {
    for (const texto of [`${early}`, `#${early}`])
      assert.deepEqual(idsOf(await rows('/programadas', { texto })), [early]);
    assert.deepEqual(await rows('/programadas', { texto: `${early}`, situacao: ['C'] }), []);
    assert.deepEqual(await rows('/programadas', { texto: `${early}`, empresa_id: 2 }), []);
    assert.deepEqual(await rows('/programadas', { texto: `${theirs}` }, managersSide), []);
    assert.equal((await file('/programadas', { texto: `${late}` })).length, 2);
  });

  test('as a file', async () => {
    const lines = await file('/programadas', { situacao: ['C'] });
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, new RegExp(`^${cancelled};Cancelada;17/11/2026 08:00;16/11/2026 12:00;`));
  });
});

describe('drivers and companies', () => {
  test('drivers by name whatever its accents, and by a part of it', async () => {
    for (const [nome, placa] of [
      ['Ágata Reis', 'QQQ1A11'],
      ['Zulmira Reis', 'QQQ2B22'],
    ])
      assertOk(
        await operator.post('/condutores', {
          nome,
          placa,
          telefone: '51988887777',
          veiculo: 'Bike',
          categorias: [1],
        }),
      );
    const names = (await rows('/condutores')).map(({ nome }) => nome);
    const exported = assertOk(await operator.post('/condutores/exportar', {})).body.data;
    assert.match(exported.nome, /^entregadores-\d/);
    assert.equal(names[0], 'Ágata Reis');
    assert.equal(names.at(-1), 'Zulmira Reis');
    const inverse = (await rows('/condutores', { ordem: 'nome_inverso' })).map(({ nome }) => nome);
    assert.deepEqual(inverse, names.toReversed());
    const walked = (await walk('/condutores', {})).map(({ nome }) => nome);
    assert.deepEqual(walked, names);
    const found = async (body: Json) => (await rows('/condutores', body)).map(({ nome }) => nome);
    assert.deepEqual(await found({ texto: 'agata' }), ['Ágata Reis']);
    assert.deepEqual(await found({ texto: 'qqq2' }), ['Zulmira Reis']);
    assert.deepEqual(await found({ texto: '%' }), []);
    assert.deepEqual(await found({ texto: 'reis', disponivel: true }), []);
    assert.deepEqual(await found({ texto: 'reis', ativo: true }), ['Ágata Reis', 'Zulmira Reis']);
    assert.deepEqual(await found({ texto: 'reis', com_entrega: true }), []);
    const carried = await deliveryIn(malote, 'accepted');
    const isAmong = async (body: Json) =>
      (await rows('/condutores', body)).some(({ id }) => id === String(carried.driverId));
    assert.deepEqual(
      [await isAmong({ com_entrega: true }), await isAmong({ com_entrega: false })],
      [true, false],
    );
    assertOk(await malote.manager.post(`/entregas/${carried.id}/cancelar`, { motivo_id: 2 }));
    assert.deepEqual(
      [await isAmong({ com_entrega: true }), await isAmong({ com_entrega: false })],
      [false, true],
    );
    assert.match(
      (await file('/condutores', { texto: 'agata' }))[1]!,
      /;Ágata Reis;51988887777;Bike;QQQ1A11;/,
    );
    assert.ok(!(await rows('/condutores', {}, neighbour)).some(({ nome }) => nome === 'Ágata Reis'));
    assertRefused(await managersSide.post('/condutores/consultar', {}), 403, /permissão/);
  });

  test('companies with their credit', async () => {
    const all = await rows('/empresas');
    assert.deepEqual(await walk('/empresas', { ordem: 'nome_inverso' }), all.toReversed());
    const [found] = await rows('/empresas', { texto: 'padaria' });
    assert.equal(found.nome, 'Padaria Moinhos');
    const { saldo } = assertOk(await operator.get('/empresas/1/extrato')).body.data;
    assert.equal(found.creditos, saldo);
    assert.deepEqual(await rows('/empresas', { texto: 'padaria', ativa: false }), []);
    assert.match(
      (await file('/empresas', { texto: 'padaria' }))[1]!,
      /;Padaria Moinhos;11\.222\.333\/0001-81;/,
    );
    // A spreadsheet drops the leading zero of a bare number.
    assertOk(await operator.post('/empresas', { nome: 'Maria Zero', cpf_cnpj: '01528551494' }));
    assert.match((await file('/empresas', { texto: 'maria zero' }))[1]!, /;Maria Zero;015\.285\.514-94;/);
    assertRefused(await managersSide.post('/empresas/consultar', {}), 403, /permissão/);
  });
});

describe('ledgers', () => {
  let driverId = 0;
  before(async () => {
    for (const { cpf_cnpj } of (await rows('/empresas')).filter(({ id }) => id <= 2))
      assertOk(
        await malote.central.post('/entregas/empresas/creditos/recargas', {
          valor: 300,
          empresa: { tipo_identificacao: 'J', identificacao: cpf_cnpj },
        }),
      );
    driverId = await newDriver(malote);
    for (const valor of ['5.00', '-2.00'])
      assertOk(
        await operator.post(`/condutores/${driverId}/lancamentos`, { tipo: 'ajuste', valor, motivo: '=1+1' }),
      );
    await deliveryIn(malote, 'finished');
  });

  test('of wallets: all, one company’s, one kind, the manager’s own', async () => {
    const path = '/carteiras/lancamentos';
    const all = await rows(path);
    assert.deepEqual(new Set(all.map(({ empresa }) => empresa.id)), new Set(['1', '2']));
    assert.deepEqual(await walk(path, { ordem: 'mais_antigos' }), all.toReversed());
    const topUps = await rows(path, { tipo: ['recarga'], empresa_id: 2 });
    assert.ok(topUps.some(({ valor }) => valor === '300.00'));
    assert.ok(topUps.every(({ tipo, empresa }) => tipo === 'recarga' && empresa.id === '2'));
    assert.deepEqual(await rows(path, { tipo: ['saque'] }), []);
    assert.deepEqual(await rows(path, { ate: '2026-11-15', de: '2026-11-14' }), []);
    const own = await rows(path, {}, managersSide);
    assert.ok(own.length > 0 && own.every(({ empresa }) => empresa.id === '1'));
    assert.deepEqual(await rows(path, { empresa_id: 2 }, managersSide), []);
    assert.match(
      (await file(path, { empresa_id: 2 }))[1]!,
      /^16\/11\/2026 12:00;Farmácia Guaíba;Recarga;;300,00;/,
    );
  });

  test('of drivers: by driver and kind, and a reason stays a text in the file', async () => {
    const path = '/condutores/lancamentos';
    const own = await rows(path, { condutor_id: driverId, ordem: 'mais_antigos' });
    assert.deepEqual(
      own.map(({ valor, saldo_apos }) => [valor, saldo_apos]),
      [
        ['5.00', '5.00'],
        ['-2.00', '3.00'],
      ],
    );
    assert.deepEqual(
      own.map(({ numero, estorno, estornado }) => [numero, estorno, estornado]),
      [
        [1, false, false],
        [2, false, false],
      ],
    );
    assert.deepEqual(await rows(path, { condutor_id: driverId, tipo: ['repasse'] }), []);
    assert.equal((await walk(path, { tipo: ['ajuste'] })).length, 2);
    assert.ok((await file(path, { condutor_id: driverId }))[1]!.endsWith(";'=1+1"));
    assert.deepEqual(await rows(path, {}, neighbour), []);
    assertRefused(await managersSide.post(`${path}/consultar`, {}), 403, /permissão/);
  });

  test('of companies: what deliveries cost and how it was paid', async () => {
    const path = '/empresas/lancamentos';
    const charges = await rows(path, { tipo: ['entrega'], empresa_id: 1 });
    assert.equal(charges.length, 1);
    assert.equal(charges[0].empresa.nome, 'Padaria Moinhos');
    assert.deepEqual(await walk(path, {}), await rows(path));
    assert.match((await file(path, { tipo: ['entrega'] }))[1]!, /;Padaria Moinhos;Entrega;\d+;\d+,\d\d;/);
    assertRefused(await managersSide.post(`${path}/consultar`, {}), 403, /permissão/);
  });
});

test('names of any letters and length lead to the next page', async () => {
  const names = ['\ufdfa', '漢', '"', '\u0001', 'ﬄ'].map(
    (letter) => `${letter}${'z'.repeat(9)}${letter.repeat(245)}`,
  );
  for (const nome of names) {
    const driverId = await newDriver(malote);
    await malote.db`update drivers set name = ${nome} where central_id = 1 and id = ${driverId}`;
  }
  for (const ordem of ['nome', 'nome_inverso']) {
    const seen = (await walk('/condutores', { ordem })).map(({ nome }) => nome);
    for (const nome of names) assert.equal(seen.filter((each) => each === nome).length, 1);
  }
});
