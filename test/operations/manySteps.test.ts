import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, client, type Json } from '../support/client.ts';
import { at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { eventsOfDelivery } from '../support/scheduled.ts';
import { assertOk, countStatuses, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;
const operations = (key: string, user: string) =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const manager = operations('demo-chave', 'gerente');
const neighbour = operations('demo-vizinha', 'vizinha');
await db`update drivers set available = false`;

const MISSING = 999_999_999;
const openMany = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  while (ids.length < count) ids.push((await openDelivery(malote)).id);
  return ids;
};
const hold = (ids: readonly number[], who = operator) =>
  who.post('/entregas/segurar', { ids, motivo: 'A cozinha parou' });
const release = (ids: readonly number[]) => operator.post('/entregas/liberar', { ids });
const offer = (ids: readonly number[], driverId: number) =>
  operator.post('/entregas/atribuir', { ids, condutor_id: driverId });
const withdraw = (ids: readonly number[]) => operator.post('/entregas/retirar-ofertas', { ids });
const results = (answer: Answer): string[] =>
  assertOk(answer).body.data.map((item: Json) => item.kind ?? item.data.status);
const statusOf = async (id: number): Promise<string> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.status;
const stateOf = async (id: number) => {
  const [row] = await db<{ state: Json }>`
    select jsonb_build_object('status', status, 'driver', driver_id, 'specified', driver_specified, 'held', held_reason,
      'version', version, 'offers', (
        select coalesce(jsonb_agg(o.state order by o.id), '[]') from offers o
        where o.central_id = 1 and o.delivery_id = d.id)) as state
    from deliveries d where d.central_id = 1 and d.id = ${id}`;
  const types = (await eventsOfDelivery(malote, id)).map(({ type, payload }: Json) => [type, payload.status]);
  return { ...row!.state, types };
};

test('holding many: each is held as by itself, and each that cannot be says why', async () => {
  const open = await openMany(30);
  const carried = await deliveryIn(malote, 'accepted');
  const next = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${next.id}/aceitar`, { condutor_id: carried.driverId }));
  const offered = (await deliveryIn(malote, 'offered')).id;
  const started = (await deliveryIn(malote, 'in_progress')).id;
  const finished = (await deliveryIn(malote, 'finished')).id;
  const grouper = await start(malote, at(0, 1));
  const grouped = await start(malote, at(2));
  assertOk(await groupDeliveries(malote, grouper, [grouped]));
  const ids = [...open, started, carried.id, MISSING, offered, finished, grouped];
  const answer = await hold(ids);
  assert.deepEqual(results(answer), [
    ...open.map(() => 'P'),
    'step-out-of-order',
    'P',
    'delivery-not-found',
    'P',
    'delivery-over',
    'delivery-grouped',
  ]);
  assert.equal(answer.body.recusados, 4);
  assert.deepEqual(
    answer.body.data.map(({ indice, id }: Json) => [indice, id]),
    ids.map((id, index) => [index, id]),
  );
  // The driver who carried one goes on with the next.
  assert.equal(await statusOf(next.id), 'A');
  const [alone] = await openMany(1);
  assertOk(await operator.post(`/entregas/${alone}/segurar`, { motivo: 'A cozinha parou' }));
  assert.deepEqual(await stateOf(open[4]!), await stateOf(alone!));
  assert.deepEqual((await stateOf(offered)).offers, ['withdrawn']);
});

test('releasing many undoes a hold; what is not held is refused', async () => {
  const ids = await openMany(3);
  const [other] = await openMany(1);
  assertOk(await hold(ids));
  assert.deepEqual(results(await release([...ids, other!])), ['D', 'D', 'D', 'step-out-of-order']);
  const { status, held, types } = await stateOf(ids[0]!);
  assert.deepEqual([status, held], ['distributing', null]);
  assert.deepEqual(types.slice(-2), [
    ['delivery.status', 'awaiting_release'],
    ['delivery.status', 'distributing'],
  ]);
});

test('offering many to one driver: one offer of each, as by itself; withdrawn, they are searched for again', async () => {
  const driver = await newDriver(malote);
  const ids = await openMany(4);
  const offered = await deliveryIn(malote, 'offered');
  const accepted = (await deliveryIn(malote, 'accepted')).id;
  assert.deepEqual(results(await offer([...ids, offered.id, accepted], driver)), [
    ...['G', 'G', 'G', 'G', 'G'],
    'step-out-of-order',
  ]);
  const [alone] = await openMany(1);
  assertOk(await operator.post(`/entregas/${alone}/atribuir`, { condutor_id: driver }));
  assert.deepEqual(await stateOf(ids[0]!), await stateOf(alone!));
  assert.deepEqual((await stateOf(offered.id)).offers, ['withdrawn', 'open']);
  assert.deepEqual(results(await withdraw([...ids, accepted])), ['D', 'D', 'D', 'D', 'step-out-of-order']);
  const { status, specified, offers } = await stateOf(ids[0]!);
  assert.deepEqual([status, specified, offers], ['distributing', false, ['withdrawn']]);
  // It was not a refusal: the driver may be offered it again, and accept.
  assertOk(await offer([ids[0]!], driver));
  assertOk(await operator.post(`/entregas/${ids[0]}/aceitar`, { condutor_id: driver }));
});

test('offering many: the driver must exist and be active, and takes only those of its companies', async () => {
  const ids = await openMany(2);
  const answer = await offer(ids, MISSING);
  assert.deepEqual([answer.status, answer.headers.get('x-error-kind')], [404, 'driver-not-found']);
  const inactive = await newDriver(malote);
  await db`update drivers set active = false, available = false where central_id = 1 and id = ${inactive}`;
  const refused = await offer(ids, inactive);
  assert.equal(refused.headers.get('x-error-kind'), 'driver-inactive');
  const bound = await newDriver(malote);
  await db`insert into driver_companies (central_id, driver_id, company_id) values (1, ${bound}, 2)`;
  assert.deepEqual(results(await offer(ids, bound)), [
    'driver-of-other-companies',
    'driver-of-other-companies',
  ]);
  assert.equal(await statusOf(ids[0]!), 'D');
});

test('postponing many: the promise of each moves, also of one under way; its stops that are done keep theirs', async () => {
  const postpone = (ids: readonly number[], minutos: number) =>
    operator.post('/entregas/adiar', { ids, minutos });
  const promiseOf = async (id: number): Promise<number> => {
    const all = assertOk(await operator.get('/entregas/abertas')).body.data;
    return Date.parse(all.find((each: Json) => each.id === String(id)).prometida_para) / 60_000;
  };
  const ids = await openMany(2);
  const started = await deliveryIn(malote, 'in_progress', 2);
  assertOk(await operator.post(`/entregas/${started.id}/paradas/${started.stopIds[0]}/concluir`, {}));
  const finished = (await deliveryIn(malote, 'finished')).id;
  const asked = [...ids, started.id];
  const before = await Promise.all(asked.map(promiseOf));
  const answer = assertOk(await postpone([...asked, finished, MISSING], 20));
  assert.deepEqual(
    answer.body.data.map((item: Json) => item.kind ?? item.data.minutos),
    [20, 20, 20, 'delivery-over', 'delivery-not-found'],
  );
  const after = await Promise.all(asked.map(promiseOf));
  assert.deepEqual(
    after.map((at, index) => at - before[index]!),
    [20, 20, 20],
  );
  const { paradas } = assertOk(await malote.central.get(`/entregas/${ids[0]}/detalhes`)).body.data;
  assert.equal(Date.parse(paradas[0].exigencias.entregar_ate) / 60_000, after[0]);
  const changed = (await eventsOfDelivery(malote, ids[0]!)).filter(
    ({ type }: Json) => type === 'delivery.changed',
  );
  assert.equal(changed.length, 1);
  // What somebody else saw before is out of date.
  assert.equal((await stateOf(ids[0]!)).version, (await stateOf((await openMany(1))[0]!)).version + 1);
  assertOk(await postpone(asked, -20));
  assert.deepEqual(await promiseOf(ids[0]!), before[0]);
});

test('postponing twice at once moves the promise twice, and an earlier one does not pass the opening of a window', async () => {
  const [id] = await openMany(1);
  const promiseOf = async (): Promise<string> => {
    const all = assertOk(await operator.get('/entregas/abertas')).body.data;
    return all.find((each: Json) => each.id === String(id)).prometida_para;
  };
  const before = Date.parse(await promiseOf());
  const answers = await Promise.all(
    [10, 10, 10].map((minutos) => operator.post('/entregas/adiar', { ids: [id], minutos })),
  );
  for (const answer of answers) assertOk(answer);
  assert.equal(Date.parse(await promiseOf()), before + 30 * 60_000);
  const from = clock.now().add({ minutes: 30 });
  await db`
    update stop_demands set window_from = ${from}
    where central_id = 1 and stop_id in (select s.id from stops s where s.central_id = 1 and s.delivery_id = ${id})`;
  assertOk(await operator.post('/entregas/adiar', { ids: [id], minutos: -240 }));
  assert.equal(Date.parse(await promiseOf()), from.add({ minutes: 1 }).epochMilliseconds);
});

test('many steps are for those who dispatch, and reach nothing of another central', async () => {
  const [id] = await openMany(1);
  assert.equal((await hold([id!], manager)).status, 403);
  const other = await neighbour.post('/entregas/segurar', { ids: [id], motivo: 'x' });
  assert.deepEqual(results(other), ['delivery-not-found']);
  assert.equal(await statusOf(id!), 'D');
});

test('many steps: an empty list, an id twice and more than 500 are refused', async () => {
  for (const ids of [[], [1, 1], Array.from({ length: 501 }, (_, index) => index + 1), ['x']]) {
    const answer = await operator.post('/entregas/liberar', { ids });
    assert.equal(answer.status, 400, answer.text);
  }
});

test('a repetition with the same key changes nothing again', async () => {
  const ids = await openMany(5);
  const send = () =>
    operator.post(
      '/entregas/segurar',
      { ids, motivo: 'A cozinha parou' },
      { 'idempotency-key': 'held-once' },
    );
  const first = assertOk(await send());
  assertOk(await release(ids));
  assert.equal(assertOk(await send()).text, first.text);
  assert.equal(await statusOf(ids[0]!), 'D');
});

test('two holds, an offer, a cancellation and acceptances at once: each delivery ends in one state, once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const ids = await openMany(24);
    const driver = await newDriver(malote);
    const reversed = ids.toReversed();
    const single = await newDriver(malote);
    const [one, two, offers, cancelled, ...accepted] = await Promise.all([
      hold(ids),
      hold(reversed),
      offer(ids, driver),
      operator.post('/entregas/retirar-ofertas', { ids: reversed }),
      ...ids.slice(0, 4).map((id) => operator.post(`/entregas/${id}/aceitar`, { condutor_id: single })),
    ]);
    for (const answer of [one, two, offers, cancelled]) assertOk(answer);
    assert.deepEqual(
      Object.keys(countStatuses(accepted)).filter((status) => !['200', '406', '409'].includes(status)),
      [],
    );
    for (const [index, id] of ids.entries()) {
      const holds = [one.body.data[index], two.body.data[ids.length - 1 - index]].filter(
        ({ success }) => success,
      );
      const { status, offers: made, types } = await stateOf(id);
      // Held last or not at all: nobody releases here, so what was held stays held.
      assert.equal(holds.length, 1, JSON.stringify([one.body.data[index], two.body.data.at(-1 - index)]));
      assert.equal(status, 'awaiting_release');
      assert.ok(!made.includes('open'));
      assert.equal(types.filter(([, to]: [string, string]) => to === 'awaiting_release').length, 1);
    }
  }
});

test('GET /entregas/abertas: the slack of one without a driver counts on who can be at the pickup first', async () => {
  const { id } = await openDelivery(malote);
  const listed = async (who = operator): Promise<Json> =>
    assertOk(await who.get('/entregas/abertas')).body.data.find((each: Json) => each.id === String(id));
  const alone = await listed();
  assert.equal(alone.chegada_prevista, null);
  assert.equal(
    alone.paradas[0].nome_cliente,
    assertOk(await operator.get(`/entregas/${id}`)).body.data.paradas[0].nome_cliente,
  );
  const category = 1;
  const far = await newDriver(malote, { lat: Number(places[0]!.lat) + 0.2, lng: Number(places[0]!.lng) });
  const near = await newDriver(malote, { lat: alone.partida.lat, lng: alone.partida.lng });
  const slackWith = async (driverIds: readonly number[]): Promise<number> => {
    await db`update drivers set available = id = any(${driverIds}::bigint[]) where central_id = 1`;
    return (await listed()).folga_segundos;
  };
  // Without the category, neither counts.
  const unmatched = await slackWith([far]);
  for (const driver of [far, near])
    await db`insert into driver_categories (central_id, driver_id, category_id) values (1, ${driver}, ${category})`;
  const [withFar, withNear, withBoth] = [
    await slackWith([far]),
    await slackWith([near]),
    await slackWith([far, near]),
  ];
  assert.ok(withFar < withNear, `${withFar} < ${withNear}`);
  assert.ok(withFar < unmatched, `${withFar} < ${unmatched}`);
  assert.equal(withBoth, withNear);
  clock.advance({ minutes: 10 });
  assert.equal(await slackWith([near]), withNear - 600);
  // The driver takes it: from now on the slack is that of the expected arrival.
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: near }));
  const taken = await listed();
  const left = (Date.parse(taken.prometida_para) - Date.parse(taken.chegada_prevista)) / 1000;
  assert.equal(taken.folga_segundos, left);
  assert.equal(taken.desde, clock.now().toString({ smallestUnit: 'second' }));
  // A company sees no other driver's work.
  const other = await openDelivery(malote);
  const seen = assertOk(await manager.get('/entregas/abertas')).body.data;
  assert.equal(seen.find((each: Json) => each.id === String(other.id)).folga_segundos, null);
});
