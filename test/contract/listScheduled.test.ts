import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Errors } from 'typebox/value';
import { scheduledAnswer } from '../../server/src/api/json/scheduledJson.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, scheduledOrder, stop } from '../support/orders.ts';
import { newRecord } from '../support/registers.ts';
import { scheduledRow } from '../support/rows.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';

const malote = await startMalote();

const idsOf = (body: Json): number[] => body.data.map((row: Json) => Number(row.id_mch_programada));

test('an awaiting one is shown field by field as contract 2.2 and 2.4 have it', async () => {
  const id = await schedule(malote.manager, {
    observacao: 'Tocar a campainha',
    partida: { ...pickup, complemento: 'loja 2', referencia: 'ao lado da praça' },
    paradas: [
      {
        ...stop(0),
        complemento_parada: 'apto 101',
        cidade_parada: 'Porto Alegre',
        estado_parada: 'RS',
        referencia_parada: 'portão azul',
        observacao_parada: 'deixar na portaria',
      },
      { endereco_parada: 'Rua A, 1', bairro_parada: 'Centro', lat_parada: '-30.03', lng_parada: '-51.2' },
    ],
  });
  const { paradas, valor, ...shown } = await readScheduled(malote.manager, id);
  assert.deepEqual(shown, {
    id_mch_programada: String(id),
    situacao: 'A',
    situacao_formatada: 'Aguardando',
    data_previsao_disparo: '16/11/2026',
    hora_previsao_disparo: '13:00:00',
    id_mch: null,
    observacao: 'Tocar a campainha',
    empresa: { id: '1', nome: 'Padaria Moinhos' },
    categoria: { id: '1', nome: 'Moto' },
    coleta: {
      endereco: 'Rua dos Andradas, 1001',
      complemento: 'loja 2',
      referencia: 'ao lado da praça',
      bairro: 'Centro Histórico',
      cidade: 'Porto Alegre',
      estado: 'RS',
      lat: '-30.0305',
      lng: '-51.2303',
    },
  });
  assert.equal(valor.prefixado, null);
  assert.match(valor.estimado, /^\d+\.\d{2}$/);
  const [first, second] = paradas;
  assert.match(first.id, /^\d+$/);
  assert.deepEqual(first, {
    id: first.id,
    ordem: 0,
    endereco: 'Avenida Ipiranga, 1',
    complemento: 'apto 101',
    referencia: 'portão azul',
    bairro: 'Azenha',
    cidade: 'Porto Alegre',
    uf: 'RS',
    lat: '-30.0489',
    lng: '-51.2158',
    numero_pedido: 'P-1',
    nome_cliente: 'Cliente 1',
    telefone_cliente: '51999990000',
    observacao: 'deixar na portaria',
  });
  assert.deepEqual(second, {
    id: second.id,
    ordem: 1,
    endereco: 'Rua A, 1',
    complemento: null,
    referencia: null,
    bairro: 'Centro',
    cidade: '',
    uf: '',
    lat: '-30.03',
    lng: '-51.2',
    numero_pedido: '',
    nome_cliente: '',
    telefone_cliente: '',
    observacao: null,
  });
});

test('the list holds the same records, and every one fits the schema that is published', async () => {
  await schedule(malote.central, { categoria_id: 2, cliente: { nome: 'Rita', cpf: '52998224725' } }, 3);
  const list = await malote.central.get('/entregas/programadas');
  assert.equal(list.status, 200, list.text);
  assert.deepEqual(Object.keys(list.body), ['success', 'data']);
  assert.ok(list.body.data.length >= 2);
  for (const scheduled of list.body.data) {
    assert.deepEqual([...Errors(scheduledAnswer.schema, scheduled)], []);
    assert.deepEqual(scheduled, await readScheduled(malote.central, Number(scheduled.id_mch_programada)));
  }
});

test('the newest by creation comes first, whatever its dispatch, and an edit moves nothing', async () => {
  const first = await schedule(malote.manager, { data: '20/11/2026' });
  malote.clock.advance({ seconds: 1 });
  const second = await schedule(malote.manager, { data: '21/11/2026' });
  const third = await schedule(malote.manager, { data: '19/11/2026' });
  const listed = async (who: typeof malote.manager) =>
    idsOf((await who.get('/entregas/programadas?limite=3')).body);
  for (const who of [malote.manager, malote.central])
    assert.deepEqual(await listed(who), [third, second, first]);
  malote.clock.advance({ minutes: 1 });
  const edit = scheduledOrder({ data: '30/11/2026' });
  const answer = await malote.manager.put(`/entregas/programadas/${first}`, edit);
  assert.equal(answer.status, 200, answer.text);
  for (const who of [malote.manager, malote.central])
    assert.deepEqual(await listed(who), [third, second, first]);
});

test('pages join without a gap, and one past the end is empty', async () => {
  const whole = idsOf((await malote.central.get('/entregas/programadas?limite=100')).body);
  const paged: number[] = [];
  for (let page = 1; paged.length < whole.length; page += 1)
    paged.push(...idsOf((await malote.central.get(`/entregas/programadas?limite=2&pagina=${page}`)).body));
  assert.deepEqual(paged, whole);
  for (const page of ['1000', '1000001', String(Number.MAX_SAFE_INTEGER)]) {
    const past = await malote.central.get(`/entregas/programadas?limite=100&pagina=${page}`);
    assert.equal(past.status, 200, past.text);
    assert.deepEqual(past.body, { success: true, data: [] });
    const query = await malote.central.post('/entregas/consultar', { limite: 100, pagina: Number(page) });
    assert.deepEqual(query.body, { success: true, data: [] });
  }
});

test('without a limit a page has twenty', async () => {
  for (let made = 0; made < 21; made += 1) await schedule(malote.manager2);
  const list = await malote.manager2.get('/entregas/programadas');
  assert.equal(list.body.data.length, 20);
});

for (const query of [
  'limite=0',
  'limite=101',
  'limite=-1',
  'limite=dez',
  'limite=1.5',
  'limite=1e1',
  'limite=0x10',
  'limite=%2010',
  'limite=true',
  'pagina=0',
  'pagina=x',
  'pagina=1e0',
])
  test(`refuses ?${query} with 400 and code 2`, async () => {
    const answer = await malote.central.get(`/entregas/programadas?${query}`);
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors.map((problem: Json) => problem.code),
      [2],
    );
  });

test('a manager sees only the own company, and one of another is the same as none', async () => {
  const own = await schedule(malote.manager2);
  const list = await malote.manager.get('/entregas/programadas?limite=100');
  assert.ok(list.body.data.length > 0);
  assert.ok(list.body.data.every((row: Json) => row.empresa.id === '1'));
  const other = await malote.manager.get(`/entregas/programadas/${own}`);
  const none = await malote.manager.get('/entregas/programadas/999999');
  assert.equal(other.status, 404);
  assert.deepEqual(other.body, none.body);
});

test('another central sees nothing of it, in the list or by id', async () => {
  const id = await schedule(malote.manager);
  const answer = await malote.neighbour.get(`/entregas/programadas/${id}`);
  assert.equal(answer.status, 404);
  const list = await malote.neighbour.get('/entregas/programadas');
  assert.deepEqual(list.body.data, []);
});

test('an id that is no positive integer is 400 and code 2', async () => {
  for (const id of ['0', '-1', '1.5', 'abc', '99999999999999999999']) {
    const answer = await malote.central.get(`/entregas/programadas/${id}`);
    assert.equal(answer.status, 400, id);
    assert.equal(answer.body.errors[0].code, 2);
  }
});

test('without credentials the answer is 401 before anything else', async () => {
  const answer = await malote.central.send('/entregas/programadas?limite=0', {
    method: 'GET',
    headers: { authorization: undefined },
  });
  assert.equal(answer.status, 401);
  assert.equal(answer.body.errors[0].code, 0);
});

test('date and time are those of the central’s own clock', async () => {
  const place = { endereco: 'Rua 1', bairro: 'Centro', lat: '-3.119', lng: '-60.0217' };
  const id = await schedule(malote.neighbour, {
    empresa_id: 10000001,
    hora: '23:30:00',
    partida: place,
    paradas: [
      { endereco_parada: 'Rua 2', bairro_parada: 'Centro', lat_parada: '-3.1', lng_parada: '-60.02' },
    ],
  });
  const shown = await readScheduled(malote.neighbour, id);
  assert.equal(shown.data_previsao_disparo, '16/11/2026');
  assert.equal(shown.hora_previsao_disparo, '23:30:00');
  const { dispatch_at } = await scheduledRow(malote, id, 2);
  assert.equal(dispatch_at.toString(), '2026-11-17T03:30:00Z');
});

test('coordinates stay plain decimals next to the equator', async () => {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ];
  const geometria = { type: 'Polygon', coordinates: [corners] };
  await newRecord(malote.operator, '/areas-atuacao', { nome: 'Equador', geometria });
  const id = await schedule(malote.manager, {
    partida: { ...pickup, lat: '0.001', lng: '0.001' },
    paradas: [{ ...stop(), lat_parada: '0.00001', lng_parada: '-0.0000251' }],
  });
  const [shown] = (await readScheduled(malote.manager, id)).paradas;
  assert.deepEqual([shown.lat, shown.lng], ['0.00001', '-0.0000251']);
});
