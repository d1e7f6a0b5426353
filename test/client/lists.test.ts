import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Malote, type MaloteOptions } from '../../client/src/index.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
const login = (changes: Partial<MaloteOptions> = {}): Malote =>
  new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo', ...changes });
const manager = login();
const created = order() as Parameters<Malote['criarEntrega']>[0];
const scheduled = scheduledOrder() as Parameters<Malote['criarProgramada']>[0];

const made: string[] = [];
for (let count = 0; count < 7; count++) made.unshift((await manager.criarEntrega(created)).id_mch);

async function collected<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('all deliveries come one by one, over pages of any size, newest first', async () => {
  for (const pageSize of [1, 3, 7, 100]) {
    const found = await collected(manager.deliveries.all({}, { pageSize }));
    assert.deepEqual(found.map(({ id }) => id).slice(0, 7), made, String(pageSize));
  }
});

test('a filter holds on every page', async () => {
  await manager.cancelarEntrega(made[3]!, { motivo_id: 2 });
  const open = await collected(manager.deliveries.all({ status_solicitacao: 'D' }, { pageSize: 2 }));
  assert.ok(!open.some(({ id }) => id === made[3]));
  assert.ok(open.every(({ status_solicitacao: status }) => status === 'D'));
  assert.ok(open.length >= 6);
});

test('only the pages that are needed are read', async () => {
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests++;
    return fetch(input, init);
  };
  for await (const { id } of login({ fetch: counting }).deliveries.all({}, { pageSize: 2 }))
    if (id === made[1]) break;
  assert.equal(requests, 1);
});

test('a delivery that is opened meanwhile makes no other come twice', async () => {
  const found: string[] = [];
  for await (const { id } of manager.deliveries.all({}, { pageSize: 2 })) {
    found.push(id);
    if (found.length === 2) await manager.criarEntrega(created);
  }
  assert.equal(new Set(found).size, found.length);
  for (const id of made) assert.ok(found.includes(id), id);
});

test('changes come in their order, and go on from a stored cursor', async () => {
  let cursor: string | undefined;
  const seen: string[] = [];
  for await (const page of manager.deliveries.changes({}, { pageSize: 2, untilNow: true })) {
    assert.ok(page.rows.length > 0);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.cursor;
  }
  for (const id of made) assert.ok(seen.includes(id), id);
  assert.equal(new Set(seen).size, seen.length);

  await manager.cancelarEntrega(made[5]!, { motivo_id: 2 });
  const found: string[] = [];
  for await (const page of manager.deliveries.changes({}, { cursor, pollMs: 50 })) {
    found.push(...page.rows.map(({ id, status_solicitacao: status }) => `${id} ${status}`));
    if (found.length > 0) break;
  }
  assert.deepEqual(found, [`${made[5]} C`]);
  const { id_mch: id } = await manager.criarProgramada(scheduled);
  const waiting: string[] = [];
  for await (const { rows } of manager.scheduled.changes({}, { untilNow: true }))
    waiting.push(...rows.map((row) => row.id_mch_programada));
  assert.ok(waiting.includes(id));
});

test('waiting for changes ends when its signal is aborted', async () => {
  const stop = new AbortController();
  const reading = async () => {
    for await (const _ of manager.deliveries.changes({}, { signal: stop.signal }));
  };
  setTimeout(() => stop.abort(new Error('enough')), 300);
  await assert.rejects(reading(), /enough/);
});

test('a service without cursors is not read in part', async () => {
  const older: typeof fetch = async (input, init) => {
    const { proximo_cursor: _, ...answer } = (await (await fetch(input, init)).json()) as Record<
      string,
      unknown
    >;
    return new Response(JSON.stringify(answer));
  };
  await assert.rejects(collected(login({ fetch: older }).deliveries.all()), /older than this client/);
});

test('a list ends when its signal is aborted', async () => {
  const stop = new AbortController();
  const reading = async () => {
    for await (const _ of manager.deliveries.all({}, { pageSize: 1, signal: stop.signal }))
      stop.abort(new Error('enough'));
  };
  await assert.rejects(reading(), /enough/);
});

test('scheduled deliveries, webhooks and what was sent to them are listed alike', async () => {
  const ids = [await manager.criarProgramada(scheduled), await manager.criarProgramada(scheduled)];
  const waiting = await collected(manager.scheduled.all({}, { pageSize: 1 }));
  assert.deepEqual(
    waiting.map(({ id_mch_programada: id }) => id).slice(0, 2),
    ids.map(({ id_mch: id }) => id).reverse(),
  );
  const { id } = await manager.criarWebhook({
    url: 'https://loja.example/malote',
    tipos: ['entrega.status'],
  });
  assert.deepEqual(
    (await collected(manager.webhooks.all())).map((webhook) => webhook.id),
    [id],
  );
  await manager.testarWebhook(id);
  const messages = await collected(manager.webhooks.messages(id));
  assert.deepEqual(
    messages.map(({ tipo }) => tipo),
    ['webhook.teste'],
  );
});
