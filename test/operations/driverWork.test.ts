import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDriverWork } from '../../server/src/deliveries/deliveries/driverWorkStore.ts';
import { client, type Json } from '../support/client.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { pickup, stop } from '../support/orders.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const loginAs = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const work = async (id: number, who = operator): Promise<Json> =>
  assertOk(await who.get(`/condutores/${id}/trabalho`)).body.data;

test('a driver without anything to do sees itself, its central and empty lists', async () => {
  const id = await newDriver(malote);
  assert.deepEqual(await work(id), {
    agora: '2026-11-16T15:00:00Z',
    versao: (await work(id)).versao,
    condutor: {
      id: String(id),
      nome: 'Condutor de teste',
      veiculo: 'Honda CG',
      placa: 'IAA0A00',
      disponivel: true,
      categorias: [],
    },
    central: { nome: 'Central Demonstração', telefone_ajuda: null },
    regras: {
      comprovante: { foto: 'nao', assinatura: 'nao', nome: 'nao', codigo: false, valor: false },
      falha: {
        ausente: 'tentar_depois',
        endereco_errado: 'retornar',
        recusado: 'retornar',
        outro: 'retornar',
        apos_tentativas: 'retornar',
        tentativas_max: 2,
      },
    },
    ofertas: [],
    corridas: [],
    ganhos: {
      hoje: { entregas: 0, valor: '0.00', dinheiro_recebido: '0.00' },
      semana: { entregas: 0, valor: '0.00', dinheiro_recebido: '0.00' },
      saldo: '0.00',
      dinheiro_a_entregar: '0.00',
    },
  });
});

test('only a phone number of the central is a phone number to call', async (t) => {
  const id = await newDriver(malote);
  await malote.configureFor(t, { supportText: '(51) 3333-0000' });
  assert.equal((await work(id)).central.telefone_ajuda, '(51) 3333-0000');
  await malote.configure({ supportText: 'Fale com a loja' });
  assert.equal((await work(id)).central.telefone_ajuda, null);
});

test('an offer shows its pickup, its size and how far away it is, and nothing of its recipients', async () => {
  const id = await newDriver(malote, { lat: Number(pickup.lat) + 0.01, lng: Number(pickup.lng) });
  const delivery = await openDelivery(malote, { com_retorno: true }, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: id }));
  const read = await work(id);
  const [offer] = read.ofertas;
  assert.equal(read.ofertas.length, 1);
  assert.equal(offer.metros_ate_coleta, 1112);
  assert.ok(offer.metros > 0 && offer.segundos > 0);
  assert.deepEqual(
    { ...offer, metros: 0, segundos: 0, metros_ate_coleta: 0, com_retorno: false },
    {
      id_mch: String(delivery.id),
      oferecida_em: '2026-11-16T15:00:00Z',
      expira_em: null,
      coleta: {
        endereco: pickup.endereco,
        complemento: null,
        referencia: null,
        bairro: pickup.bairro,
        cidade: pickup.cidade,
        uf: pickup.estado,
        lat: Number(pickup.lat),
        lng: Number(pickup.lng),
      },
      paradas: 2,
      metros_ate_coleta: 0,
      metros: 0,
      segundos: 0,
      ganho: null,
      com_retorno: false,
    },
  );
  const text = JSON.stringify(read);
  for (const secret of ['Cliente 1', '51999990000', 'Avenida Ipiranga', 'P-1'])
    assert.ok(!text.includes(secret), secret);
});

test('an offer whose time is over, or that was refused, is offered no more', async () => {
  const id = await newDriver(malote);
  const [late, refused] = [await openDelivery(malote), await openDelivery(malote)];
  for (const delivery of [late, refused])
    assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: id }));
  await malote.db`
    update offers set expires_at = ${malote.clock.now().add({ seconds: 10 })}
    where central_id = 1 and delivery_id = ${late.id}`;
  assert.deepEqual(
    (await work(id)).ofertas.map(({ id_mch }: Json) => id_mch),
    [String(late.id), String(refused.id)],
  );
  assertOk(await operator.post(`/entregas/${refused.id}/recusar`, { condutor_id: id }));
  malote.clock.advance({ seconds: 10 });
  assert.deepEqual((await work(id)).ofertas, []);
});

test('the current run comes first with all its stops, then those that wait', async () => {
  const next = await deliveryIn(malote, 'on_hold', 2);
  const { corridas } = await work(next.driverId!);
  assert.deepEqual(
    corridas.map(({ status }: Json) => status),
    ['A', 'S'],
  );
  assert.equal(corridas[1].id_mch, String(next.id));
  const ordered = stop(0);
  const shown = corridas[1].paradas.find((each: Json) => each.numero_pedido === ordered.numero_pedido);
  assert.deepEqual(shown, {
    id: shown.id,
    ordem: shown.ordem,
    situacao: 'pendente',
    endereco: ordered.endereco_parada,
    complemento: null,
    referencia: null,
    bairro: ordered.bairro_parada,
    cidade: '',
    uf: '',
    lat: Number(ordered.lat_parada),
    lng: Number(ordered.lng_parada),
    numero_pedido: 'P-1',
    destinatario: 'Cliente 1',
    telefone: '51999990000',
    observacao: null,
    tentativas: 0,
    valor_a_receber: null,
    forma_pagamento: 'D',
    exige_codigo: false,
    codigo_bloqueado: false,
    chegou_em: null,
    concluida_em: null,
    previsao: null,
    agrupada: false,
  });
});

test('a run tells its steps: arrival, start, concluded stops; and is gone when it ends', async () => {
  const delivery = await deliveryIn(malote, 'accepted', 2);
  const run = async () => (await work(delivery.driverId!)).corridas[0];
  const step = async (path: string) => assertOk(await operator.post(`/entregas/${delivery.id}/${path}`));
  assert.deepEqual([(await run()).chegou_em, (await run()).iniciada_em], [null, null]);
  await step('chegar');
  await step('iniciar');
  const before = await run();
  assert.equal(before.status, 'E');
  assert.ok(before.chegou_em && before.iniciada_em);
  await step(`paradas/${delivery.stopIds[0]}/concluir`);
  const after = await run();
  assert.ok(after.versao > before.versao);
  assert.deepEqual(
    after.paradas.map(({ situacao }: Json) => situacao),
    ['concluida', 'pendente'],
  );
  assert.ok(after.paradas[0].concluida_em);
  await step(`paradas/${delivery.stopIds[1]}/concluir`);
  assert.equal(await run(), undefined);
});

test('a stop that was grouped in says so, and what its own order is paid with', async () => {
  const carrier = await deliveryIn(malote, 'in_progress');
  const other = await start(malote, { forma_pagamento: 'C', ...at(3) });
  assertOk(await groupDeliveries(malote, carrier.id, [other]));
  const [run, ...rest] = (await work(carrier.driverId!)).corridas;
  assert.equal(rest.length, 0);
  const [own, grouped] = ['P-1', 'P-4'].map((number) =>
    run.paradas.find(({ numero_pedido }: Json) => numero_pedido === number),
  );
  assert.deepEqual([own.agrupada, grouped.agrupada], [false, true]);
  assert.deepEqual([own.forma_pagamento, grouped.forma_pagamento], ['D', 'C']);
});

test('amounts to collect, codes and a locked stop are shown', async (t) => {
  await malote.configureFor(t, { confirmationCode: true });
  const delivery = await deliveryIn(malote, 'in_progress');
  await malote.db`
    update stops set collect_cents = 4290, wrong_codes = 5 where central_id = 1 and delivery_id = ${delivery.id}`;
  const read = await work(delivery.driverId!);
  assert.equal(read.regras.comprovante.codigo, true);
  const [shown] = read.corridas[0].paradas;
  assert.equal(shown.valor_a_receber, '42.90');
  assert.equal(shown.exige_codigo, true);
  assert.equal(shown.codigo_bloqueado, true);
});

test('the version stays while nothing changes, and If-None-Match is answered with 304', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  const path = `/condutores/${delivery.driverId}/trabalho`;
  const first = await operator.get(path);
  const tag = first.headers.get('etag')!;
  assert.equal(tag, `"${first.body.data.versao}"`);
  malote.clock.advance({ seconds: 30 });
  const same = await operator.get(path, { 'if-none-match': tag });
  assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag]);
  assert.equal((await operator.get(path, { 'if-none-match': `"other", W/${tag}` })).status, 304);
  assert.equal((await operator.get(path, { 'if-none-match': '"other"' })).status, 200);
  assertOk(await operator.post(`/entregas/${delivery.id}/chegar`));
  const changed = assertOk(await operator.get(path, { 'if-none-match': tag }));
  assert.notEqual(changed.headers.get('etag'), tag);
});

test('a driver reads its own work; others, unknown ones and those of other centrals are not found', async () => {
  assert.equal((await work(1, malote.driver(1))).condutor.id, '1');
  const absent = await malote.driver(1).get('/condutores/77777777/trabalho');
  assertRefused(absent, 404, /entregador/);
  assert.equal((await malote.driver(1).get('/condutores/2/trabalho')).text, absent.text);
  const neighbour = loginAs('vizinha', 'demo-vizinha');
  assert.equal((await neighbour.get('/condutores/1/trabalho')).text, absent.text);
  assertRefused(await loginAs('gerente').get('/condutores/1/trabalho'), 403, /não tem permissão/);
});

test('many finished deliveries do not make it read more', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  await malote.db`
    insert into deliveries (central_id, id, status, customer_id, category_id, tariff_id, payment, has_return,
      pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres,
      planned_seconds, gross_cents, net_cents, driver_id, requested_at, accepted_at, started_at, finished_at)
    select central_id, new.id, 'finished', customer_id, category_id, tariff_id, payment, has_return,
      pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres,
      planned_seconds, gross_cents, net_cents, driver_id, requested_at, accepted_at, accepted_at, accepted_at
    from deliveries d, unnest(${await malote.db.newIds(1, 'delivery', 3000)}::bigint[]) as new (id)
    where central_id = 1 and d.id = ${delivery.id}`;
  await malote.db`analyze deliveries`;
  await malote.db.begin(async (tx) => {
    // Counted per connection, so the reads of earlier transactions on this connection are subtracted.
    const rowsRead = async (): Promise<number> => {
      const [row] = await tx<{ read: number }>`
        select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables
        where relname = 'deliveries'`;
      return row!.read;
    };
    const before = await rowsRead();
    await findDriverWork(tx, 1, delivery.driverId!, malote.clock.now());
    const read = (await rowsRead()) - before;
    assert.ok(read < 100, `${read} rows of deliveries were read`);
  });
});
