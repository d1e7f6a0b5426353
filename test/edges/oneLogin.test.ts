import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { type Answer, type Client, client } from '../support/client.ts';
import { countStatements } from '../support/countStatements.ts';
import { assertFailure } from '../support/envelope.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

// What one login asks for must not stop the others. A locked table makes requests wait for as long as a test needs.

const malote = await startMalote();
const { operator, db, connection, url } = malote;
const OPERATION = '/api/v2/operacao';
const login = (user: string, key = 'demo-chave'): Client =>
  client(url + OPERATION, { key, user, password: 'demo' });
const manager = login('gerente');

await db`
  insert into company_entries (central_id, id, company_id, kind, amount_cents, day, created_at)
  select 1, 5000000 + n, 1, 'cash', -1, '2026-11-16'::date, ${malote.clock.now()}::timestamptz
  from generate_series(1, 1200) n`;
const closing = assertOk(await operator.post('/empresas/1/fechamentos', { ate: '2026-11-16' })).body.data;
const FILE = `/fechamentos/${closing.id}/arquivo`;

/** Keeps everybody from reading a table until the returned function is called, or the test ends. */
async function lockTable(t: TestContext, table: string): Promise<() => Promise<void>> {
  const session = new pg.Client(connection);
  await session.connect();
  t.after(() => session.end());
  await session.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => void (await session.query('rollback'));
}

const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);
const figure = async (name: string): Promise<number> => {
  const text = await fetch(`${url}/metrics`).then((answer) => answer.text());
  return Number(new RegExp(`^malote_heavy_${name} (\\d+)$`, 'm').exec(text)![1]);
};
const isBusy = async () => (await figure('requests')) > 0;
const untilOver = () => waitUntil('nothing is in progress', async () => !(await isBusy()));

test('GET /fechamentos/:id/arquivo: a login has so many in progress, and two at work; others are answered', async (t) => {
  const unlock = await lockTable(t, 'company_entries');
  let first: Answer[] = [];
  const asked = times(40, () =>
    manager.get(`${FILE}?formato=pdf`).then((answer) => {
      first.push(answer);
      return answer;
    }),
  );
  await waitUntil('some are refused', () => first.length === 16);
  const refused = first;
  first = [];
  for (const answer of refused) {
    assertFailure(answer, 503, 0);
    assert.match(answer.body.errors[0].message, /arquivos demais em andamento/);
    assert.equal(answer.headers.get('x-error-kind'), 'too-much-at-once');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  const english = await manager.get(FILE, { 'accept-language': 'en' });
  assertFailure(english, 503, 0);
  assert.match(english.body.errors[0].message, /too many queries and files are in progress/);
  await waitUntil('two parts read', async () => (await countLockWaits(db)) === 2);
  // Other logins, and everything else of this one.
  assertOk(await operator.post('/entregas/consultar', {}));
  assertOk(await manager.get('/fechamentos'));
  await unlock();
  const answered = (await Promise.all(asked)).filter(({ status }) => status === 200);
  assert.equal(answered.length, 24);
  const contents = new Set(answered.map(({ body }) => Buffer.from(body.data.conteudo, 'base64').length));
  assert.equal(contents.size, 1);
  await untilOver();
});

test('clients that leave free their places and their turns, and no more is read for them', async (t) => {
  const unlock = await lockTable(t, 'company_entries');
  const leaving = new AbortController();
  const asked = times(24, () =>
    fetch(url + OPERATION + FILE, {
      headers: {
        'api-key': 'demo-chave',
        authorization: `Basic ${Buffer.from('gerente:demo').toString('base64')}`,
      },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  await waitUntil('all have come', async () => (await figure('requests')) === 24);
  leaving.abort();
  await Promise.all(asked);
  await untilOver();
  assert.equal(await figure('work_waiting'), 0);
  await unlock();
  await waitUntil('the statements have ended', async () => (await figure('work_running')) === 0);
  await waitUntil('every connection is free', () => malote.db.pool.idleCount === malote.db.pool.totalCount);
  assertOk(await manager.get(`${FILE}?formato=csv`));
});

test('files, lists, searches, reports and what is done to many are bounded, and live views shared', () => {
  const own = everyEndpoint.filter(({ base }) => base === OPERATION);
  const namesOf = (some: typeof own) => some.map(({ name }) => name);
  const isWide = /\/(consultar|exportar|arquivo)$|^\/(relatorios\/|busca$)/;
  const ofMany = /^\/entregas\/[a-z-]+$/;
  const wide = own.filter(
    ({ endpoint: { path, countsItems } }) => isWide.test(path) || (countsItems && ofMany.test(path)),
  );
  assert.ok(wide.length > 25);
  assert.deepEqual(namesOf(own.filter(({ endpoint }) => endpoint.isHeavy)), namesOf(wide));
  const live = ['/resumo', '/entregas/abertas', '/condutores/posicoes'];
  const shared = own.filter(({ endpoint: { method, path } }) => method === 'GET' && live.includes(path));
  assert.deepEqual(namesOf(own.filter(({ endpoint }) => endpoint.isShared)), namesOf(shared));
});

test('POST /entregas/consultar and GET /busca: bounded for each login', async (t) => {
  for (const [table, ask] of [
    ['deliveries', () => manager.post('/entregas/consultar', { contar: true })],
    ['search_words', () => manager.get('/busca?texto=avenidda')],
  ] as const) {
    const unlock = await lockTable(t, table);
    const answers: Answer[] = [];
    const asked = times(30, () => ask().then((answer) => void answers.push(answer)));
    await waitUntil(`some are refused: ${table}`, () => answers.length >= 6);
    for (const answer of answers) assert.equal(answer.headers.get('x-error-kind'), 'too-much-at-once');
    await unlock();
    await Promise.all(asked);
    assert.equal(answers.filter(({ status }) => status === 200).length, 24);
    await untilOver();
  }
});

test('GET /entregas/abertas: many at once share an answer, and each scope has its own', async (t) => {
  const mine = await openDelivery(malote);
  const logins: [name: string, login: Client, sees: boolean][] = [
    ['the operator', operator, true],
    ['the manager of the company', manager, true],
    ['the manager of another company', login('gerente2'), false],
    ['another central', login('vizinha', 'demo-vizinha'), false],
  ];
  const unlock = await lockTable(t, 'deliveries');
  const { result: answers, statements } = await countStatements(async () => {
    const asked = logins.flatMap(([name, who, sees]) =>
      times(15, async () => ({ name, sees, ...(await who.get('/entregas/abertas')) })),
    );
    await waitUntil('the runs have begun', async () => (await countLockWaits(db)) >= 3);
    await unlock();
    return Promise.all(asked);
  });
  // Only the list of open deliveries has this column. Each scope has one run, one that all share who came while it ran,
  // and a few for those who came later still.
  const runs = statements.filter(({ text }) => text.includes('is_pickup_unsure')).length;
  assert.ok(runs < answers.length / 2, `${runs} runs for ${answers.length} answers`);
  for (const { name, sees, ...answer } of answers) {
    const ids = assertOk(answer).body.data.map(({ id }: { id: string }) => Number(id));
    assert.equal(ids.includes(mine.id), sees, name);
  }
});

test('GET /entregas/abertas and GET /resumo: a caller sees its own change, however many others ask', async () => {
  const isOver = { now: false };
  const others = times(8, async () => {
    while (!isOver.now) await operator.get('/entregas/abertas');
  });
  try {
    for (let round = 0; round < 10; round += 1) {
      const before = assertOk(await operator.get('/resumo')).body.data.entregas;
      const { id } = await openDelivery(malote);
      const [board, after] = await Promise.all([operator.get('/entregas/abertas'), operator.get('/resumo')]);
      assert.ok(assertOk(board).body.data.some((each: { id: string }) => Number(each.id) === id));
      const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
      assert.equal(sum(assertOk(after).body.data.entregas), sum(before) + 1);
    }
  } finally {
    isOver.now = true;
    await Promise.all(others);
  }
});
