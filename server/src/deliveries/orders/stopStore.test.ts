import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../../../../test/support/malote.ts';
import { runText } from '../../../../test/support/runText.ts';
import { schedule } from '../../../../test/support/scheduled.ts';
import { openDelivery } from '../../../../test/support/steps.ts';

const malote = await startMalote();

/** The two tables of stops, and a request with three of them. */
const CARRIERS = [
  ['stops', 'delivery_id', async () => (await openDelivery(malote, {}, 3)).id],
  ['scheduled_stops', 'scheduled_id', () => schedule(malote.manager, {}, 3)],
] as const;

for (const [table, carrier, newRequest] of CARRIERS) {
  const change = (sql: string, id: number) =>
    malote.db.begin((tx) => runText(tx, sql.replace('THESE', `central_id = 1 and ${carrier} = $1`), [id]));
  const positions = async (id: number): Promise<number[]> => {
    const rows = await runText<{ position: number }>(
      malote.db,
      `select position from ${table} where central_id = 1 and ${carrier} = $1 order by position`,
      [id],
    );
    return rows.map(({ position }) => position);
  };

  test(`${table}: a gap in the positions is refused at the commit, whatever caused it`, async () => {
    const id = await newRequest();
    const gap = { code: '23514', message: new RegExp(`^stops of \\w+ ${id} leave a gap$`) };
    await assert.rejects(change(`delete from ${table} where THESE and position = 1`, id), gap);
    await assert.rejects(change(`update ${table} set position = 3 where THESE and position = 2`, id), gap);
    assert.deepEqual(await positions(id), [0, 1, 2]);
  });

  test(`${table}: two stops at one position are refused at the commit`, async () => {
    const id = await newRequest();
    await assert.rejects(change(`update ${table} set position = 1 where THESE and position = 2`, id), {
      code: '23505',
      constraint: `${table}_one_per_position`,
    });
  });

  test(`${table}: a new order may be written row by row, and the last stop may go`, async () => {
    const id = await newRequest();
    await change(`update ${table} set position = 2 - position where THESE`, id);
    await change(`delete from ${table} where THESE and position = 2`, id);
    assert.deepEqual(await positions(id), [0, 1]);
  });

  test(`${table}: a stop that moves leaves no gap behind`, async () => {
    const [from, to] = [await newRequest(), await newRequest()];
    const move = (position: number) =>
      malote.db.begin((tx) =>
        runText(
          tx,
          `update ${table} set ${carrier} = $2, position = 3 where central_id = 1 and ${carrier} = $1 and position = $3`,
          [from, to, position],
        ),
      );
    await assert.rejects(move(0), { message: new RegExp(`${from} leave a gap`) });
    await move(2);
    assert.deepEqual(
      [await positions(from), await positions(to)],
      [
        [0, 1],
        [0, 1, 2, 3],
      ],
    );
  });

  test(`${table}: inserted stops must follow on others, at the commit`, async () => {
    const id = await newRequest();
    /** Inserts each list in a separate statement. */
    const insert = (...statements: number[][]) =>
      malote.db.begin(async (tx) => {
        for (const given of statements)
          await runText(
            tx,
            `insert into ${table} select (jsonb_populate_record(s, jsonb_build_object('id', s.id + 900000 + place,
               'position', place, 'tracking_token', concat('of-', s.id, '-', place)))).*
             from ${table} s, unnest($2::integer[]) as place
             where s.central_id = 1 and s.${carrier} = $1 and s.position = 0`,
            [id, given],
          );
      });
    const gap = { code: '23514', message: new RegExp(`^stops of \\w+ ${id} leave a gap$`) };
    await assert.rejects(insert([4]), gap);
    await assert.rejects(insert([4, 5]), gap);
    await assert.rejects(insert([3, 5]), gap);
    await assert.rejects(insert([3], [5]), gap);
    assert.deepEqual(await positions(id), [0, 1, 2]);
    await insert([4, 6], [5, 3]);
    assert.deepEqual(await positions(id), [0, 1, 2, 3, 4, 5, 6]);
  });
}
