import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeliveryFilter, findDeliveryPage } from '../../server/src/api/integration/deliveryJsonStore.ts';
import { wholeCentral } from '../../server/src/centrals/caller.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import { rowTexts } from '../../server/src/platform/postgres/rowTexts.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { copyDelivery } from '../support/states.ts';
import { assertOk, deliveryIn } from '../support/steps.ts';

// Pages are counted from the newest delivery, so a deep page skips all before it.
const HISTORY = 6_000;
const LIMIT = 20;
const DEEP = { limit: LIMIT, offset: 250 * LIMIT };

const malote = await startMalote();
const { db, manager } = malote;
const elsewhere = openDatabase({
  connection: malote.connection,
  poolSize: 4,
  onError: (error) => {
    throw error;
  },
});
test.after(() => elsewhere.close());

const { id: finished } = await deliveryIn(malote, 'finished');
await copyDelivery(db, finished, HISTORY);

test('a deep page is the one that counting gives, while others create deliveries and change them', async () => {
  const texts = rowTexts();
  const filters: DeliveryFilter[] = [{}, { statuses: ['finished'] }, { payment: 'cash' }];
  let ended = false;
  const create = async () => {
    while (!ended) assertOk(await manager.post('/entregas', order()));
  };
  // Changes which rows match the status and payment, before the page and after it.
  const change = async (remainder: number) => {
    for (let round = 0; !ended; round += 1)
      await elsewhere`
        update deliveries set status = case status when 'finished' then 'cancelled' else 'finished' end,
          payment = case payment when 'cash' then 'voucher' else 'cash' end,
          finished_at = cancelled_at, cancelled_at = finished_at,
          requested_at = requested_at + interval '1 second'
        where central_id = 1 and status in ('finished', 'cancelled') and id % 97 = ${(2 * round + remainder) % 97}`;
  };
  const compare = async (filter: DeliveryFilter) => {
    for (let round = 0; round < 8; round += 1)
      await elsewhere.begin(async (tx) => {
        await tx`set transaction isolation level repeatable read read only`;
        const page = await findDeliveryPage(tx, texts, wholeCentral(1), 'America/Sao_Paulo', filter, DEEP);
        const all = await runText<{ id: number; status: string; payment: string }>(
          tx,
          'select id, status, payment from deliveries where central_id = 1 order by requested_at desc, id desc',
          [],
        );
        const counted = all
          .filter(({ status }) => filter.statuses?.some((each) => each === status) ?? true)
          .filter(({ payment }) => filter.payment === undefined || payment === filter.payment)
          .slice(DEEP.offset, DEEP.offset + LIMIT);
        assert.deepEqual(
          page.map((text) => JSON.parse(text.toString()).id),
          counted.map(({ id }) => String(id)),
        );
      });
  };
  const writing = [create(), change(0), change(1)];
  try {
    for (const filter of filters) await compare(filter);
  } finally {
    ended = true;
    await Promise.all(writing);
  }
});
