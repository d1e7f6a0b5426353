import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { OPERATION_BASE } from '../../server/src/api/operations/endpoints.ts';
import { indexCentral } from '../../server/src/insight/search/indexCentral.ts';
import { belongings, CENTRAL_SECRET, COMPANY_SECRET, type Ids } from '../support/belongings.ts';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { everyEndpoint, isFor, type PlacedEndpoint, pathWith, queryOf } from '../support/everyEndpoint.ts';
import { png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertNothingWritten } from '../support/rows.ts';
import { assertOk } from '../support/steps.ts';

// A resource that a login may not see is answered with the same 404 as one that does not exist. This is tested for
// every endpoint in the tables, including future ones.

const malote = await startMalote();
const { db } = malote;
const mine = belongings(malote);
// With these settings, every endpoint that a manager may call for the own company is open to managers.
await malote.configure({ managerTopUp: true, pixKey: 'demo@example.com' });
const NOBODYS_ID = 77_777_777;

const loginAt = (base: string, user: string, key = 'demo-chave') =>
  client(malote.url + base, { key, user, password: 'demo' });

/** A login of central 1 that may call the endpoint and sees company 1. */
const ownerOf = ({ base, endpoint }: PlacedEndpoint): Client =>
  loginAt(base, isFor(endpoint, 'manager') ? 'gerente' : 'central');

/** Logins that may call the endpoint but have no relation to company 1, or not even to central 1. */
function strangersOf({ base, endpoint }: PlacedEndpoint): [roles: string, login: Client][] {
  const strangers: [string, Client][] = [['the next central', loginAt(base, 'vizinha', 'demo-vizinha')]];
  if (isFor(endpoint, 'manager')) strangers.push(['another company', loginAt(base, 'gerente2')]);
  return strangers;
}

/** The example body, with existing records wherever it names others. */
async function bodyOf({ endpoint }: PlacedEndpoint): Promise<Json> {
  if (!endpoint.body) return undefined;
  const body: Json = structuredClone(endpoint.bodyExample);
  if (body.programadas_agrupadas) body.programadas_agrupadas = [(await mine.scheduled()).id];
  if (body.solicitacoes_agrupadas) body.solicitacoes_agrupadas = [(await mine.deliveryInProgress()).id];
  if (endpoint.path.endsWith('/pix/creditar')) {
    const code = await loginAt(OPERATION_BASE, 'gerente').post('/empresas/1/pix', { valor: '150.00' });
    body.identificador = assertOk(code).body.data.identificador;
  }
  // The driver of the path carries no delivery.
  if (endpoint.path.endsWith('/ajuda')) body.id_mch = null;
  return body;
}

/** The example query; a search uses a text that only the owner may find. */
const secretQueryOf = (endpoint: PlacedEndpoint['endpoint']): string =>
  endpoint.path === '/busca' ? '?texto=segredo' : queryOf(endpoint);

const send = (login: Client, { endpoint }: PlacedEndpoint, ids: Ids, body: Json): Promise<Answer> =>
  login.send(pathWith(endpoint.path, (name) => ids[name] ?? NOBODYS_ID) + secretQueryOf(endpoint), {
    method: endpoint.method,
    ...(endpoint.rawBody && { body: png(), headers: { 'content-type': 'image/png' } }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });

const named = everyEndpoint.filter(({ endpoint }) => endpoint.path.includes(':'));
/** What these show is the same in every central; test/edges/sandboxTenancy.test.ts has the sandbox. */
const OF_SANDBOX = ['/sandbox', '/ambiente-de-teste'];
const unnamed = everyEndpoint.filter(
  ({ endpoint }) => !endpoint.path.includes(':') && !endpoint.isLive && !OF_SANDBOX.includes(endpoint.path),
);

for (const placed of named) {
  test(`${placed.name}: strangers meet the 404 of what does not exist, its owner does not`, async () => {
    const ids = await mine.idsFor(placed.endpoint.path);
    const body = await bodyOf(placed);
    for (const [roles, login] of strangersOf(placed))
      await assertNothingWritten(db, async () => {
        const answer = await send(login, placed, ids, body);
        assertFailure(answer, 404, 0);
        const absent = await send(login, placed, {}, body);
        assert.equal(answer.text, absent.text, `${roles} can tell it from what does not exist`);
      });
    // A live stream does not end.
    if (placed.endpoint.isLive) return;
    const owned = await send(ownerOf(placed), placed, ids, body);
    assert.ok([200, 406, 409, 422].includes(owned.status), `its owner met ${owned.status} ${owned.text}`);
  });
}

test('a driver acts only for itself, and on deliveries that it carries', async () => {
  const ids = await mine.deliveryInProgress();
  const stranger = malote.driver(2);
  for (const placed of named.filter(({ endpoint }) => isFor(endpoint, 'driver'))) {
    const target = placed.endpoint.path.startsWith('/condutores') ? { id: 1 } : ids;
    await assertNothingWritten(db, async () => {
      const answer = await send(stranger, placed, target, await bodyWithoutDriver(placed));
      assert.ok([403, 404].includes(answer.status), `${placed.name}: ${answer.status} ${answer.text}`);
    });
  }
});

/** The body without the driver's id, which a driver need not send. */
async function bodyWithoutDriver(placed: PlacedEndpoint): Promise<Json> {
  const body = await bodyOf(placed);
  if (body) delete body.condutor_id;
  return body;
}

/** Answers that hold figures and settings but no names. They must differ from the owner's. */
const SHOWS_NO_NAMES = new Set([
  'GET /entregas/empresas/creditos/saldo (integracao)',
  'GET /configuracoes (operacao)',
  'GET /resumo (operacao)',
  'GET /relatorios/resumo (operacao)',
  'GET /fechamentos (operacao)',
  'GET /planos (operacao)',
]);
/** Lists that are empty for every login here. */
const EMPTY = new Set([
  'GET /agrupamentos-automaticos (operacao)',
  // test/operations/orderAgain.test.ts has deliveries that nobody attended.
  'GET /nao-atendidas (operacao)',
  // test/operations/lists.test.ts has entries of several companies.
  'POST /carteiras/lancamentos/consultar (operacao)',
  'POST /empresas/lancamentos/consultar (operacao)',
  // Totals are counted later, in the background. test/operations/reports.test.ts tests what strangers see of them.
  ...['serie', 'divisao', 'motivos', 'arquivo'].map((report) => `GET /relatorios/${report} (operacao)`),
]);

describe('lists', () => {
  // Each list must hold a record of its kind: an empty one would show strangers nothing in any case.
  before(async () => {
    for (const path of new Set(named.map(({ endpoint }) => endpoint.path))) await mine.idsFor(path);
    for (const centralId of [1, 2]) await indexCentral(malote.app.deps, centralId);
  });

  for (const placed of unnamed.filter(
    ({ endpoint }) => endpoint.method === 'GET' || endpoint.path.endsWith('consultar'),
  )) {
    test(`${placed.name}: strangers see nothing of it, its owner does`, async () => {
      const isQuery = placed.endpoint.method === 'POST';
      const ask = (login: Client) => send(login, placed, {}, isQuery ? { limite: 100 } : undefined);
      const owned = assertOk(await ask(ownerOf(placed)));
      for (const [roles, login] of strangersOf(placed)) {
        const answer = await ask(login);
        if (SHOWS_NO_NAMES.has(placed.name))
          assert.notEqual(answer.text, owned.text, `${roles} sees the same`);
        if (answer.status !== 200) assertFailure(answer, 404, 0);
        assert.ok(!answer.text.includes(COMPANY_SECRET), `${roles} sees it`);
        if (roles === 'the next central')
          assert.ok(!answer.text.includes(CENTRAL_SECRET), `${roles} sees it`);
      }
      if (!SHOWS_NO_NAMES.has(placed.name) && !EMPTY.has(placed.name)) assert.match(owned.text, /segredo/);
    });
  }
});

/** The fields of bodies that name records, each with a record of that kind in another company or central. */
async function foreignIds(): Promise<Record<string, { field: unknown; roles: string }[]>> {
  const neighbour = malote.neighbour;
  const reason = { nome: 'x', nome_en: 'x', ativo: true };
  const operatorNextDoor = loginAt(OPERATION_BASE, 'vizinha', 'demo-vizinha');
  // Every central numbers its reasons from 1, so another central needs many to have one that central 1 lacks.
  let reasonId = 0;
  for (let count = 0; count < 30; count += 1)
    reasonId = assertOk(
      await operatorNextDoor.post('/motivos-cancelamento', { ...reason, nome: `m${count}` }),
    ).body.data.id;
  const manaus = {
    empresa_id: 10_000_001,
    partida: { ...order().partida, lat: '-3.1', lng: '-60.0' },
    paradas: order().paradas.map((stop) => ({ ...stop, lat_parada: '-3.11', lng_parada: '-60.01' })),
  };
  const delivery = Number(assertOk(await neighbour.post('/entregas', order(manaus))).body.data.id_mch);
  const scheduled = Number(
    assertOk(await neighbour.post('/entregas/programadas', scheduledOrder(manaus))).body.data.id_mch,
  );
  const [stopNextDoor] = await db<{ id: number }>`
    select id from stops where central_id = 2 and delivery_id = ${delivery} limit 1`;
  const adjustment = { tipo: 'ajuste', valor: '1.00', motivo: 'x' };
  const entry = assertOk(await operatorNextDoor.post('/condutores/10000001/lancamentos', adjustment)).body
    .data.id;
  const nextDoor = (field: unknown) => ({ field, roles: 'the next central' });
  const otherCompany = (field: unknown) => ({ field, roles: 'another company' });
  return {
    empresa_id: [nextDoor(10_000_001), otherCompany(2)],
    categoria_id: [nextDoor(10_000_001)],
    categoria_padrao_id: [nextDoor(10_000_001)],
    categorias: [nextDoor([10_000_001])],
    area_id: [nextDoor(10_000_001)],
    condutor_id: [nextDoor(10_000_001)],
    entrega_id: [nextDoor(delivery)],
    lancamento_id: [nextDoor(Number(entry))],
    motivo_id: [nextDoor(Number(reasonId))],
    parada_id: [nextDoor(stopNextDoor!.id)],
    registro_id: [nextDoor(10_000_001)],
    usuario_id: [nextDoor(10_000_001)],
    chave_id: [nextDoor(10_000_001)],
    programadas_agrupadas: [
      nextDoor([scheduled]),
      otherCompany([(await mine.scheduled(malote.manager2)).id]),
    ],
    solicitacoes_agrupadas: [nextDoor([delivery]), otherCompany([(await mine.delivery(malote.manager2)).id])],
  };
}

/** Ids of an external numbering, which name no record here. */
const NAMES_NOTHING = new Set(['gerador_cupom_id']);

interface Schema {
  type?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
const isInteger = (schema: Schema): boolean =>
  schema.type === 'integer' ||
  (schema.anyOf ?? []).some(isInteger) ||
  (schema.items ? isInteger(schema.items) : false);

test('ids within a body are looked for in one’s own central and company only', async () => {
  const foreign = await foreignIds();
  // A filter that matches nothing is an empty list; see below.
  const isFilter = ({ endpoint }: PlacedEndpoint) => endpoint.path === '/entregas/consultar';
  for (const placed of everyEndpoint.filter((candidate) => candidate.endpoint.body && !isFilter(candidate))) {
    const { properties = {} } = placed.endpoint.body as Schema;
    const references = Object.entries(properties)
      .filter(([name, schema]) => isInteger(schema) && (/_id$|_agrupadas$/.test(name) || name in foreign))
      .map(([name]) => name)
      .filter((name) => !NAMES_NOTHING.has(name));
    for (const name of references) {
      assert.ok(foreign[name], `${placed.name} takes ${name}: teach this test what it names`);
      for (const { field, roles } of foreign[name]) {
        // A login for the whole central may name another company.
        if (roles === 'another company' && !isFor(placed.endpoint, 'manager')) continue;
        const ids = placed.endpoint.path.includes(':') ? await mine.idsFor(placed.endpoint.path) : {};
        const body = { ...(await bodyOf(placed)), [name]: field };
        await assertNothingWritten(db, async () => {
          const answer = await send(ownerOf(placed), placed, ids, body);
          const nothing = Array.isArray(field) ? [NOBODYS_ID] : NOBODYS_ID;
          const absent = await send(ownerOf(placed), placed, ids, { ...body, [name]: nothing });
          const what = `${placed.name}, ${name} of ${roles}: ${answer.status} ${answer.text}`;
          // Only the id itself may differ from the answer about an id that does not exist.
          const wanted = absent.text.replaceAll(String(NOBODYS_ID), String([field].flat()[0]));
          assert.equal(answer.text, wanted, what);
        });
      }
    }
  }
});

test('a filter by another central’s driver finds nothing', async () => {
  const answer = assertOk(await malote.central.post('/entregas/consultar', { condutor_id: 10_000_001 }));
  assert.deepEqual(answer.body.data, []);
});

test('ids within a query are looked for in one’s own central and company only', async (t) => {
  // Otherwise the list of requests would count those of this test.
  await malote.configureFor(t, { requestsKeptDays: 0 });
  await malote.app.recorder.write();
  const foreign = await foreignIds();
  for (const placed of everyEndpoint.filter(({ endpoint }) => endpoint.query && !endpoint.isLive)) {
    const { properties = {} } = placed.endpoint.query as Schema;
    const names = Object.entries(properties)
      .filter(([name, schema]) => isInteger(schema) && (/_id$/.test(name) || name in foreign))
      .map(([name]) => name)
      .filter((name) => !NAMES_NOTHING.has(name));
    for (const name of names) {
      assert.ok(foreign[name], `${placed.name} takes ${name}: teach this test what it names`);
      for (const { field, roles } of foreign[name]) {
        if (roles === 'another company' && !isFor(placed.endpoint, 'manager')) continue;
        const ids = placed.endpoint.path.includes(':') ? await mine.idsFor(placed.endpoint.path) : {};
        const ask = (id: unknown) => {
          const query = new URLSearchParams(queryOf(placed.endpoint));
          query.set(name, String(id));
          const path = pathWith(placed.endpoint.path, (param) => ids[param] ?? NOBODYS_ID);
          return ownerOf(placed).send(`${path}?${query}`, { method: placed.endpoint.method });
        };
        const answer = await ask(field);
        const absent = await ask(NOBODYS_ID);
        const what = `${placed.name}, ${name} of ${roles}: ${answer.status} ${answer.text}`;
        assert.ok(!answer.text.includes(CENTRAL_SECRET) && !answer.text.includes(COMPANY_SECRET), what);
        assert.equal(
          answer.text.replaceAll(String(field), '#'),
          absent.text.replaceAll(String(NOBODYS_ID), '#'),
          what,
        );
      }
    }
  }
});
