import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedGeocoder } from '../server/src/geocoding/embedded/embeddedGeocoder.ts';
import type { Geocoder } from '../server/src/geocoding/geocoder.ts';
import { haversineMetres } from '../server/src/kernel/position.ts';
import { CNEFE_HEADER, generateCnefe, type KnownAddress, randomFrom } from '../test/support/cnefe.ts';
import { DAMAGES, lineOf } from './addressDamages.ts';
import { cpuOfServer, postmasterOf } from './cpu.ts';
import { onOwnGround } from './service.ts';

const LOOKUPS = 5_000;
const SUGGESTIONS = 1_000;
const SUGGESTED_MAX = 8;
const WITHIN_METRES = 100;

let postmaster: number | undefined;

/** Milliseconds of processor time of this process and of PostgreSQL so far; the clock also shows who else works here. */
const processorMs = (): number =>
  process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 + (cpuOfServer(postmaster) ?? Number.NaN);

/**
 * `npm run bench -- addresses [rows …]`: imports generated files of CNEFE (100,000 and 1,000,000 rows unless told
 * otherwise) and looks up addresses of them, damaged in known ways.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.length ? args.map(Number) : [100_000, 1_000_000];
  const folder = await mkdtemp(join(tmpdir(), 'malote-bench-'));
  try {
    for (const rows of sizes) {
      const file = join(folder, `cnefe-${rows}.csv`);
      const known = await writeFile(file, rows);
      await onOwnGround(4, async ({ db, startMalote }) => {
        await importFile(file, rows, startMalote);
        const geocoder = embeddedGeocoder(db);
        const [backend] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
        postmaster = postmasterOf(backend!.pid);
        await lookUp(geocoder, known);
        await suggest(geocoder, known);
        await reverse(geocoder, known);
      });
      await rm(file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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

/** What Linux tells about a process; elsewhere nothing. */
function readUse(pid: number, used: { peakMb: number; cpuSeconds: number }): void {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    used.peakMb = Math.max(used.peakMb, Number(peak?.[1] ?? 0) / 1024);
    used.cpuSeconds = (Number(times[11]) + Number(times[12])) / 100;
  } catch {
    // It has ended, or this is no Linux.
  }
}

async function lookUp(geocoder: Geocoder, known: readonly KnownAddress[]): Promise<void> {
  const random = randomFrom(7);
  const kept = known.filter(({ isHeldBack }) => !isHeldBack);
  const heldBack = known.filter(({ isHeldBack }) => isHeldBack);
  const perKind = Math.floor(LOOKUPS / DAMAGES.length);
  const millis: number[] = [];
  const all: (number | null)[] = [];
  const before = processorMs();
  console.log(`${'damage'.padEnd(30)} found   within 100 m   median m    p95 m   promised   p50 ms   p95 ms`);
  for (const { name, isMissing, damage } of DAMAGES) {
    const times: number[] = [];
    const errors: (number | null)[] = [];
    let promised = 0;
    for (let count = 0; count < perKind; count++) {
      const among = isMissing ? heldBack : kept;
      const address = among[Math.floor(random() * among.length)]!;
      const parts = damage(address, random);
      const begun = performance.now();
      const found = await geocoder.geocode(parts);
      times.push(performance.now() - begun);
      const isUseful = found !== null && found.precision !== 'municipality' && found.precision !== 'district';
      const error = isUseful ? haversineMetres(found.position, address.position) : null;
      errors.push(error);
      if (error !== null && error <= found!.errorMetres) promised++;
    }
    report(name, errors, promised, times);
    millis.push(...times);
    all.push(...errors);
  }
  report('all', all, undefined, millis);
  console.log(`processor time per look-up: ${((processorMs() - before) / all.length).toFixed(1)} ms`);
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

/** Each text is typed letter by letter from the fourth on; the address must be among the suggestions at its end. */
async function suggest(geocoder: Geocoder, known: readonly KnownAddress[]): Promise<void> {
  const random = randomFrom(11);
  const times: number[] = [];
  const before = processorMs();
  let typed = 0;
  let found = 0;
  while (times.length < SUGGESTIONS) {
    const address = known[Math.floor(random() * known.length)]!;
    const text = lineOf(address).toLowerCase().replace(',', '');
    const near = { lat: address.position.lat + 0.02, lng: address.position.lng - 0.02 };
    let last: Awaited<ReturnType<Geocoder['search']>> = [];
    for (let length = 4; length <= text.length; length += 3) {
      const begun = performance.now();
      last = await geocoder.search(text.slice(0, length), near, SUGGESTED_MAX);
      times.push(performance.now() - begun);
    }
    last = await geocoder.search(text, near, SUGGESTED_MAX);
    typed++;
    if (last.some(({ position }) => haversineMetres(position, address.position) <= WITHIN_METRES)) found++;
  }
  console.log(
    `suggestions: ${times.length} texts, p50 ${share(times, 0.5).toFixed(1)} ms, p95 ${share(times, 0.95).toFixed(1)} ms ` +
      `(aim: 50 ms), ` +
      `${((processorMs() - before) / (times.length + typed)).toFixed(1)} ms of processor time each; of ${typed} addresses typed to the end ${((found / typed) * 100).toFixed(1)} % are among ${SUGGESTED_MAX}`,
  );
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
