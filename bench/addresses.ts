import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedGeocoder } from '../server/src/geo/geocoding/embedded/embeddedGeocoder.ts';
import type { Geocoder } from '../server/src/geo/geocoding/geocoder.ts';
import { haversineMetres } from '../server/src/platform/kernel/position.ts';
import { CNEFE_HEADER, generateCnefe, type KnownAddress, randomFrom } from '../test/support/cnefe.ts';
import { DAMAGES, lineOf } from './addressDamages.ts';
import { cpuOfServer, postmasterOf } from './cpu.ts';
import { onOwnGround } from './service.ts';

const LOOKUPS = 5_000;
const SUGGESTIONS = 2_000;
const SUGGESTED_MAX = 8;
const WITHIN_METRES = 100;

/** Look-ups of one size before the other size has its turn, so that other load on this machine affects both alike. */
const TURN = 50;
/** The growth that is accepted between 100,000 and 1,000,000 addresses. */
const GROWTH_MAX = 1.5;
const SUGGESTION_MS_MAX = 50;

/** An imported set in its own database. */
interface Imported {
  rows: number;
  known: KnownAddress[];
  geocoder: Geocoder;
  postmaster: number | undefined;
}

/**
 * `npm run bench -- addresses [rows …]`: imports generated files of CNEFE (by default 100,000 and 1,000,000 rows) and
 * looks up their addresses, damaged in known ways. The sets are looked up in turns.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.length ? args.map(Number) : [100_000, 1_000_000];
  const folder = await mkdtemp(join(tmpdir(), 'malote-bench-'));
  try {
    await withSets(folder, sizes, [], async (sets) => {
      const lookups = await inTurns(sets, LOOKUPS, lookUpper);
      const suggestions = await inTurns(sets, SUGGESTIONS, suggester);
      for (const { rows, known, geocoder } of sets) {
        console.log(`\n${rows.toLocaleString('en')} rows`);
        await reverse(geocoder, known);
      }
      compare('look-up', lookups);
      compare('suggestion', suggestions);
      const slowest = Math.max(...suggestions.map(({ times }) => share(times, 0.95)));
      say(
        'suggestions, p95',
        `${slowest.toFixed(1)} ms`,
        `at most ${SUGGESTION_MS_MAX} ms`,
        slowest <= SUGGESTION_MS_MAX,
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Imports the sizes one after the other and keeps all sets until the work ends. */
async function withSets(
  folder: string,
  [rows, ...further]: readonly number[],
  sets: readonly Imported[],
  work: (sets: readonly Imported[]) => Promise<void>,
): Promise<void> {
  if (rows === undefined) return work(sets);
  const file = join(folder, `cnefe-${rows}.csv`);
  const known = await writeFile(file, rows);
  await onOwnGround(4, async ({ db, startMalote }) => {
    await importFile(file, rows, startMalote);
    await rm(file);
    const [backend] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const set = { rows, known, geocoder: embeddedGeocoder(db), postmaster: postmasterOf(backend!.pid) };
    await withSets(folder, further, [...sets, set], work);
  });
}

/** The measured times of all look-ups of one kind in one set. */
interface Taken {
  rows: number;
  times: number[];
  processorMs: number;
}

interface Looker {
  /** Makes one look-up and returns its wall-clock time. */
  next(): Promise<number>;
  report(): void;
}

/** Makes the same number of look-ups in each set, a few at a time in turns. */
async function inTurns(
  sets: readonly Imported[],
  count: number,
  open: (set: Imported) => Looker,
): Promise<Taken[]> {
  const running = sets.map((set) => ({
    set,
    looker: open(set),
    before: cpuOfServer(set.postmaster) ?? Number.NaN,
    taken: { rows: set.rows, times: [], processorMs: 0 } as Taken,
  }));
  while (running.some(({ taken }) => taken.times.length < count))
    for (const { looker, taken } of running) {
      const before = process.cpuUsage();
      for (let turn = 0; turn < TURN; turn++) taken.times.push(await looker.next());
      const { user, system } = process.cpuUsage(before);
      taken.processorMs += (user + system) / 1000;
    }
  for (const { set, looker, before, taken } of running) {
    // Each set has a PostgreSQL of its own, so its processor time is the set's.
    taken.processorMs += (cpuOfServer(set.postmaster) ?? Number.NaN) - before;
    console.log(`\n${set.rows.toLocaleString('en')} rows`);
    looker.report();
  }
  return running.map(({ taken }) => taken);
}

/** Prints how much a look-up's cost grows from the smallest set to the largest. */
function compare(what: string, taken: readonly Taken[]): void {
  const [small, large] = [taken[0], taken.at(-1)];
  if (!small || !large || small === large) return;
  const perLookup = ({ processorMs, times }: Taken) => processorMs / times.length;
  const ratios: [how: string, small: number, large: number][] = [
    ['processor time', perLookup(small), perLookup(large)],
    ['clock, p50', share(small.times, 0.5), share(large.times, 0.5)],
    ['clock, mean', mean(small.times), mean(large.times)],
  ];
  console.log('');
  for (const [how, before, after] of ratios)
    say(
      `${what}, ${how}`,
      `${before.toFixed(2)} ms at ${small.rows.toLocaleString('en')}, ${after.toFixed(2)} ms at ${large.rows.toLocaleString('en')}: ${(after / before).toFixed(2)} times`,
      `at most ${GROWTH_MAX}`,
      after / before <= GROWTH_MAX,
    );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const say = (what: string, figure: string, aim: string, isReached: boolean): void =>
  console.log(`${what}: ${figure} (aim: ${aim}${isReached ? ', reached' : ', NOT REACHED'})`);

async function writeFile(file: string, rows: number): Promise<KnownAddress[]> {
  const { lines, known } = generateCnefe(rows);
  const stream = createWriteStream(file);
  stream.write(`${CNEFE_HEADER}\n`);
  let batch = '';
  for (const line of lines) {
    batch += `${line}\n`;
    if (batch.length < 1_000_000) continue;
    if (!stream.write(batch)) await once(stream, 'drain');
    batch = '';
  }
  stream.end(batch);
  await once(stream, 'finish');
  return known;
}

type Start = Parameters<Parameters<typeof onOwnGround>[1]>[0]['startMalote'];

async function importFile(file: string, rows: number, startMalote: Start): Promise<void> {
  const { size } = await stat(file);
  const begun = performance.now();
  const child = startMalote(['addresses', 'import', file], {});
  const used = { peakMb: 0, cpuSeconds: 0 };
  const watch = setInterval(() => readUse(child.pid!, used), 100);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  console.log(
    `\n${rows.toLocaleString('en')} rows, ${(size / 1e6).toFixed(0)} MB: imported in ${seconds.toFixed(1)} s, ` +
      `${used.cpuSeconds.toFixed(1)} s of them on the processor, with at most ${used.peakMb.toFixed(0)} MB of memory ` +
      '(aim for 1,000,000: 120 s, 300 MB)',
  );
}

/** Reads a process's memory and processor time from Linux; does nothing elsewhere. */
function readUse(pid: number, used: { peakMb: number; cpuSeconds: number }): void {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    used.peakMb = Math.max(used.peakMb, Number(peak?.[1] ?? 0) / 1024);
    used.cpuSeconds = (Number(times[11]) + Number(times[12])) / 100;
  } catch {
    // The process has ended, or the system is not Linux.
  }
}

/** Looks up addresses of the set, cycling through the kinds of damage. */
function lookUpper({ geocoder, known }: Imported): Looker {
  const random = randomFrom(7);
  const kept = known.filter(({ isHeldBack }) => !isHeldBack);
  const heldBack = known.filter(({ isHeldBack }) => isHeldBack);
  const results = DAMAGES.map(() => ({
    times: [] as number[],
    errors: [] as (number | null)[],
    promised: 0,
  }));
  let count = 0;
  return {
    async next() {
      const kind = count++ % DAMAGES.length;
      const { isMissing, damage } = DAMAGES[kind]!;
      const result = results[kind]!;
      const among = isMissing ? heldBack : kept;
      const address = among[Math.floor(random() * among.length)]!;
      const parts = damage(address, random);
      const begun = performance.now();
      const found = await geocoder.geocode(parts);
      const took = performance.now() - begun;
      const isUseful = found !== null && found.precision !== 'municipality' && found.precision !== 'district';
      const error = isUseful ? haversineMetres(found.position, address.position) : null;
      result.times.push(took);
      result.errors.push(error);
      if (error !== null && error <= found!.errorMetres) result.promised++;
      return took;
    },
    report() {
      console.log(
        `${'damage'.padEnd(30)} found   within 100 m   median m    p95 m   promised   p50 ms   p95 ms`,
      );
      for (const [kind, { errors, promised, times }] of results.entries())
        report(DAMAGES[kind]!.name, errors, promised, times);
      const all = results.flatMap(({ errors }) => errors);
      report(
        'all',
        all,
        undefined,
        results.flatMap(({ times }) => times),
      );
      const isNear = (error: number | null) => error !== null && error <= WITHIN_METRES;
      const shareNear = (errors: readonly (number | null)[]) =>
        (errors.filter(isNear).length / errors.length) * 100;
      const undamaged = shareNear(results[0]!.errors);
      say(`${DAMAGES[0]!.name}, within 100 m`, `${undamaged.toFixed(1)} %`, 'at least 97 %', undamaged >= 97);
      say('all kinds, within 100 m', `${shareNear(all).toFixed(1)} %`, 'at least 90 %', shareNear(all) >= 90);
    },
  };
}

function report(
  name: string,
  errors: readonly (number | null)[],
  promised: number | undefined,
  times: readonly number[],
): void {
  const found = errors.filter((error) => error !== null);
  const near = found.filter((error) => error <= WITHIN_METRES).length;
  const percent = (count: number) => `${((count / errors.length) * 100).toFixed(1)} %`;
  console.log(
    `${name.padEnd(30)}${percent(found.length).padStart(8)}${percent(near).padStart(14)}` +
      `${share(found, 0.5).toFixed(0).padStart(11)}${share(found, 0.95).toFixed(0).padStart(9)}` +
      `${(promised === undefined ? '' : percent(promised)).padStart(11)}` +
      `${share(times, 0.5).toFixed(1).padStart(9)}${share(times, 0.95).toFixed(1).padStart(9)}`,
  );
}

/**
 * Each text is typed three letters at a time, from the fourth letter on. The last suggestions must include the address.
 */
function suggester({ geocoder, known }: Imported): Looker {
  const random = randomFrom(11);
  const times: number[] = [];
  let [typed, found, length] = [0, 0, 0];
  let address = known[0]!;
  let text = '';
  return {
    async next() {
      if (length >= text.length) {
        address = known[Math.floor(random() * known.length)]!;
        text = lineOf(address).toLowerCase().replace(',', '');
        length = 1;
      }
      length = Math.min(length + 3, text.length);
      const near = { lat: address.position.lat + 0.02, lng: address.position.lng - 0.02 };
      const begun = performance.now();
      const suggested = await geocoder.search(text.slice(0, length), near, SUGGESTED_MAX);
      const took = performance.now() - begun;
      times.push(took);
      if (length === text.length) {
        typed++;
        if (suggested.some(({ position }) => haversineMetres(position, address.position) <= WITHIN_METRES))
          found++;
      }
      return took;
    },
    report() {
      console.log(
        `suggestions: ${times.length} texts, p50 ${share(times, 0.5).toFixed(1)} ms, p95 ${share(times, 0.95).toFixed(1)} ms; ` +
          `of ${typed} addresses typed to the end ${((found / typed) * 100).toFixed(1)} % are among ${SUGGESTED_MAX}`,
      );
    },
  };
}

async function reverse(geocoder: Geocoder, known: readonly KnownAddress[]): Promise<void> {
  const random = randomFrom(13);
  const times: number[] = [];
  let found = 0;
  for (let count = 0; count < 500; count++) {
    const { position } = known[Math.floor(random() * known.length)]!;
    const begun = performance.now();
    const answer = await geocoder.reverse(position);
    times.push(performance.now() - begun);
    if (answer && haversineMetres(answer.position, position) <= WITHIN_METRES) found++;
  }
  console.log(
    `positions: ${times.length}, ${((found / times.length) * 100).toFixed(1)} % have an address within ${WITHIN_METRES} m, ` +
      `p50 ${share(times, 0.5).toFixed(1)} ms, p95 ${share(times, 0.95).toFixed(1)} ms`,
  );
}

function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
