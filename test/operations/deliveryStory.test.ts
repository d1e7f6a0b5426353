import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const manager = login('gerente');

const detail = async (id: number, who = operator): Promise<Json> =>
  assertOk(await who.get(`/entregas/${id}`)).body.data;
const history = async (id: number, who = operator): Promise<Json> =>
  assertOk(await who.get(`/entregas/${id}/historico`)).body.data;

test('the history comes in pages', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
  const { eventos } = await history(id);
  assert.ok(eventos.length > 1);
  const page = async (query: string) =>
    assertOk(await operator.get(`/entregas/${id}/historico?${query}`)).body.data.eventos;
  assert.deepEqual(await page('pagina=1&limite=1'), eventos.slice(0, 1));
  assert.deepEqual(await page('pagina=2&limite=1'), eventos.slice(1, 2));
  assert.deepEqual(await page('pagina=100&limite=1'), []);
});

test('the sheet holds all that is known of a delivery', async () => {
  const { id, stopIds } = await openDelivery(malote, { observacao: 'Tocar a campainha', com_retorno: true });
  const { valor, km, minutos, categoria, tarifa, nome_cliente, previsao, prometida_para, ...rest } =
    await detail(id);
  assert.match(valor, /^\d+\.\d{2}$/);
  assert.ok(typeof km === 'number' && km > 0);
  assert.ok(Number.isInteger(minutos) && minutos > 0);
  assert.deepEqual(categoria, { id: '1', nome: 'Moto' });
  assert.equal(tarifa, 'Moto padrão');
  assert.equal(typeof nome_cliente, 'string');
  assert.match(previsao, /Z$/);
  // The estimate given at creation, after the time in which a driver should have been found.
  assert.ok(prometida_para > '2026-11-16T15:00:00Z' && prometida_para.endsWith('Z'), prometida_para);
  assert.deepEqual(rest, {
    id: String(id),
    status: 'D',
    versao: 1,
    retida: null,
    atrasada: false,
    empresa_id: '1',
    telefone_cliente: null,
    tipo_pagamento: 'D',
    com_retorno: true,
    retorno_por_falha: false,
    observacao: 'Tocar a campainha',
    codigo_cupom: null,
    desconto: '0.00',
    valor_original: valor,
    taxa_cancelamento: null,
    dinheiro_recebido: null,
    km_percorridos: 0,
    condutor: null,
    condutor_especificado: false,
    id_mch_programada: null,
    agrupada_em: null,
    agrupadas: [],
    motivo_cancelamento: null,
    solicitada_em: '2026-11-16T15:00:00Z',
    pendente_em: null,
    aceita_em: null,
    chegou_em: null,
    iniciada_em: null,
    finalizada_em: null,
    nao_atendida_em: null,
    pedida_de_novo_como: null,
    dispensada: null,
    cancelada_em: null,
    partida: {
      endereco: 'Rua dos Andradas, 1001',
      complemento: null,
      referencia: null,
      bairro: 'Centro Histórico',
      cidade: 'Porto Alegre',
      estado: 'RS',
      lat: -30.0305,
      lng: -51.2303,
      localizacao: null,
    },
    paradas: [
      {
        id: String(stopIds[0]),
        ordem: 0,
        endereco: 'Avenida Ipiranga, 1',
        complemento: null,
        referencia: null,
        bairro: 'Azenha',
        cidade: '',
        estado: '',
        lat: -30.0489,
        lng: -51.2158,
        localizacao: null,
        pedida_com: String(id),
        numero_pedido: 'P-1',
        nome_cliente: 'Cliente 1',
        telefone_cliente: '51999990000',
        observacao: null,
        valor_cobrar: null,
        concluida_em: null,
        concluida_por: null,
        nao_entregue_em: null,
        tentativas: [],
        previsao: null,
        codigo_bloqueado: false,
        recebido_por: null,
        valor_recebido: null,
        forma_recebimento: null,
        comprovantes: [],
      },
    ],
  });
});

test('a delivery on hold or awaiting release has a letter of its own, and an ended one is never late', async () => {
  assert.equal((await detail((await deliveryIn(malote, 'on_hold')).id)).status, 'S');
  assert.equal((await detail((await deliveryIn(malote, 'awaiting_release')).id)).status, 'L');
  const { id, stopIds, driverId } = await deliveryIn(malote, 'finished', 2);
  const done = await detail(id);
  assert.equal(done.status, 'F');
  assert.equal(done.previsao, null);
  assert.equal(done.condutor.id, String(driverId));
  assert.deepEqual(
    done.paradas.map((stop: Json) => [stop.id, stop.concluida_em]),
    stopIds.map((stop) => [String(stop), '2026-11-16T15:00:00Z']),
  );
});

test('a cancelled one says why, in the language asked for', async () => {
  const { id } = await deliveryIn(malote, 'cancelled');
  const reason = (await detail(id)).motivo_cancelamento;
  assert.equal(reason.id, '2');
  const english = assertOk(await operator.get(`/entregas/${id}`, { 'accept-language': 'en' })).body.data;
  assert.notEqual(english.motivo_cancelamento.nome, reason.nome);
});

test('a grouped one keeps the stops that were ordered with it, and both name each other', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  assertOk(
    await malote.central.post(`/entregas/${grouper.id}/agrupar`, { solicitacoes_agrupadas: [grouped.id] }),
  );
  const [carrier, other] = [await detail(grouper.id), await detail(grouped.id)];
  assert.deepEqual(carrier.agrupadas, [String(grouped.id)]);
  assert.equal(carrier.paradas.length, 2);
  assert.equal(other.agrupada_em, String(grouper.id));
  assert.deepEqual(
    other.paradas.map((stop: Json) => stop.id),
    grouped.stopIds.map(String),
  );
});

test('the history tells every step in order, with the driver, the stops and the arrival', async () => {
  const delivery = await openDelivery(malote);
  const driverId = await newDriver(malote);
  const step = async (path: string, body: unknown = {}) => {
    malote.clock.advance({ minutes: 1 });
    assertOk(await operator.post(`/entregas/${delivery.id}/${path}`, body));
  };
  await step('atribuir', { condutor_id: driverId });
  await step('aceitar', { condutor_id: driverId });
  await step('chegar');
  await step('iniciar');
  await step(`paradas/${delivery.stopIds[0]}/concluir`);
  await step('finalizar');
  const { eventos, ofertas } = await history(delivery.id);
  assert.deepEqual(
    eventos.map(({ type, data }: Json) => [type, data.status, data.status_anterior ?? null]),
    [
      ['entrega.status', 'D', null],
      ['entrega.status', 'G', 'D'],
      ['entrega.status', 'A', 'G'],
      ['entrega.status', 'A', 'A'],
      ['entrega.status', 'E', 'A'],
      ['entrega.parada_concluida', 'E', null],
      ['entrega.status', 'F', 'E'],
    ],
  );
  assert.equal(eventos[3].data.chegou_na_coleta, true);
  assert.deepEqual(eventos[2].data.condutor, { id: String(driverId), nome: 'Condutor de teste' });
  assert.equal(eventos[5].data.parada.id, String(delivery.stopIds[0]));
  const times = eventos.map(({ timestamp }: Json) => timestamp);
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(
    ofertas.map(({ condutor, estado }: Json) => [condutor.id, estado]),
    [[String(driverId), 'aceita']],
  );
});

test('the history begins with the scheduled delivery it came from', async () => {
  const { body } = assertOk(await malote.manager.post('/entregas/programadas', scheduledOrder()));
  const { id } = await openDelivery(malote);
  await malote.db`
    update deliveries set scheduled_id = ${body.data.id_mch}::bigint where central_id = 1 and id = ${id}`;
  const { eventos } = await history(id);
  assert.ok(
    eventos.some(({ type, data }: Json) => type === 'programada.alterada' && data.mudanca === 'criada'),
  );
  assert.ok(eventos.some(({ type }: Json) => type === 'entrega.status'));
});

test('awaiting release is told as L, though integrators know it as P', async () => {
  const { id } = await deliveryIn(malote, 'awaiting_release');
  assert.equal((await history(id)).eventos[0].data.status, 'L');
});

test('only the central sees which drivers were asked', async () => {
  const { id } = await deliveryIn(malote, 'offered');
  assert.equal((await history(id)).ofertas.length, 1);
  assert.deepEqual((await history(id, manager)).ofertas, []);
});

test('the route goes from the pickup over all stops, and what is left of it from the driver', async () => {
  const { id, driverId, stopIds } = await deliveryIn(malote, 'in_progress', 2);
  const path = `/entregas/${id}/rota`;
  const first = assertOk(await operator.get(path)).body.data;
  assert.deepEqual(first.rota.linha[0], [-51.2303, -30.0305]);
  assert.equal(first.rota.linha.length, 3);
  assert.ok(first.rota.km > 0 && Number.isInteger(first.rota.minutos));
  assert.equal(first.restante, null, 'nobody knows where the driver is');
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, { lat: -30.04, lng: -51.22 }));
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}));
  const { rota, restante } = assertOk(await operator.get(path)).body.data;
  assert.deepEqual(rota, first.rota);
  assert.deepEqual(restante.linha, [[-51.22, -30.04], rota.linha[2]]);
});

test('before the start the driver goes to the pickup first, and a return leads back there', async () => {
  const { id } = await openDelivery(malote, { com_retorno: true });
  const driverId = await newDriver(malote, { lat: -30.02, lng: -51.21 });
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  const { rota, restante } = assertOk(await operator.get(`/entregas/${id}/rota`)).body.data;
  assert.deepEqual(rota.linha[0], rota.linha[2]);
  assert.deepEqual(restante.linha, [[-51.21, -30.02], ...rota.linha]);
});

test('any places can be joined to a line', async () => {
  const places = [
    { lat: -30.03, lng: -51.23 },
    { lat: -30.04, lng: -51.22 },
  ];
  const { linha, km } = assertOk(await manager.post('/rotas', { pontos: places, categoria_id: 1 })).body.data;
  assert.deepEqual(linha, [
    [-51.23, -30.03],
    [-51.22, -30.04],
  ]);
  assert.ok(km > 1);
  assert.equal((await operator.post('/rotas', { pontos: [{ lat: 0, lng: 0 }] })).status, 400);
  assert.equal((await operator.post('/rotas', { pontos: [{ lat: 91, lng: 0 }, places[0]] })).status, 400);
});

test('a delivery that a login may not see is not found', async () => {
  const { id } = await openDelivery(malote);
  for (const who of [login('gerente2'), login('vizinha', 'demo-vizinha')])
    for (const path of ['', '/historico', '/rota'])
      assertRefused(await who.get(`/entregas/${id}${path}`), 404, /não encontrada/);
  assert.equal((await detail(id, manager)).id, String(id));
});

test('options are what one may choose', async () => {
  const options = async (who = operator, language = 'pt-BR'): Promise<Json> =>
    assertOk(await who.get('/opcoes', { 'accept-language': language })).body.data;
  const all = await options();
  assert.deepEqual(all.categorias[0], { id: '1', nome: 'Moto' });
  assert.ok(all.empresas.length >= 2);
  assert.equal(all.motivos_cancelamento.length, 13);
  assert.equal(all.codigo_confirmacao, false);
  assert.equal(all.limites.length, 4);
  assert.deepEqual(
    (await options(manager)).empresas.map(({ id }: Json) => id),
    ['1'],
  );
  await malote.db`
    insert into companies (central_id, id, name, document)
    select 1, 100000::bigint + n, 'empresa ' || n, lpad(n::text, 11, '0') from generate_series(1, 1500) n`;
  assert.equal((await options()).empresas.length, all.empresas.length + 1_500);
  const english = await options(operator, 'en');
  assert.notEqual(english.motivos_cancelamento[0].nome, all.motivos_cancelamento[0].nome);
  await malote.db`update cancellation_reasons set active = false where central_id = 1 and id = 1`;
  assert.equal((await options()).motivos_cancelamento.length, 12);
});
