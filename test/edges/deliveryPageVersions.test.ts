import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliveryPage } from '../../server/src/api/integration/deliveryJsonStore.ts';
import { deliveryDocuments } from '../../server/src/api/json/deliveryJson.ts';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { prepare, type Sql } from '../../server/src/platform/postgres/sql.ts';
import type { Json } from '../support/client.ts';
import { groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

// The rows of contract 4.4 come from texts cached in memory. Every change of their data must be visible on the next
// page.
const malote = await startMalote();
const { central, manager, manager2, neighbour, operator } = malote;

/** A separate connection, as of another process: the service is not notified of its writes. */
const elsewhere = openDatabase({
  connection: malote.connection,
  poolSize: 2,
  onError: (error) => {
    throw error;
  },
});
test.after(() => elsewhere.close());

const pageOf = async (by = central): Promise<Json[]> =>
  assertOk(await by.post('/entregas/consultar', { limite: 100 })).body.data;
const inPage = async (id: number): Promise<Json> => (await pageOf()).find((row) => row.id === String(id));
/** A single delivery's answer, which is never cached. */
const fresh = async (id: number): Promise<Json> => assertOk(await central.get(`/entregas/${id}`)).body.data;

async function assertShows(id: number, change: () => Promise<unknown>): Promise<void> {
  await inPage(id);
  const before = await inPage(id);
  await change();
  const after = await inPage(id);
  assert.notDeepEqual(after, before, 'the change shows');
  assert.deepEqual(after, await fresh(id), 'and all of it does');
}

const ofCompany = await deliveryIn(malote, 'finished', 3);
const withCoupon = await openDelivery(malote, { codigo_cupom: 'DEMO10' }, 2);
const ordered = await central.post('/entregas', order({ cliente: { nome: 'Ana', cpf: '52998224725' } }));
const person = Number(assertOk(ordered).body.data.id_mch);

const textOf = ({ literals, values }: Sql): string => prepare(literals, values).text;

const columns: [table: string, column: string, value: string, id: number][] = [
  ...(
    [
      ['requested_at', `requested_at - interval '1 minute'`],
      ['arrived_at', `accepted_at + interval '3 minutes'`],
      ['accepted_at', `accepted_at - interval '1 minute'`],
      ['finished_at', `finished_at + interval '2 hours'`],
      ['pending_at', 'now()'],
      ['started_at', `started_at - interval '1 minute'`],
      ['driver_to_pickup_metres', '4321'],
      ['net_cents', 'net_cents - 1'],
      ['grouped_into', String(withCoupon.id)],
      ['driver_specified', 'not driver_specified'],
      ['has_return', 'not has_return'],
      ['travelled_metres', '7654'],
      ['payment', `'voucher'`],
      ['discount_percent', '12.5'],
      ['cancellation_fee_cents', '321'],
      ['pickup_address', `'Rua Outra, 9'`],
      ['pickup_complement', `'fundos'`],
      ['pickup_reference', `'ao lado'`],
      ['pickup_district', `'Bom Fim'`],
      ['pickup_city', `'Canoas'`],
      ['pickup_state', `'SC'`],
      ['pickup_lat', '-30.5'],
      ['pickup_lng', '-51.5'],
      ['driver_id', '(select min(id) from drivers where central_id = 1)'],
      ['company_id', '2'],
    ] as const
  ).map(([column, value]): [string, string, string, number] => ['deliveries', column, value, ofCompany.id]),
  ...(
    [
      ['address', `'Rua Nova, 1'`],
      ['complement', `'casa 2'`],
      ['district', `'Menino Deus'`],
      ['city', `'Viamão'`],
      ['state', `'PR'`],
      ['lat', '-30.25'],
      ['lng', '-51.25'],
      ['order_number', `'N-1'`],
    ] as const
  ).map(([column, value]): [string, string, string, number] => ['stops', column, value, ofCompany.id]),
  ['customers', 'name', `name || ' e filhos'`, ofCompany.id],
  ['customers', 'name', `name || ' Maria'`, person],
  ['customers', 'cpf', `'11144477735'`, person],
  ['companies', 'document', `'11444777000161'`, ofCompany.id],
  ['categories', 'name', `'Motocicleta'`, ofCompany.id],
  ['categories', 'description', `'até 12 kg'`, ofCompany.id],
  ['tariffs', 'name', `'Outra tarifa'`, ofCompany.id],
  ['drivers', 'name', `'Outro Nome'`, ofCompany.id],
  ['drivers', 'phone', `'51977776666'`, ofCompany.id],
  ['drivers', 'vehicle', `'Yamaha'`, ofCompany.id],
  ['drivers', 'plate', `'ABC1D23'`, ofCompany.id],
  ['drivers', 'color', `'preta'`, ofCompany.id],
  ['coupons', 'code', `'DEMO11'`, withCoupon.id],
  ['coupons', 'generator_id', `'77'`, withCoupon.id],
];

/** The rows of a table from which a delivery's text is made. */
const rowsOf: Record<string, string> = {
  deliveries: 'id = $1',
  stops: 'delivery_id = $1 and position = 1',
  customers: 'id = (select customer_id from deliveries where central_id = 1 and id = $1)',
  companies: 'id = (select company_id from deliveries where central_id = 1 and id = $1)',
  categories: 'id = (select category_id from deliveries where central_id = 1 and id = $1)',
  tariffs: 'id = (select tariff_id from deliveries where central_id = 1 and id = $1)',
  drivers: 'id = (select driver_id from deliveries where central_id = 1 and id = $1)',
  coupons: 'id = (select coupon_id from deliveries where central_id = 1 and id = $1)',
};

describe('a value that another process changes shows in the next page', () => {
  for (const [table, column, value, id] of columns)
    test(`${table}.${column}${id === person ? ' of a person' : ''}`, () =>
      assertShows(id, () =>
        runText(
          elsewhere,
          `update ${table} set ${column} = ${value} where central_id = 1 and ${rowsOf[table]}`,
          [id],
        ),
      ));

  test('every table that a delivery is written from is among them, and has its versions read', () => {
    const joined = new Set(
      [...textOf(deliveryDocuments(1, 'UTC', [1])).matchAll(/(?:from|join) ([a-z_]+) [a-z]+\b/g)].map(
        ([, name]) => name!,
      ),
    );
    const text = textOf(deliveryPage({ centralId: 1, companyId: null }, {}, { limit: 1, offset: 0 }));
    assert.deepEqual([...joined].sort(), Object.keys(rowsOf).sort());
    for (const table of joined) {
      assert.match(text, new RegExp(`(from|join) ${table} `), table);
      assert.ok(
        columns.some(([changed]) => changed === table),
        table,
      );
    }
    assert.equal(text.match(/\bxmin\b/g)?.length, joined.size + 1, 'one for each table, and that of d twice');
  });

  test('limits share few statement texts, because each text stays prepared in each connection', () => {
    const texts = new Set<string>();
    for (let limit = 1; limit <= 100; limit += 1)
      texts.add(textOf(deliveryPage({ centralId: 1, companyId: null }, {}, { limit, offset: 0 })));
    assert.equal(texts.size, 3);
  });

  test('a stop that is added, one that is removed and two that change places', async () => {
    const { id, stopIds } = await openDelivery(malote, {}, 3);
    const [first, second, third] = stopIds;
    await assertShows(id, () =>
      runText(
        elsewhere,
        'update stops set position = 3 - position - 1 where central_id = 1 and delivery_id = $1',
        [id],
      ),
    );
    await assertShows(id, () =>
      runText(elsewhere, 'delete from stops where central_id = 1 and id = $1', [first]),
    );
    assert.ok(second && third);
    const other = await openDelivery(malote, {}, 1);
    await assertShows(id, () =>
      runText(elsewhere, 'update stops set delivery_id = $2, position = 2 where central_id = 1 and id = $1', [
        other.stopIds[0],
        id,
      ]),
    );
    assert.deepEqual((await inPage(other.id)).paradas, []);
  });

  test('the time zone of the central', async (t) => {
    const before = await inPage(ofCompany.id);
    await malote.db`update centrals set time_zone = 'Asia/Tokyo' where id = 1`;
    t.after(() => malote.db`update centrals set time_zone = 'America/Sao_Paulo' where id = 1`);
    await malote.app.deps.registersHeard();
    const after = await inPage(ofCompany.id);
    assert.notEqual(after.data_hora_solicitacao, before.data_hora_solicitacao);
    assert.equal(after.data_hora_solicitacao_utc, before.data_hora_solicitacao_utc);
  });
});

describe('what requests change shows in the next page', () => {
  test('acceptance, arrival, start, conclusions, finish', async () => {
    const { id, stopIds } = await openDelivery(malote, {}, 2);
    const step =
      (path: string, body: unknown = {}) =>
      async () =>
        assertOk(await operator.post(`/entregas/${id}/${path}`, body));
    await assertShows(id, step('aceitar', { condutor_id: await newDriver(malote) }));
    await assertShows(id, step('chegar'));
    await assertShows(id, step('iniciar'));
    for (const stopId of stopIds) await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`, {});
    if ((await fresh(id)).status_solicitacao !== 'F') await assertShows(id, step('finalizar'));
    assert.deepEqual(await inPage(id), await fresh(id));
    assert.equal((await inPage(id)).status_solicitacao, 'F');
  });

  test('grouping: both the one that carries and the one that is carried', async () => {
    const [carrier, other] = [{ id: await start(malote) }, { id: await start(malote) }];
    await pageOf();
    assertOk(await groupDeliveries(malote, carrier.id, [other.id]));
    assert.equal((await inPage(carrier.id)).paradas.length, 2);
    assert.equal((await inPage(other.id)).paradas.length, 0);
    assert.deepEqual(await inPage(carrier.id), await fresh(carrier.id));
    assert.deepEqual(await inPage(other.id), await fresh(other.id));
  });

  test('the erasure of a recipient, whose delivery is not touched otherwise', async () => {
    const { id, stopIds } = await deliveryIn(malote, 'finished', 1);
    await runText(
      elsewhere,
      `update stops set recipient_phone = '51933332222', complement = 'apto 7' where central_id = 1 and id = $1`,
      [stopIds[0]],
    );
    assert.equal((await inPage(id)).paradas[0].complemento, 'apto 7');
    await erasePerson({ db: elsewhere, clock: malote.clock }, 1, { cpf: null, phone: '51933332222' }, 'test');
    assert.equal((await inPage(id)).paradas[0].complemento, '');
    assert.deepEqual(await inPage(id), await fresh(id));
  });

  test('the end of retention', async (t) => {
    const { id } = await deliveryIn(malote, 'finished', 1);
    await malote.configureFor(t, { personalDataMonths: 1 });
    await pageOf();
    const before = await inPage(id);
    malote.clock.advance({ hours: 24 * 100 });
    await removeExpiredPersonalData({ db: elsewhere, clock: malote.clock });
    const after = await inPage(id);
    assert.notDeepEqual(after, before);
    assert.deepEqual(after, await fresh(id));
  });
});

test('texts read for one login are not shown to another that may not see them', async () => {
  const all = await pageOf();
  const own = await pageOf(manager);
  assert.ok(own.length > 0 && own.length < all.length);
  assert.ok(own.every((row) => row.empresa_id === '1'));
  assert.ok((await pageOf(manager2)).every((row) => row.empresa_id === '2'));
  assert.deepEqual(await pageOf(neighbour), []);
});

test('a second reading of the same page takes every text from memory, and the metrics count the bytes', async () => {
  await pageOf();
  const { rowTexts } = malote.app.deps;
  const before = rowTexts.figures();
  const page = await pageOf();
  const after = rowTexts.figures();
  assert.equal(after.hits - before.hits, page.length);
  assert.equal(after.misses, before.misses);
  assert.ok(after.bytes > page.length * 1_000);
});
