import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from '../../server/src/app.ts';
import { estimatorRouters } from '../../server/src/geo/routing/routers.ts';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import { basic } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { setBalance } from '../support/rows.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { db, operator, manager } = malote;

const headersOf = (user: string, key = 'demo-chave') => ({
  'api-key': key,
  authorization: basic(user, 'demo'),
});
const watch = (
  t: TestContext,
  user: string,
  more: Record<string, string> = {},
  key = 'demo-chave',
  url = malote.url,
) => openEventSource(t, `${url}/api/v2/operacao/eventos`, { ...headersOf(user, key), ...more });
const listening = (count: number) =>
  waitUntil(`${count} are listening`, () => malote.app.deps.live.readers() === count);
const nobodyListens = () => listening(0);

test('a change is told to everybody who may see it, with the body of its webhook', async (t) => {
  const whole = await watch(t, 'central');
  const own = await watch(t, 'gerente');
  const other = await watch(t, 'gerente2');
  const neighbour = await watch(t, 'vizinha', {}, 'demo-vizinha');
  assert.equal(whole.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(whole.headers.get('cache-control'), 'no-store, no-transform');
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(whole.headers.get('x-request-id'));
  await listening(4);
  const delivery = await openDelivery(malote);
  await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: await newDriver(malote) });
  for (const stream of [whole, own])
    await stream.until('both are told', () => stream.named('message').length === 2);
  assert.deepEqual(whole.named('message'), own.named('message'));
  assert.deepEqual(
    whole
      .named('message')
      .map(({ event, data }) => [event, data.type, data.data.id, data.data.sequencia, data.data.status]),
    [
      ['message', 'entrega.status', String(delivery.id), 1, 'D'],
      ['message', 'entrega.status', String(delivery.id), 2, 'A'],
    ],
  );
  assert.match(whole.named('message')[0]!.data.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual([other.named('message'), neighbour.named('message')], [[], []]);
  for (const stream of [whole, own, other, neighbour]) stream.close();
  await nobodyListens();
});

test('a role is told live only of what it may read elsewhere', async (t) => {
  const everything = ['condutor.ajuda', 'condutor.lancamento', 'credito.lancado', 'entrega.status'];
  const expected: Record<string, readonly string[]> = {
    operador: everything,
    supervisor: everything,
    financeiro: everything,
    consulta: everything,
    atendente: ['condutor.ajuda', 'entrega.status'],
    integrador: ['condutor.ajuda', 'credito.lancado', 'entrega.status'],
    gerente: ['credito.lancado', 'entrega.status'],
  };
  const streams = new Map<string, Awaited<ReturnType<typeof openEventSource>>>();
  for (const perfil of Object.keys(expected)) {
    const login = { usuario: `ao-vivo-${perfil}`, senha: 'uma senha comprida', perfil };
    assertOk(await operator.post('/usuarios', { ...login, empresa_id: perfil === 'gerente' ? 1 : null }));
    const authorization = basic(login.usuario, login.senha);
    streams.set(perfil, await watch(t, 'central', { authorization }));
  }
  await listening(streams.size);
  const driverId = await newDriver(malote);
  const entry = { tipo: 'ajuste', valor: '123.45', motivo: 'acerto' };
  assertOk(await operator.post(`/condutores/${driverId}/lancamentos`, entry));
  assertOk(await operator.post(`/condutores/${driverId}/ajuda`, { id_mch: null, texto: 'pneu furado' }));
  await setBalance(malote, 50_000_00);
  await openDelivery(malote);
  const seen: Record<string, string[]> = {};
  for (const [perfil, stream] of streams) {
    const types = () => stream.named('message').map(({ data }) => data.type as string);
    await stream.until('the last of them', () => types().includes('entrega.status'));
    seen[perfil] = [...new Set(types())].sort();
    stream.close();
  }
  assert.deepEqual(seen, expected);
  await nobodyListens();
});

test('a login that may not watch is refused in the envelope', async () => {
  for (const [headers, status] of [
    [{}, 401],
    [{ 'api-key': 'demo-chave' }, 401],
    [headersOf('condutor1'), 403],
  ] as const) {
    const answer = await fetch(`${malote.url}/api/v2/operacao/eventos`, { headers });
    assert.equal(answer.status, status);
    assert.equal(((await answer.json()) as { success: boolean }).success, false);
  }
  const head = await fetch(`${malote.url}/api/v2/operacao/eventos`, {
    method: 'HEAD',
    headers: headersOf('central'),
  });
  assert.equal(head.status, 200);
  await nobodyListens();
});

test('a reader that reconnects gets the missed events, and then live ones', async (t) => {
  const first = await watch(t, 'central');
  await listening(1);
  const delivery = await openDelivery(malote);
  await first.until('it is told', () => first.named('message').length === 1);
  first.close();
  await nobodyListens();
  assertOk(await manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  const missed = await openDelivery(malote);
  const again = await watch(t, 'central', { 'last-event-id': first.named('message')[0]!.id! });
  await listening(1);
  const next = await openDelivery(malote);
  const eventsOf = (id: number) => again.named('message').filter(({ data }) => data.data.id === String(id));
  await again.until('it is told of all', () => eventsOf(next.id).length > 0);
  assert.deepEqual(
    eventsOf(delivery.id).map(({ data }) => data.data.sequencia),
    [2],
  );
  assert.equal(eventsOf(missed.id).length, 1);
  assert.deepEqual(again.named('recarregar'), []);
  again.close();
  await nobodyListens();
});

test('a reader that missed too much, or sends an invalid position, must read everything again', async (t) => {
  const odd = await watch(t, 'central', { 'last-event-id': 'ontem' });
  await odd.until('it is told', () => odd.named('recarregar').length === 1);
  const [last] = await db<{ id: number }>`select max(id) as id from events where central_id = 1`;
  await db`
    insert into events (central_id, id, type, sequence, payload, occurred_at)
    select 1, id, 'wallet.entry', n, '{"kind":"top_up","amountCents":1,"balanceCents":1}', ${malote.clock.now()}
    from unnest(${await db.newIds(1, 'event', 1001)}::bigint[]) with ordinality as ids (id, n)`;
  await odd.until('they were told to who was there', () => odd.named('message').length === 1001);
  const late = await watch(t, 'central', { 'last-event-id': String(last!.id) });
  await late.until('it is told', () => late.named('recarregar').length === 1);
  assert.equal(late.named('message').length, 0);
  for (const stream of [odd, late]) stream.close();
  await nobodyListens();
});

test('events during a lost connection to the database are sent afterwards', async (t) => {
  const watcher = await watch(t, 'central');
  await listening(1);
  await db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'malote malote_events' and datname = current_database()`;
  const delivery = await openDelivery(malote);
  await watcher.until('it hears of it', () =>
    watcher.messages.some(({ data }) => data.data?.id === String(delivery.id)),
  );
  watcher.close();
  await nobodyListens();
});

test('where drivers are is told, to a company only while they carry something of it', async (t) => {
  const [whole, own, other] = [
    await watch(t, 'central'),
    await watch(t, 'gerente'),
    await watch(t, 'gerente2'),
  ];
  await listening(3);
  const delivery = await openDelivery(malote);
  const [busy, free] = [await newDriver(malote), await newDriver(malote)];
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: busy }));
  for (const id of [busy, free])
    assertOk(await operator.post(`/condutores/${id}/posicao`, { lat: -30.03, lng: -51.23 }));
  const seen = (stream: typeof whole) => stream.named('posicao').map(({ data }) => data.condutor_id);
  await whole.until('both are seen', () => [busy, free].every((id) => seen(whole).includes(String(id))));
  assert.deepEqual(own.named('posicao')[0]?.data, {
    condutor_id: String(busy),
    lat: -30.03,
    lng: -51.23,
    em: '2026-11-16T15:00:00Z',
    entregas: [String(delivery.id)],
  });
  assert.deepEqual([seen(own), seen(other)], [[String(busy)], []]);
  for (const stream of [whole, own, other]) stream.close();
  await nobodyListens();
});

test('a reader that does not read is dropped, and nobody waits for it', async (t) => {
  const { hostname, port } = new URL(malote.url);
  const stuck = connect(Number(port), hostname);
  t.after(() => stuck.destroy());
  const headers = Object.entries({ host: hostname, ...headersOf('central') }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  stuck.write(`GET /api/v2/operacao/eventos HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  stuck.pause();
  const watcher = await watch(t, 'central');
  await listening(2);
  // Much more than the sockets' buffers hold.
  for (let round = 0; malote.app.deps.live.readers() > 1; round += 1) {
    assert.ok(round < 500, 'it is never dropped');
    await db`
      insert into events (central_id, id, type, delivery_id, sequence, payload, occurred_at)
      select 1, ${await newId(db, 1, 'event')}, 'delivery.grouped', 999999, ${round + 1}::integer,
        jsonb_build_object('status', 'in_progress', 'driverId', null, 'netCents', 1, 'stops',
          (select jsonb_agg(jsonb_build_object('id', n, 'order', n)) from generate_series(1, 3000) n)), ${malote.clock.now()}`;
    await watcher.until('the other one is told', () => watcher.named('message').length > round);
  }
  assert.equal(watcher.isOver(), false);
  watcher.close();
  await nobodyListens();
});

test('a service that ends lets its watchers go, and ends', async (t) => {
  const app = await buildApp({
    db,
    clock: malote.clock,
    log: pino({ level: 'silent' }),
    routers: estimatorRouters,
  });
  t.after(() => app.close());
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const watcher = await watch(t, 'central', {}, 'demo-chave', url);
  await waitUntil('it is listening', () => app.deps.live.readers() === 1);
  const delivery = await openDelivery(malote);
  await watcher.until('it hears of what another process did', () => watcher.named('message').length > 0);
  assert.equal(watcher.named('message')[0]?.data.data.id, String(delivery.id));
  const { hostname, port } = new URL(url);
  const stuck = connect(Number(port), hostname);
  t.after(() => stuck.destroy());
  await once(stuck, 'connect');
  await Promise.race([
    app.close(),
    sleep(60_000, undefined, { ref: false }).then(() => assert.fail('it does not end')),
  ]);
  await waitUntil('the stream has ended', watcher.isOver);
});

test('a checked address is announced to those who show the delivery, in every process, and is no event', async (t) => {
  const { phone, cookie, driverId } = await newDevice(malote);
  const delivery = await openDelivery(malote);
  const path = `/entregas/${delivery.id}`;
  assertOk(await operator.post(`${path}/aceitar`, { condutor_id: driverId }));
  const { db, clock } = malote;
  const app = await buildApp({ db, clock, log: pino({ level: 'silent' }), routers: estimatorRouters });
  t.after(() => app.close());
  const elsewhere = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const may = [
    await watch(t, 'central'),
    await watch(t, 'gerente'),
    await watch(t, 'central', {}, 'demo-chave', elsewhere),
  ];
  const others = [await watch(t, 'gerente2'), await watch(t, 'vizinha', {}, 'demo-vizinha')];
  const work = `${malote.url}/api/v2/operacao/condutores/${driverId}/trabalho/eventos`;
  const own = await openEventSource(t, work, { cookie });
  await own.until('its version', () => own.named('trabalho').length === 1);
  await listening(5);
  await waitUntil('the other one is listening', () => app.deps.live.readers() === 1);
  const eventCount = async (): Promise<number> =>
    assertOk(await operator.get(`${path}/historico`)).body.data.eventos.length;
  const before = await eventCount();

  const stopPath = `${path}/paradas/${delivery.stopIds[0]}`;
  assertOk(await operator.post(`${path}/conferir-endereco`, { parada_id: delivery.stopIds[0] }));
  assertOk(await operator.post(`${path}/conferir-endereco`, { parada_id: null }));
  assertOk(await phone.post(`${stopPath}/corrigir-posicao`, { lat: -30.0306, lng: -51.2301 }));
  for (const stream of may) {
    await stream.until('it is told', () => stream.named('atualizar').length === 3);
    assert.deepEqual(stream.named('atualizar')[0]?.data, { id: String(delivery.id) });
    assert.deepEqual(stream.named('message'), []);
  }
  assert.equal(await eventCount(), before);
  // The next change is an event for all who are concerned.
  assertOk(await manager.post(`${path}/cancelar`, { motivo_id: 2 }));
  await own.until('it is told of the cancellation', () => own.named('trabalho').length === 2);
  assert.equal(own.named('trabalho')[1]?.data.motivo, 'cancelada');
  const another = await openDelivery(malote);
  await may[0]!.until('it is told', () =>
    may[0]!.named('message').some(({ data }) => data.data.id === String(another.id)),
  );
  for (const stream of others) assert.deepEqual(stream.named('atualizar'), []);
  for (const stream of [...may, ...others, own]) stream.close();
  await nobodyListens();
});
