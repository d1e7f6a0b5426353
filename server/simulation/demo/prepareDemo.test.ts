import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { findCurrentSetId } from '../../src/geo/geocoding/embedded/lookupStore.ts';
import { systemClock } from '../../src/platform/kernel/clock.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { removeDemoAccess } from './demoAccess.ts';
import { makeDemo } from './makeDemo.ts';
import { prepareDemo } from './prepareDemo.ts';

async function emptyDatabase() {
  const connection = await testDatabase();
  const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
  after(() => db.close());
  return { db, clock: systemClock };
}

test('a start that ended before the addresses were loaded is completed by the next one', async () => {
  const deps = await emptyDatabase();
  assert.equal(await makeDemo(deps, 'empty'), true);
  assert.equal(await findCurrentSetId(deps.db), null);
  assert.equal(await prepareDemo(deps, 'empty'), true);
  const loaded = await findCurrentSetId(deps.db);
  assert.notEqual(loaded, null);
  await prepareDemo(deps, 'empty');
  assert.equal(await findCurrentSetId(deps.db), loaded, 'once');
});

test('nothing is loaded after its logins were removed', async () => {
  const deps = await emptyDatabase();
  await makeDemo(deps, 'empty');
  await removeDemoAccess(deps);
  assert.equal(await prepareDemo(deps, 'empty'), false);
  assert.equal(await findCurrentSetId(deps.db), null);
});

test('the full demonstration has a default pickup for each company', async () => {
  const deps = await emptyDatabase();
  await prepareDemo(deps, 'full');
  const rows = await deps.db<{ company_id: number; address: string }>`
    select company_id, address from company_addresses
    where central_id = 1 and is_default order by company_id`;
  assert.deepEqual(rows, [
    { company_id: 1, address: 'Rua Padre Chagas, 185' },
    { company_id: 2, address: 'Rua dos Andradas, 1234' },
    { company_id: 3, address: 'Rua General Lima e Silva, 640' },
    { company_id: 4, address: 'Avenida Cristóvão Colombo, 900' },
    { company_id: 5, address: 'Avenida Farrapos, 1200' },
  ]);
});

test('the Friday is the full demonstration with a busy evening, which others have not', async () => {
  const fridayOf = async (content: 'full' | 'friday') => {
    const deps = await emptyDatabase();
    await prepareDemo(deps, content);
    return deps.db<{ friday: boolean }>`
      select coalesce((settings ->> 'simulatedFriday')::boolean, false) as friday from centrals order by id`;
  };
  assert.deepEqual(await fridayOf('friday'), [{ friday: true }, { friday: false }]);
  assert.deepEqual(await fridayOf('full'), [{ friday: false }, { friday: false }]);
});
