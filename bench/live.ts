import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDemo } from '../server/simulation/demo/makeDemo.ts';
import { recordDeliveryEvent } from '../server/src/deliveries/deliveries/stepStore.ts';
import { serviceActor } from '../server/src/events/record/event.ts';
import { writeToken } from '../server/src/platform/kernel/centralToken.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { answers, basic, onOwnGround, residentMegabytes, watchMemory } from './service.ts';

const PORT = 29_111;
const LISTENERS = 1_000;
const OPERATORS = 100;
const CHANGES_PER_SECOND = 200;
const SECONDS = 20;
const P99_AIM_MS = 500;

/** Measures how long a committed change takes to reach its watchers, and how much memory a thousand watchers take. */
export const run = (): Promise<void> =>
  onOwnGround(8, async ({ db, startMalote }) => {
    await makeDemo({ db, clock: systemClock }, 'empty');
    const ids = await openDeliveries(db, LISTENERS);
    const service = startMalote(['serve', '--no-work'], { PORT: String(PORT), MALOTE_LOG: 'warn' });
    await answers(PORT);
    console.log(`${LISTENERS} listeners, ${CHANGES_PER_SECOND} changes a second for ${SECONDS} s\n`);
    await measure('recipients of their own stop, and 100 operators', db, service, ids, (index) =>
      index < OPERATORS ? watchCentral(true) : watchStop(index - OPERATORS, ids),
    );
    await measure('all of them operators of one central', db, service, ids, (index) =>
      watchCentral(index % 10 === 0),
    );
  });

interface Watching {
  path: string;
  /** False where everyone watches everything: parsing each message here would cost more than sending it there. */
  isMeasured: boolean;
  headers: Record<string, string>;
  /** The changes that a piece of the stream reports, by their names in `changedAt`. */
  changesIn(text: string): string[];
}

const watchCentral = (isMeasured: boolean): Watching => ({
  isMeasured,
  path: '/api/v2/operacao/eventos',
  headers: { 'api-key': 'demo-chave', authorization: basic('central') },
  changesIn: (text) =>
    [...text.matchAll(/"data":\{"id":"(\d+)","sequencia":(\d+)/g)].map(
      ([, id, sequence]) => `${id}.${sequence}`,
    ),
});

/** A tracking page's messages carry no numbers; there is one per change. */
function watchStop(index: number, ids: readonly number[]): Watching {
  let delayed = -1;
  return {
    isMeasured: true,
    path: `/rastreio/${writeToken({ centralId: 1, secret: tokenOf(index) })}/eventos`,
    headers: {},
    changesIn: (text) =>
      [...text.matchAll(/^event: status$/gm)].flatMap(() => {
        delayed += 1;
        const first = firstSequence.get(ids[index]!) ?? 0;
        return delayed === 0 ? [] : [`${ids[index]}.${first + delayed}`];
      }),
  };
}

const changedAt = new Map<string, number>();
const sequences = new Map<number, number>();
/** Each delivery's event number when it began to be watched. */
const firstSequence = new Map<number, number>();

async function measure(
  name: string,
  db: Database,
  service: ChildProcess,
  ids: readonly number[],
  watching: (index: number) => Watching,
): Promise<void> {
  changedAt.clear();
  for (const id of ids) firstSequence.set(id, sequences.get(id) ?? 0);
  const latencies: number[] = [];
  let bytes = 0;
  const closers = await Promise.all(
    Array.from({ length: LISTENERS }, (_, index) =>
      listen(watching(index), (changes, size) => {
        const now = performance.now();
        bytes += size;
        for (const change of changes) latencies.push(now - changedAt.get(change)!);
      }),
    ),
  );
  const before = residentMegabytes(service);
  const memory = watchMemory(service);
  await sleep(1_000);
  latencies.length = 0;
  bytes = 0;
  const made = await makeChanges(db, ids);
  await sleep(2_000);
  const dropped = closers.filter((closer) => closer.isOver()).length;
  for (const { close } of closers) close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const p99 = at(0.99);
  console.log(`${name}`);
  console.log(
    `  ${made} changes made, ${latencies.length} arrivals measured, ${Math.round(bytes / SECONDS / 1024)} KiB a second`,
  );
  console.log(
    `  from commit to listener: p50 ${at(0.5).toFixed(0)} ms   p99 ${p99.toFixed(0)} ms   most ${at(1).toFixed(0)} ms   (aim: p99 at most ${P99_AIM_MS} ms)${p99 > P99_AIM_MS ? '  ABOVE THE AIM' : ''}`,
  );
  console.log(
    `  memory of the service: ${before} MB with all connected, ${memory.peakMegabytes()} MB at most; dropped: ${dropped}\n`,
  );
  await sleep(1_000);
}

/** Makes changes at an even rate, each in its own transaction. The time counts from the moment before its commit. */
async function makeChanges(db: Database, ids: readonly number[]): Promise<number> {
  const begun = performance.now();
  const underWay = new Set<Promise<void>>();
  let made = 0;
  for (; made < CHANGES_PER_SECOND * SECONDS; made += 1) {
    const wait = begun + (made * 1000) / CHANGES_PER_SECOND - performance.now();
    if (wait > 1) await sleep(wait);
    const change: Promise<void> = changeOne(db, ids[made % ids.length]!).finally(() =>
      underWay.delete(change),
    );
    underWay.add(change);
  }
  await Promise.all(underWay);
  return made;
}

async function changeOne(db: Database, id: number): Promise<void> {
  const sequence = (sequences.get(id) ?? 0) + 1;
  sequences.set(id, sequence);
  const status = sequence % 2 ? 'offered' : 'distributing';
  await db.begin(async (tx) => {
    await tx`update deliveries set status = ${status} where central_id = 1 and id = ${id}`;
    const event = { deliveryId: id, type: 'delivery.status', payload: { status } } as const;
    await recordDeliveryEvent(tx, 1, event, serviceActor(systemClock.now()));
    changedAt.set(`${id}.${sequence}`, performance.now());
  });
}

function listen(
  { path, headers, isMeasured, changesIn }: Watching,
  onChanges: (changes: string[], bytes: number) => void,
): Promise<{ close(): void; isOver(): boolean }> {
  return new Promise((resolve, reject) => {
    let over = false;
    const request = get({ port: PORT, path, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${path} answers ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (!isMeasured) return onChanges([], chunk.length);
        const text = rest + chunk;
        const end = text.lastIndexOf('\n\n') + 2;
        rest = text.slice(end);
        onChanges(changesIn(text.slice(0, end)), chunk.length);
      });
      response.on('close', () => {
        over = true;
      });
      response.on('error', () => {});
      resolve({ close: () => request.destroy(), isOver: () => over });
    });
    request.on('error', reject);
  });
}

const tokenOf = (index: number): string => `bench-live-token-${String(index).padStart(6, '0')}`;

/** Opens deliveries of one stop each, with known tokens. */
async function openDeliveries(db: Database, count: number): Promise<number[]> {
  return db.begin(async (tx) => {
    const ids = await tx.newIds(1, 'delivery', count);
    const stopIds = await tx.newIds(1, 'stop', count);
    await tx`
      insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
        has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng,
        planned_metres, planned_seconds, gross_cents, net_cents, requested_at)
      select 1, new.id, 'distributing', 1, customer.id, tariff.category_id, tariff.id, 'cash', false,
        'Rua dos Andradas, ' || n, 'Centro Histórico', 'Porto Alegre', 'RS', -30.03, -51.23, 3000, 600, 900, 900,
        ${systemClock.now()}
      from unnest(${ids}::bigint[]) with ordinality as new (id, n)
      cross join lateral (select id, category_id from tariffs where central_id = 1 order by id limit 1) tariff
      join customers customer on customer.central_id = 1 and customer.company_id = 1`;
    await tx`
      insert into stops (central_id, id, delivery_id, ordered_with, position, address, district, city, state, lat, lng,
        order_number, tracking_token)
      select 1, stop_id, id, id, 0, 'Avenida Ipiranga, 1', 'Azenha', 'Porto Alegre', 'RS', -30.04, -51.21,
        'P-' || id, token
      from unnest(${ids}::bigint[], ${stopIds}::bigint[], ${ids.map((_, index) => tokenOf(index))}::text[])
        as t (id, stop_id, token)`;
    return ids;
  });
}
