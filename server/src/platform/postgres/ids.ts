import type pg from 'pg';
import { lruCache } from '../kernel/lru.ts';

/**
 * The nouns that have ids, and the size of their first block. Records that people register get their ids one by one, so
 * that ids follow the order of creation and a restart leaves no gap.
 */
const FIRST_BLOCK = {
  address: 1,
  area: 1,
  audit: 8,
  category: 1,
  closing: 1,
  company: 1,
  company_entry: 8,
  coupon: 1,
  customer: 8,
  delivery: 8,
  driver: 1,
  driver_entry: 8,
  entry: 8,
  event: 8,
  handover: 1,
  key: 1,
  merge: 1,
  offer: 8,
  plan: 1,
  sandbox_key: 1,
  request: 8,
  saved_view: 1,
  scheduled: 8,
  stop: 8,
  tariff: 1,
  user: 1,
  webhook: 1,
} as const;

export type IdNoun = keyof typeof FIRST_BLOCK;

/** Central 1 counts from 1, central 2 from 10,000,001, and so on. */
const IDS_PER_CENTRAL = 10_000_000;
const BLOCK_MAX = 1_024;
/** A block that is used up sooner is followed by one of twice its size, otherwise by one of half its size. */
const BLOCK_LASTS_MS = 10_000;
/** Counters kept in memory. A counter that is dropped leaves a gap in its ids. */
const COUNTERS_MAX = 50_000;

interface Waiting {
  count: number;
  resolve(ids: number[]): void;
  reject(error: unknown): void;
}

interface Counter {
  centralId: number;
  noun: IdNoun;
  /** Ids that are reserved and not yet handed out, ascending; the end is excluded. */
  ranges: { next: number; end: number }[];
  blockSize: number;
  /** Undefined before the first block. */
  reservedAt: number | undefined;
  waiting: Waiting[];
}

export interface IdAllocator {
  /** Unique ids, ascending. Ids of a transaction that is rolled back are not reused. */
  newIds(centralId: number, noun: IdNoun, count: number): Promise<number[]>;
  /** Gives back reserved ids that were not handed out, where no other process has reserved ids after them. */
  giveBack(): Promise<void>;
}

export const newId = async (
  { newIds }: Pick<IdAllocator, 'newIds'>,
  centralId: number,
  noun: IdNoun,
): Promise<number> => (await newIds(centralId, noun, 1))[0]!;

/**
 * Hands out ids from blocks that this process reserved in the table id_counters, per central and noun.
 *
 * The allocator has a separate pool. A reservation commits by itself, so that no transaction keeps a counter locked. It
 * never waits for connections held by transactions that wait for ids. Requests made during a reservation are served by
 * the next one, which is one statement for all counters. One connection is therefore enough.
 */
export function allocateIds(pool: pg.Pool, nowMs: () => number = () => performance.now()): IdAllocator {
  const counters = lruCache<string, Counter>(COUNTERS_MAX);
  let wanting = new Set<Counter>();
  let reserving: Promise<void> | undefined;

  const counterOf = (centralId: number, noun: IdNoun): Counter => {
    const key = `${noun} ${centralId}`;
    const known = counters.get(key);
    if (known) return known;
    const counter: Counter = {
      centralId,
      noun,
      ranges: [],
      blockSize: FIRST_BLOCK[noun],
      reservedAt: undefined,
      waiting: [],
    };
    counters.set(key, counter);
    return counter;
  };

  const reserveAll = async (): Promise<void> => {
    while (wanting.size > 0) {
      await endOfTurn();
      const asking = [...wanting].sort(byKey);
      wanting = new Set();
      const asked = asking.map((counter) => ({ counter, count: blockFor(counter, nowMs()) }));
      try {
        const ends = await reserve(pool, asked);
        asked.forEach(({ counter, count }, index) => {
          const end = ends[index]!;
          counter.ranges.push({ next: end - count, end });
          serve(counter);
          if (counter.waiting.length > 0) wanting.add(counter);
        });
      } catch (error) {
        for (const { waiting } of asking) for (const { reject } of waiting.splice(0)) reject(error);
      }
    }
    reserving = undefined;
  };

  return {
    newIds(centralId, noun, count) {
      const counter = counterOf(centralId, noun);
      if (counter.waiting.length === 0 && left(counter) >= count)
        return Promise.resolve(take(counter, count));
      const { promise, resolve, reject } = Promise.withResolvers<number[]>();
      counter.waiting.push({ count, resolve, reject });
      // A counter with a reservation in progress is served, or requested again, when that has ended.
      if (counter.waiting.length === 1) wanting.add(counter);
      reserving ??= reserveAll();
      return promise;
    },
    async giveBack() {
      await reserving;
      const unused = [...counters.values()].filter((counter) => left(counter) > 0);
      counters.clear();
      if (unused.length > 0) await release(pool, unused.sort(byKey));
    },
  };
}

const left = ({ ranges }: Counter): number => ranges.reduce((sum, { next, end }) => sum + end - next, 0);

function take({ ranges }: Counter, count: number): number[] {
  const ids: number[] = [];
  while (ids.length < count) {
    const range = ranges[0]!;
    while (ids.length < count && range.next < range.end) ids.push(range.next++);
    if (range.next === range.end) ranges.shift();
  }
  return ids;
}

function serve(counter: Counter): void {
  let served = 0;
  for (const { count, resolve } of counter.waiting) {
    if (left(counter) < count) break;
    resolve(take(counter, count));
    served += 1;
  }
  counter.waiting.splice(0, served);
}

/** How many ids to reserve for the waiting requests. */
function blockFor(counter: Counter, now: number): number {
  const { reservedAt, blockSize, noun } = counter;
  counter.reservedAt = now;
  if (reservedAt !== undefined)
    counter.blockSize =
      now - reservedAt < BLOCK_LASTS_MS
        ? Math.min(BLOCK_MAX, blockSize * 2)
        : Math.max(FIRST_BLOCK[noun], blockSize / 2);
  const wanted = counter.waiting.reduce((sum, { count }) => sum + count, 0);
  return Math.max(counter.blockSize, wanted - left(counter));
}

// All processes lock counters in this order.
const byKey = (counter: Counter, other: Counter): number =>
  counter.centralId - other.centralId || (counter.noun < other.noun ? -1 : 1);

/** Returns the end of each reserved block, in the order of `asked`. */
async function reserve(
  pool: pg.Pool,
  asked: readonly { counter: Counter; count: number }[],
): Promise<number[]> {
  const { rows } = await pool.query<{ central_id: number; noun: IdNoun; next: number }>({
    name: 'reserve ids',
    text: `
      insert into id_counters (central_id, noun, next)
      select central_id, noun, (central_id - 1) * ${IDS_PER_CENTRAL} + 1 + count
      from unnest($1::bigint[], $2::text[], $3::bigint[]) as asked (central_id, noun, count)
      on conflict (central_id, noun) do update
        set next = id_counters.next + excluded.next - ((excluded.central_id - 1) * ${IDS_PER_CENTRAL} + 1)
      returning central_id, noun, next`,
    values: [
      asked.map(({ counter }) => counter.centralId),
      asked.map(({ counter }) => counter.noun),
      asked.map(({ count }) => count),
    ],
  });
  const ends = new Map(rows.map((row) => [`${row.noun} ${row.central_id}`, row.next]));
  return asked.map(({ counter }) => ends.get(`${counter.noun} ${counter.centralId}`)!);
}

async function release(pool: pg.Pool, unused: readonly Counter[]): Promise<void> {
  await pool.query(
    `with unused as (
       select c.central_id, c.noun, given.first
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as given (central_id, noun, first, next)
       join id_counters c on c.central_id = given.central_id and c.noun = given.noun and c.next = given.next
       order by c.central_id, c.noun for update of c)
     update id_counters c set next = unused.first from unused
     where c.central_id = unused.central_id and c.noun = unused.noun`,
    [
      unused.map(({ centralId }) => centralId),
      unused.map(({ noun }) => noun),
      unused.map(({ ranges }) => ranges.at(-1)!.next),
      unused.map(({ ranges }) => ranges.at(-1)!.end),
    ],
  );
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
