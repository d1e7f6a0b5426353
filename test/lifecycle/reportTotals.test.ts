import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countCentral, rebuildTotals } from '../../server/src/insight/reports/keepTotals.ts';
import type { Answer } from '../support/client.ts';
import { at, groupDeliveries, start, stopsOf } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { readTotals } from '../support/reportTotals.ts';
import { keepTotals } from '../support/rounds.ts';
import { runText } from '../support/runText.ts';
import { dispatched } from '../support/scheduled.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock, db } = malote;
const { deps } = malote.app;

/** A random sequence that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const isDone = ({ status }: Answer): boolean => status === 200;

/** Visits the remaining stops. Some visits are reported later by a phone, and some fail. */
async function visit(id: number, some: (below: number) => number): Promise<void> {
  for (const stop of await stopsOf(malote, { noun: 'delivery', id })) {
    clock.advance({ minutes: 1 + some(40) });
    const path = `/entregas/${id}/paradas/${stop.id}`;
    const when =
      some(3) === 0
        ? {
            ocorrido_em: clock
              .now()
              .subtract({ seconds: some(50) })
              .toString(),
          }
        : {};
    if (some(4) === 0) {
      const motivo = ['ausente', 'endereco_errado', 'recusado', 'outro'][some(4)];
      if (isDone(await operator.post(`${path}/falhar`, { motivo, ...when }))) continue;
    }
    await operator.post(`${path}/concluir`, when);
  }
  // Stops that failed for now are tried again, and goods that are to be returned are returned.
  for (const stop of await stopsOf(malote, { noun: 'delivery', id }))
    await operator.post(`/entregas/${id}/paradas/${stop.id}/concluir`, {});
  await operator.post(`/entregas/${id}/finalizar`, {});
}

for (const seed of [1, 2])
  test(`after a mixed day (${seed}) the totals are those of a rebuild from the deliveries`, async () => {
    const some = numbers(seed);
    clock.set(`2026-11-1${5 + seed}T23:00:00Z`);
    for (let number = 0; number < 24; number += 1) {
      clock.advance({ minutes: some(45) });
      const kind = some(6);
      if (kind === 0) {
        const { id } = await openDelivery(malote);
        assertOk(await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 1 + some(3) }));
      } else if (kind === 1) {
        const [carrier, other] = [await start(malote, at(some(5))), await start(malote, at(5 + some(4)))];
        assertOk(await groupDeliveries(malote, carrier, [other]));
        // One of two groups loses its second delivery again.
        if (some(2)) await malote.manager.post(`/entregas/${other}/cancelar`, { motivo_id: 2 });
        await visit(carrier, some);
      } else if (kind === 2) {
        const { deliveryId } = await dispatched(malote, {
          data: clock
            .now()
            .toZonedDateTimeISO('America/Sao_Paulo')
            .add({ hours: 2 })
            .toPlainDate()
            .toString()
            .split('-')
            .reverse()
            .join('/'),
          hora: clock
            .now()
            .toZonedDateTimeISO('America/Sao_Paulo')
            .add({ hours: 2 })
            .toPlainTime()
            .toString({ smallestUnit: 'second' }),
        });
        const condutor_id = await newDriver(malote);
        assertOk(await operator.post(`/entregas/${deliveryId}/aceitar`, { condutor_id }));
        assertOk(await operator.post(`/entregas/${deliveryId}/iniciar`));
        await visit(deliveryId, some);
      } else {
        const id = await start(malote, at(...Array.from({ length: 1 + some(3) }, (_, index) => index)));
        if (kind === 3)
          assertOk(
            await operator.post(`/entregas/${id}/reatribuir`, {
              condutor_id: await newDriver(malote),
              motivo: 'Pneu furado',
            }),
          );
        await visit(id, some);
      }
      // Counted now and then, by one process or by two at once.
      if (some(3) === 0) await Promise.all([keepTotals(deps), countCentral(deps, 1)]);
    }
    await keepTotals(deps);
    const kept = await readTotals(db);
    assert.ok(kept.length > 20, `${kept.length} rows`);
    const [ended] = await db<{ count: number }>`
      select count(*) as count from deliveries
      where central_id = 1 and status in ('finished', 'cancelled', 'not_attended')`;
    const [counted] = await db<{ count: number }>`
      select sum(finished + cancelled + not_attended)::bigint as count from report_days
      where central_id = 1 and kind = 'total'`;
    assert.equal(counted!.count, ended!.count);
    assert.equal(await rebuildTotals(deps, 1), ended!.count);
    assert.deepEqual(await readTotals(db), kept);
  });

test('a delivery that ends while the history is counted again is counted once', async () => {
  const before = await start(malote, at(0));
  await db`update report_states set is_complete = false, counted_to = 0 where central_id = 1`;
  for (const table of ['report_days', 'report_hours', 'report_reasons'])
    await runText(db, `delete from ${table} where central_id = 1`, []);
  await visit(before, () => 1);
  await Promise.all([keepTotals(deps), keepTotals(deps)]);
  await keepTotals(deps);
  const kept = await readTotals(db);
  await rebuildTotals(deps, 1);
  assert.deepEqual(await readTotals(db), kept);
});
