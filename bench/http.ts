import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../server/src/postgres/database.ts';
import { type EmbeddedConnection, startEmbeddedPostgres } from '../server/src/postgres/embedded.ts';
import { migrate } from '../server/src/postgres/migrate.ts';
import { apiKeyOf, CENTRALS, fillHistory, makeCentrals } from './httpData.ts';
import { type Contestant, compare, type LoadRequest, type LoadResult } from './load.ts';

const POOL = 10;
const MALOTE_PORT = 39_101;
const BARE_PORT = 39_102;
const HISTORY = 100_000;
const LONG_HISTORY = 1_000_000;
const PAGE_SIZE = 100;
const ROUNDS = 3;

/** Status and query beside a bare server, their growth with the history, and the memory they take. */
export async function run(args: string[]): Promise<void> {
  const quick = args.includes('--quick');
  const folder = await mkdtemp(join(tmpdir(), 'malote-bench-'));
  const embedded = await startEmbeddedPostgres({ folder });
  const db = openDatabase({ connection: embedded.connection, poolSize: 2, onError: console.error });
  const children: ChildProcess[] = [];
  try {
    await migrate(embedded.connection);
    await makeCentrals(db);
    await fill(db, HISTORY);
    children.push(startMalote(embedded.connection), startBare(embedded.connection));
    await Promise.all([answers(MALOTE_PORT), answers(BARE_PORT)]);
    const memory = watchMemory(children[0]!);

    const seconds = quick ? 3 : 8;
    console.log(
      `\nbeside a bare server (median of ${ROUNDS} rounds of ${seconds} s, taking turns, pool ${POOL})`,
    );
    const before = {
      status: await measure('GET /entregas/{id}/status', statusRequests(HISTORY), 32, seconds),
      page: await measure('POST /entregas/consultar, limite 100', pageRequests(1), 16, seconds),
    };
    if (quick) return;

    await fill(db, LONG_HISTORY);
    console.log(`\ngrowth from ${HISTORY} to ${LONG_HISTORY} deliveries (aim: at most 1.20 times the cost)`);
    const after = {
      status: await measure('GET /entregas/{id}/status', statusRequests(LONG_HISTORY), 32, seconds),
      page: await measure('POST /entregas/consultar, limite 100', pageRequests(1), 16, seconds),
    };
    report('status: cost of the long history', before.status.perSecond / after.status.perSecond, 1.2);
    report('query: cost of the long history', before.page.perSecond / after.page.perSecond, 1.2);

    const last = LONG_HISTORY / CENTRALS / PAGE_SIZE;
    const [first, deep] = await compare([malote(pageRequests(1)), malote(pageRequests(last))], {
      connections: 4,
      seconds,
      rounds: ROUNDS,
    });
    print('page 1', first!);
    print(`page ${last}`, deep!);
    report(
      `page ${last} against page 1 (aim: at most 3.00 times the cost)`,
      first!.perSecond / deep!.perSecond,
      3,
    );
    console.log(
      `\nmemory of the service process under this load: ${memory.peakMegabytes()} MB resident at most (aim: 250)`,
    );
  } finally {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await db.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(db: Database, total: number): Promise<void> {
  const started = Date.now();
  await fillHistory(db, total);
  console.log(
    `${total} deliveries of ${CENTRALS} centrals, written in ${Math.round((Date.now() - started) / 1000)} s`,
  );
}

async function measure(
  name: string,
  requests: { malote: LoadRequest[]; bare: LoadRequest[] },
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const contestants = [bare(requests), malote(requests)];
  const [plain, ours] = await compare(contestants, { connections, seconds, rounds: ROUNDS });
  print(`${name}, bare`, plain!);
  print(`${name}, Malote`, ours!);
  const ratio = ours!.perSecond / plain!.perSecond;
  console.log(
    `  ${ratio.toFixed(2)} of the bare server (aim: at least 0.80)${ratio < 0.8 ? '  BELOW THE AIM' : ''}`,
  );
  return ours!;
}

function print(name: string, { perSecond, p50, p99 }: LoadResult): void {
  console.log(`  ${name.padEnd(48)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50} ms   p99 ${p99} ms`);
}

function report(name: string, ratio: number, aim: number): void {
  console.log(`  ${name}: ${ratio.toFixed(2)}${ratio > aim ? '  ABOVE THE AIM' : ''}`);
}

const malote = ({ malote: requests }: { malote: LoadRequest[] }): Contestant => ({
  name: 'Malote',
  url: `http://127.0.0.1:${MALOTE_PORT}`,
  requests,
});

const bare = ({ bare: requests }: { bare: LoadRequest[] }): Contestant => ({
  name: 'bare',
  url: `http://127.0.0.1:${BARE_PORT}`,
  requests,
});

const REQUESTS = 2_000;
const IDS_PER_CENTRAL = 10_000_000;
const base = '/api/v2/integracao';
const headersOf = (centralId: number): Record<string, string> => ({
  'api-key': apiKeyOf(centralId),
  authorization: `Basic ${Buffer.from('central:demo').toString('base64')}`,
});

function statusRequests(history: number): { malote: LoadRequest[]; bare: LoadRequest[] } {
  const targets = Array.from({ length: REQUESTS }, (_, index) => {
    const centralId = (index % CENTRALS) + 1;
    const nth = 1 + Math.floor(Math.random() * (history / CENTRALS));
    return { centralId, id: (centralId - 1) * IDS_PER_CENTRAL + nth };
  });
  return {
    malote: targets.map(({ centralId, id }) => ({
      method: 'GET',
      path: `${base}/entregas/${id}/status`,
      headers: headersOf(centralId),
    })),
    bare: targets.map(({ centralId, id }) => ({
      method: 'GET',
      path: `/${centralId}/entregas/${id}/status`,
    })),
  };
}

function pageRequests(page: number): { malote: LoadRequest[]; bare: LoadRequest[] } {
  const body = JSON.stringify({ pagina: page, limite: PAGE_SIZE });
  const json = { 'content-type': 'application/json' };
  const centrals = Array.from({ length: CENTRALS }, (_, index) => index + 1);
  return {
    malote: centrals.map((id) => ({
      method: 'POST',
      path: `${base}/entregas/consultar`,
      headers: { ...headersOf(id), ...json },
      body,
    })),
    bare: centrals.map((id) => ({ method: 'POST', path: `/${id}/entregas/consultar`, headers: json, body })),
  };
}

/** As `npm start` would run it, log lines and all; they go nowhere, as the bare server's do. */
function startMalote({ host, user, database }: EmbeddedConnection): ChildProcess {
  return spawn(process.execPath, ['server/src/main.ts', 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      PORT: String(MALOTE_PORT),
      MALOTE_POOL: String(POOL),
      MALOTE_LOG: 'info',
    },
  });
}

function startBare(connection: EmbeddedConnection): ChildProcess {
  return spawn(process.execPath, ['bench/bareServer.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      BENCH_PG: JSON.stringify(connection),
      BENCH_POOL: String(POOL),
      PORT: String(BARE_PORT),
    },
  });
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reached = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (reached) return;
    await sleep(100);
  }
  throw new Error(`nothing answers on port ${port}`);
}

/** Linux tells a process's resident memory in /proc; elsewhere it is not measured. */
function watchMemory({ pid }: ChildProcess): { peakMegabytes(): number | string } {
  let peak = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      peak = Math.max(peak, Number(kilobytes ?? 0));
    } catch {
      clearInterval(timer);
    }
  }, 200);
  timer.unref();
  return { peakMegabytes: () => (peak ? Math.round(peak / 1024) : 'not measured here') };
}
