import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDemo } from '../server/simulation/demo/makeDemo.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { runLoadAttacks } from './attackLoad.ts';
import { answers, basic, end, type Ground, onOwnGround } from './service.ts';
import { type Attack, attacks, type Shot } from './stallAttacks.ts';
import type { Stalls } from './stallProbe.ts';

const PORT = 29_141;
const STALL_AIM_MS = 50;
const ROUNDS = 3;
const SETTLE_MS = 300;
const TIMEOUT_MS = 60_000;
const STARTS_MAX = 5;

/**
 * Measures how long each of these requests blocks the service for all others, compared with the same time without any.
 * Words select the requests whose names contain one of them.
 */
export const run = (words: string[]): Promise<void> =>
  onOwnGround(2, async (ground) => {
    await makeDemo({ db: ground.db, clock: systemClock }, 'empty');
    const isChosen = (name: string) => !words.length || words.some((word) => name.includes(word));
    await runStallAttacks(ground, isChosen);
    await runLoadAttacks(ground, isChosen);
  });

async function runStallAttacks(ground: Ground, isChosen: (name: string) => boolean): Promise<void> {
  const chosen = attacks.filter(({ name }) => isChosen(name));
  if (chosen.length === 0) return;
  let service: ChildProcess | undefined;
  console.log(`longest stall of the event loop in ${ROUNDS} rounds, by the clock (aim: ${STALL_AIM_MS} ms)`);
  console.log('and by the time of the processor, which other work on this machine does not lengthen\n');
  for (const attack of chosen) {
    await forgetAreas(ground, attack);
    let longest: Stalls = { longestMs: 0, longestCpuMs: 0 };
    let idle: Stalls = { longestMs: 0, longestCpuMs: 0 };
    const statuses = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      if (attack.isFirst || !service || !isAlive(service)) {
        if (service) await end(service);
        service = await start(ground, attack);
      }
      await ask(service);
      const begun = performance.now();
      const got = await Promise.all(attack.shots.map(fire));
      await sleep(SETTLE_MS);
      for (const status of got) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!isAlive(service)) break;
      longest = greater(longest, await ask(service));
      await sleep(Math.min(performance.now() - begun, 2_000));
      idle = greater(idle, await ask(service));
    }
    report(attack.name, longest, idle, statuses, service !== undefined && isAlive(service));
  }
  if (service) await end(service);
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function start({ startMalote }: Ground, { isFirst }: Attack): Promise<ChildProcess> {
  const env = { PORT: String(PORT), MALOTE_LOG: 'error' };
  const service = startMalote(['serve', '--no-work'], env, './bench/stallProbe.ts');
  await untilAnswered();
  if (isFirst) return service;
  // Elsewhere the first request of a kind causes compilation, which is not to be measured here.
  const headers = { 'api-key': 'demo-chave', authorization: basic('central') };
  for (let turn = 0; turn < 20; turn += 1)
    await fire({ method: 'POST', path: '/api/v2/integracao/entregas', headers, body: '{"paradas":[{}]}' });
  return service;
}

/** On a busy machine a start takes minutes. */
async function untilAnswered(): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await answers(PORT);
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
    }
  }
}

/** Removes what an attack has written, except where the next one reads it. */
async function forgetAreas({ db }: Ground, { shots }: Attack): Promise<void> {
  if (shots.some(({ method }) => method === 'POST'))
    await db`delete from operating_areas where central_id = 1 and id > 2`;
}

async function ask(service: ChildProcess): Promise<Stalls> {
  service.send('stalls');
  const [stalls] = await once(service, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return stalls as Stalls;
}

const greater = (a: Stalls, b: Stalls): Stalls => ({
  longestMs: Math.max(a.longestMs, b.longestMs),
  longestCpuMs: Math.max(a.longestCpuMs, b.longestCpuMs),
});

const agent = new Agent({ maxSockets: 600 });

/** The status, or the reason why there is none. */
function fire({ method, path, headers, body }: Shot): Promise<string> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { agent, host: '127.0.0.1', port: PORT, method, path, headers: { ...headers, ...length } },
      (response) => {
        response.resume();
        response.on('close', () => resolve(String(response.statusCode)));
      },
    );
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer')));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });
}

function judge({ longestMs, longestCpuMs }: Stalls): string {
  if (longestCpuMs > STALL_AIM_MS) return '  ABOVE THE AIM';
  return longestMs > STALL_AIM_MS ? '  above the aim by the clock: is the machine busy?' : '';
}

function report(
  name: string,
  longest: Stalls,
  idle: Stalls,
  statuses: ReadonlyMap<string, number>,
  isAlive: boolean,
): void {
  const figure = (ms: number) => `${ms.toFixed(0)} ms`.padStart(9);
  const got = [...statuses].map(([status, count]) => `${status} × ${count}`).join(', ');
  console.log(
    `${name.padEnd(52)} ${isAlive ? figure(longest.longestMs) : 'it DIED'.padStart(9)}  processor ${figure(longest.longestCpuMs)}` +
      `  idle ${figure(idle.longestMs)} processor ${figure(idle.longestCpuMs)}  answers: ${got}${judge(longest)}`,
  );
}
