import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  IncompleteBulkError,
  InvalidInputError,
  LimitError,
  Malote,
  type MaloteOptions,
} from '../../client/src/index.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
const login = (changes: Partial<MaloteOptions> = {}): Malote =>
  new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo', ...changes });
const manager = login();
const created = order() as Parameters<Malote['criarEntrega']>[0];
const scheduled = scheduledOrder() as Parameters<Malote['criarProgramada']>[0];
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...created, observacao: `n${index}` }));

/** Records the keys and sizes of bulk requests, and lets a test replace the answers. */
function observed(replace: (count: number) => Response | undefined = () => undefined) {
  const keys: (string | null)[] = [];
  const sizes: number[] = [];
  const send: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const { entregas, ids } = JSON.parse(String(init?.body));
    sizes.push((entregas ?? ids).length);
    return replace(keys.length) ?? fetch(input, init);
  };
  return { keys, sizes, fetch: send };
}

test('more orders than one request holds are sent in several, and answered in their order', async () => {
  const { keys, sizes, fetch } = observed();
  const orders = numbered(503);
  orders[501] = { ...orders[501]!, categoria_nome: 'Foguete' } as (typeof orders)[number];
  const { data, recusados } = await login({ fetch }).deliveries.createMany(orders);
  assert.deepEqual(sizes, [500, 3]);
  assert.equal(new Set(keys).size, 2);
  assert.equal(recusados, 1);
  assert.deepEqual(
    data.map(({ indice }) => indice),
    orders.map((_, index) => index),
  );
  assert.equal(data[501]?.kind, 'category-not-found');
  const ids = data.flatMap((each) => each.data?.id_mch ?? []);
  assert.equal(ids.length, 502);
  for (const [at, expected] of [
    [0, 'n0'],
    [499, 'n499'],
    [501, 'n502'],
  ] as const) {
    const [row] = await malote.db<{ note: string }>`
      select note from deliveries where central_id = 1 and id = ${Number(ids[at])}`;
    assert.equal(row?.note, expected);
  }

  const { data: statuses } = await manager.deliveries.statuses([...ids, 999_999_999]);
  assert.equal(statuses.length, 503);
  assert.deepEqual(
    statuses.map(({ id }) => id),
    [...ids.map(Number), 999_999_999],
  );
  assert.equal(statuses[502]?.kind, 'delivery-not-found');
  assert.equal(statuses[502]?.indice, 502);
  const cancelled = await manager.deliveries.cancelMany(ids.slice(0, 2), 2);
  assert.equal(cancelled.recusados, 0);
  assert.equal((await manager.obterStatus(ids[1]!)).status, 'C');
  const unknown = await manager.scheduled.cancelMany([999_999_999]);
  assert.equal(unknown.data[0]?.kind, 'scheduled-not-found');
});

test('large orders are split before the limit of a body', async () => {
  const { sizes, fetch } = observed(
    () => new Response(JSON.stringify({ success: true, recusados: 0, data: [] }), { status: 200 }),
  );
  const large = { ...created, observacao: 'x'.repeat(30_000) };
  await login({ fetch }).deliveries.createMany(Array(200).fill(large));
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    200,
  );
  assert.ok(sizes.length === 2 && sizes[0]! < 131, String(sizes));
});

test('when a later request fails, what was done before is reported, and the call may be repeated', async () => {
  const broken = (count: number) =>
    count === 2 ? new Response('{}', { status: 500, headers: { 'x-error-kind': 'bug' } }) : undefined;
  const { keys, fetch } = observed(broken);
  const orders = numbered(501);
  const failure = await login({ fetch })
    .deliveries.createMany(orders)
    .catch((error: unknown) => error);
  assert.ok(failure instanceof IncompleteBulkError);
  assert.equal(failure.done.data.length, 500);
  assert.deepEqual(keys, [`${failure.idempotencyKey}-1`, `${failure.idempotencyKey}-2`]);
  const count = async () => {
    const [row] = await malote.db<{ count: number }>`select count(*) from deliveries where central_id = 1`;
    return row!.count;
  };
  const before = await count();
  const { data } = await manager.deliveries.createMany(orders, { idempotencyKey: failure.idempotencyKey! });
  assert.equal(data.length, 501);
  assert.equal(await count(), before + 1);
});

test('a failure of the first request is the error itself', async () => {
  await assert.rejects(manager.deliveries.createMany([]), InvalidInputError);
  const { fetch } = observed(() => new Response('{}', { status: 429 }));
  await assert.rejects(login({ fetch, attempts: 1 }).deliveries.createMany([created]), LimitError);
});

test('all or nothing holds for one request', async () => {
  const wrong = { ...created, categoria_nome: 'Foguete' };
  await assert.rejects(manager.deliveries.createMany([created, wrong], { allOrNothing: true }), {
    kind: 'items-refused',
  });
  await assert.rejects(
    manager.deliveries.createMany(Array(501).fill(created), { allOrNothing: true }),
    RangeError,
  );
});

test('scheduled deliveries are made in bulk too', async () => {
  const { data } = await manager.scheduled.createMany([scheduled, scheduled]);
  assert.equal((await manager.obterProgramada(data[1]!.data!.id_mch)).situacao, 'A');
});
