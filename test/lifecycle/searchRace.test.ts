import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import { indexBatch, indexCentral, type Outcome } from '../../server/src/insight/search/indexCentral.ts';
import { type Database, openDatabase, type Tx } from '../../server/src/platform/postgres/database.ts';
import { citusNodes } from '../support/citus.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { db, clock, manager, connection } = malote;

/** To the database this is a separate process. */
const pools = [1, 2].map(() => {
  const isDistributed = citusNodes() !== undefined;
  const pool = openDatabase({ connection, poolSize: 2, onError: () => undefined, isDistributed });
  after(() => pool.close());
  return pool;
});

const TABLES = ['search_entries', 'search_words', 'search_progress'];

/** Restores the state before any process with a search has started. */
async function forgetIndex(): Promise<void> {
  for (const table of TABLES) await runText(db, `delete from ${table} where central_id = 1`, []);
}
beforeEach(forgetIndex);

async function readIndex(): Promise<string[]> {
  const entries = await db<{ text: string }>`
    select concat_ws(' ', noun, id, sequence, words) as text from search_entries where central_id = 1 order by 1`;
  const words = await db<{ text: string }>`
    select concat_ws(' ', noun, word, sound, buckets) as text from search_words where central_id = 1 order by 1`;
  return [...entries, ...words].map(({ text }) => text);
}

const orderFor = async (nome: string, telefone: string): Promise<number> => {
  const person = { ...stop(1), nome_cliente_parada: nome, telefone_cliente_parada: telefone };
  return Number(assertOk(await manager.post('/entregas', order({ paradas: [person] }))).body.data.id_mch);
};

/** Indexes until nothing is left, alongside another process that does the same. */
async function indexBeside(pool: Database, isOver: () => boolean): Promise<void> {
  for (let outcome: Outcome = 'more'; outcome !== 'done' || !isOver(); )
    outcome = await indexBatch({ db: pool, clock }, 1, { eventIds: [], scans: true });
}

test('two processes that index a central at once leave the index that one would', async () => {
  let isOver = false;
  const ordering = (async () => {
    for (let number = 0; number < 30; number += 1) {
      const id = await orderFor(`Pessoa ${number} Teixeira`, `5198888${1_000 + number}`);
      if (number % 3 === 0) await schedule(manager);
      if (number % 5 === 0)
        assertOk(
          await manager.put(
            `/entregas/${id}`,
            order({ paradas: [{ ...stop(2), nome_cliente_parada: `Outra ${number}` }] }),
          ),
        );
    }
    isOver = true;
  })();
  await Promise.all([ordering, ...pools.map((pool) => indexBeside(pool, () => isOver))]);
  const together = await readIndex();
  const [missing] = await db<{ count: number }>`
    select count(*) from deliveries d where central_id = 1 and not exists (
      select from search_entries e where e.central_id = 1 and e.noun = 'delivery' and e.id = d.id and e.sequence >= 0)`;
  assert.equal(missing!.count, 0);
  await forgetIndex();
  await indexCentral({ db, clock }, 1);
  const alone = await readIndex();
  assert.ok(alone.length > 60, `${alone.length} rows`);
  assert.deepEqual(together, alone);
});

/** Blocks everything that conflicts with the work until it is released; the work is rolled back. */
async function hold(work: (tx: Tx) => Promise<unknown>): Promise<{ release(): Promise<void> }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const undone = new Error('undone');
  const holding = db.begin(async (tx) => {
    await work(tx);
    held.resolve();
    await released.promise;
    throw undone;
  });
  holding.catch(held.reject);
  await held.promise;
  return {
    async release() {
      released.resolve();
      await assert.rejects(holding, undone);
    },
  };
}

/** Holds an indexing after it has read the order, when it writes its words. */
const holdWord = (word: string) =>
  hold(
    (tx) => tx`insert into search_words (central_id, noun, word, sound, variants, buckets)
      values (1, 'delivery', ${word}, '', '{}', '{}')`,
  );

/** Holds an erasure at its last step, which records it. */
const holdErasures = () => hold((tx) => runText(tx, 'lock table privacy_actions in share mode', []));

const traces = async (word: string): Promise<string[]> =>
  (await readIndex()).filter((text) => text.includes(word));

/** Creates an order of a person, ends it, and returns the data by which an erasure finds that person. */
async function endedOrderOf(nome: string, phone: string): Promise<{ cpf: null; phone: string }> {
  const id = await orderFor(nome, phone);
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  return { cpf: null, phone };
}

for (const isFirst of [false, true])
  test(`what is erased while it is being indexed ${isFirst ? 'for the first time ' : ''}is not found afterwards`, async () => {
    if (!isFirst) await indexCentral({ db, clock }, 1);
    const person = await endedOrderOf('Quiteria Xavantina', isFirst ? '51977770001' : '51977770002');
    const held = await holdWord('xavantina');
    const indexing = indexBatch({ db: pools[0]!, clock }, 1, { eventIds: [], scans: true });
    await waitUntil('the indexing has read the order', async () => (await countLockWaits(db)) === 1);
    let isErased = false;
    const erasing = erasePerson({ db: pools[1]!, clock }, 1, person, 'teste').then(({ stops }) => {
      isErased = true;
      return stops;
    });
    await waitUntil('the erasure waits', async () => isErased || (await countLockWaits(db)) === 2);
    await held.release();
    await indexing;
    assert.equal(await erasing, 1);
    assert.deepEqual(await traces('xavantina'), []);
    await indexCentral({ db, clock }, 1);
    assert.deepEqual(await traces('xavantina'), []);
    const [entry] = await db<{ count: number }>`
      select count(*) from search_entries where central_id = 1 and sequence < 0`;
    assert.equal(entry!.count, 0, 'the rest of it is indexed');
  });

for (const isFirst of [false, true])
  test(`an erasure that is under way ${isFirst ? 'before anything is indexed ' : ''}keeps nobody from indexing the rest later`, async () => {
    if (!isFirst) await indexCentral({ db, clock }, 1);
    const person = await endedOrderOf('Ursulina Yanomami', isFirst ? '51977770003' : '51977770004');
    const held = await holdErasures();
    const erasing = erasePerson({ db: pools[1]!, clock }, 1, person, 'teste');
    await waitUntil('the erasure is nearly done', async () => (await countLockWaits(db)) === 1);
    let outcome: Outcome | undefined;
    const indexing = indexBatch({ db: pools[0]!, clock }, 1, { eventIds: [], scans: true }).then((ended) => {
      outcome = ended;
    });
    await waitUntil(
      'the indexing is kept away',
      async () => outcome !== undefined || (await countLockWaits(db)) === 2,
    );
    await held.release();
    await Promise.all([erasing, indexing]);
    await indexCentral({ db, clock }, 1);
    assert.deepEqual(await traces('yanomami'), []);
    assert.equal((await traces('delivery')).length > 0, true);
  });
