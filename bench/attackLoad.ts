import type { ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoCentrals } from '../server/simulation/demo/demoCentrals.ts';
import { makeDemoCentral } from '../server/simulation/demo/makeDemo.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { order } from '../test/support/orders.ts';
import { type LoadAttack, loadAttacks } from './loadAttacks.ts';
import { answers, basic, end, type Ground, residentMegabytes, watchMemory } from './service.ts';
import type { Shot } from './stallAttacks.ts';

const PORT = 29_142;
const HEAP_MEGABYTES = 512;
const OTHER_KEY = 'bench-outra-central';
const OTHER_PER_SECOND = 20;
const IDLE_MS = 4_000;
const ATTACK_MS = 12_000;
const AFTERWARDS_MS = 10_000;
const READY_MS = 250;
const GIVEN_UP_MS = 10_000;

/**
 * Runs the attacks of one login by themselves, each on a fresh service with a heap of 512 MB. Prints how long another
 * central waits for its answers before and during the attack, how often `/readyz` is not 200, the memory at the end of
 * the attack and ten seconds after its clients have gone, and the answers that the clients got.
 */
export async function runLoadAttacks(ground: Ground, isChosen: (name: string) => boolean): Promise<void> {
  const chosen = loadAttacks.filter(({ name }) => isChosen(name));
  if (chosen.length === 0) return;
  await makeOtherCentral(ground);
  console.log(`\none login against the others, with a heap of ${HEAP_MEGABYTES} MB\n`);
  for (const attack of chosen) await runAttack(ground, attack);
}

async function makeOtherCentral({ db }: Ground): Promise<void> {
  // A key of a sandbox belongs to one central.
  const { testKey: _, ...demo } = demoCentrals[0]!;
  await makeDemoCentral({ db, clock: systemClock }, { ...demo, name: 'Outra Central', apiKey: OTHER_KEY });
}

async function runAttack(ground: Ground, attack: LoadAttack): Promise<void> {
  const service = ground.startMalote(['serve', '--no-work'], {
    PORT: String(PORT),
    MALOTE_LOG: 'error',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}`,
  });
  try {
    await answers(PORT);
    const shots = await attack.prepare(ground, `http://127.0.0.1:${PORT}`);
    const other = attack.besides ?? (await statusOfAnOrder());
    await ask({ ...other, path: other.path });
    const idle = await watchOthers(other, () => sleep(IDLE_MS));
    const memory = watchMemory(service);
    let atEnd = 0;
    let clients: Client[] = [];
    const attacked = await watchOthers(other, async () => {
      clients = shots.map((shot) => openClient(shot, attack.client));
      await sleep(ATTACK_MS);
      atEnd = residentMegabytes(service);
    });
    for (const { socket } of clients) socket.destroy();
    await sleep(AFTERWARDS_MS);
    report(attack.name, service, { idle, attacked, clients, atEnd, peak: memory.peakMegabytes() });
  } finally {
    await end(service);
  }
}

/** The request of an integrator of another central. */
async function statusOfAnOrder(): Promise<Shot> {
  const headers = {
    'content-type': 'application/json',
    'api-key': OTHER_KEY,
    authorization: basic('gerente'),
  };
  const base = '/api/v2/integracao/entregas';
  const { status, text } = await ask({ method: 'POST', path: base, headers, body: JSON.stringify(order()) });
  if (status !== 200) throw new Error(`the order of the other central was answered with ${status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { id_mch: string } };
  return { method: 'GET', path: `${base}/${data.id_mch}/status`, headers };
}

interface Watched {
  p50: number;
  p99: number;
  /** Answers other than 200, and requests without an answer. */
  failed: number;
  notReady: number;
}

/** Sends the others' requests at an even rate while the work runs. */
async function watchOthers(other: Shot, work: () => Promise<unknown>): Promise<Watched> {
  const pending: Promise<void>[] = [];
  const took: number[] = [];
  let failed = 0;
  let notReady = 0;
  const send = async (): Promise<void> => {
    const begun = performance.now();
    const { status } = await ask(other);
    took.push(performance.now() - begun);
    if (status !== 200) failed += 1;
  };
  const look = async (): Promise<void> => {
    const { status } = await ask({ method: 'GET', path: '/readyz', headers: {} });
    if (status !== 200) notReady += 1;
  };
  const timers = [
    setInterval(() => pending.push(send()), 1_000 / OTHER_PER_SECOND),
    setInterval(() => pending.push(look()), READY_MS),
  ];
  await work();
  for (const timer of timers) clearInterval(timer);
  await Promise.all(pending);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), failed, notReady };
}

/** Status 0: no answer. */
async function ask({ method, path, headers, body }: Shot): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

interface Client {
  socket: Socket;
  /** The statuses of its answers; '503 later' names those that say when to try again. */
  answers: string[];
}

const HEAD_BYTES_MAX = 4_096;

function openClient({ method, path, headers, body = '' }: Shot, behaviour: LoadAttack['client']): Client {
  const socket = connect(PORT, '127.0.0.1');
  const client: Client = { socket, answers: [] };
  const lines = Object.entries({
    host: `127.0.0.1:${PORT}`,
    ...headers,
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  socket.on('error', () => undefined);
  socket.write(behaviour === 'withholds the last byte' ? request.subarray(0, -1) : request);
  if (behaviour === 'never reads') return client;
  if (behaviour === 'leaves at once') {
    setTimeout(() => socket.destroy(), LEAVES_MS);
    return client;
  }
  let head = '';
  socket.on('data', (bytes) => {
    if (head.length < HEAD_BYTES_MAX) head += bytes.toString('latin1', 0, HEAD_BYTES_MAX);
  });
  socket.on('close', () => {
    const [, status = 'no answer'] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
    client.answers.push(/^retry-after: \d/im.test(head) ? `${status} later` : status);
  });
  return client;
}

const LEAVES_MS = 300;

interface Figures {
  idle: Watched;
  attacked: Watched;
  clients: readonly Client[];
  atEnd: number;
  peak: number;
}

function report(
  name: string,
  service: ChildProcess,
  { idle, attacked, clients, atEnd, peak }: Figures,
): void {
  const isAlive = service.exitCode === null && service.signalCode === null;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const counts = Map.groupBy(
    clients.flatMap((client) => client.answers),
    (answer) => answer,
  );
  const got = [...counts].map(([answer, all]) => `${answer} × ${all.length}`).join(', ');
  const wait = ({ p50, p99, failed, notReady }: Watched) =>
    `p50 ${ms(p50)}, p99 ${ms(p99)}${failed ? `, ${failed} FAILED` : ''}${notReady ? `, not ready × ${notReady}` : ''}`;
  console.log(`${name}${isAlive ? '' : '  THE SERVICE DIED'}`);
  console.log(`  others idle: ${wait(idle)}; attacked: ${wait(attacked)}`);
  console.log(
    `  memory: ${atEnd} MB at the end, ${residentMegabytes(service)} MB ten seconds after, ${peak} MB at most`,
  );
  console.log(`  ${clients.length} clients got: ${got || 'nothing'}`);
}
