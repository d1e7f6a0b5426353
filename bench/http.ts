import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { apiKeyOf, CENTRALS, fillHistory, makeCentrals, makeTokens } from './httpData.ts';
import { type Contestant, compare, type LoadRequest, type LoadResult, print } from './load.ts';
import { answers, basic, onOwnGround, watchMemory } from './service.ts';

const POOL = 10;
const MALOTE_PORT = 29_101;
const BARE_PORT = 29_102;
const HISTORY = 100_000;
const LONG_HISTORY = 1_000_000;
const PAGE_SIZE = 100;
const ROUNDS = 3;
const RECORDING_ROUNDS = 7;
const REGISTERS_MS = 2_000;
const MEGABYTES_MAX = 250;

/**
 * Measures status and query beside a bare server, their growth with the history, and their memory. With `--bearer` it
 * measures only the token of a program beside the login, and with `--requests` only the recording of requests.
 */
export const run = (args: string[]): Promise<void> =>
  onOwnGround(2, async ({ db, connection, startMalote, startScript }) => {
    const quick = args.includes('--quick');
    await makeCentrals(db);
    await fill(db, HISTORY);
    const pool = String(POOL);
    const service = startMalote(['serve'], {
      PORT: String(MALOTE_PORT),
      MALOTE_POOL: pool,
      MALOTE_LOG: 'info',
    });
    const bareEnv = { PORT: String(BARE_PORT), BENCH_PG: JSON.stringify(connection), BENCH_POOL: pool };
    startScript('bench/bareServer.ts', bareEnv);
    await Promise.all([answers(MALOTE_PORT), answers(BARE_PORT)]);
    const memory = watchMemory(service);

    const seconds = quick ? 3 : 8;
    if (args.includes('--bearer')) return measureBearer(db, seconds);
    if (args.includes('--requests')) return measureRecording(db, seconds);
    console.log(
      `\nbeside a bare server (median of ${ROUNDS} rounds of ${seconds} s, taking turns, pool ${POOL})`,
    );
    const before = {
      status: await measure('GET /entregas/{id}/status', statusRequests(HISTORY), 32, seconds),
      page: await measure('POST /entregas/consultar, limite 100', pageRequests(1), 16, seconds),
    };
    // With so few connections nothing is batched.
    for (const connections of [4, 1])
      await measure('GET /entregas/{id}/status', statusRequests(HISTORY), connections, seconds);
    if (!quick) await measureGrowth(db, before, seconds);
    const peak = memory.peakMegabytes();
    console.log(
      `\nmemory of the service process under this load: ${peak} MB resident at most (aim: ${MEGABYTES_MAX})${peak > MEGABYTES_MAX ? '  ABOVE THE AIM' : ''}`,
    );
  });

/** The same requests with Basic and an api-key, and with the token of a program. */
async function measureBearer(db: Database, seconds: number): Promise<void> {
  const tokens = await makeTokens(db);
  const { malote: asLogin } = statusRequests(HISTORY);
  const asProgram = asLogin.map((request, index) => ({
    ...request,
    headers: { authorization: `Bearer ${tokens[index % CENTRALS]}` },
  }));
  for (const connections of [32, 4]) {
    const [basicly, bearer] = await compare([malote({ malote: asLogin }), malote({ malote: asProgram })], {
      connections,
      seconds,
      rounds: 2 * ROUNDS - 1,
    });
    print(`GET /entregas/{id}/status, ${connections} at a time, Basic`, basicly!);
    print(`GET /entregas/{id}/status, ${connections} at a time, bearer`, bearer!);
    report('cost of bearer beside Basic (aim: at most 1.00)', basicly!.perSecond / bearer!.perSecond, 1);
  }
}

/**
 * The same requests in centrals that record requests and in centrals that record none. All take turns in one service, so
 * that nothing else differs.
 */
async function measureRecording(db: Database, seconds: number): Promise<void> {
  const isOff = (centralId: number): boolean => centralId % 2 === 0;
  await db`
    update centrals set settings = settings || ${{ requestsKeptDays: 0 }}::jsonb where id % 2 = 0`;
  // The service hears of the settings by a notification, and in any case forgets the former ones after a while.
  await sleep(REGISTERS_MS);
  const { malote: all } = statusRequests(HISTORY);
  const of = (off: boolean): LoadRequest[] => all.filter((_, index) => isOff((index % CENTRALS) + 1) === off);
  console.log(
    `\nrecording of requests off and on (median of ${RECORDING_ROUNDS} rounds of ${seconds} s, taking turns)`,
  );
  for (const connections of [32, 4, 1]) {
    const [off, on] = await compare([malote({ malote: of(true) }), malote({ malote: of(false) })], {
      connections,
      seconds,
      rounds: RECORDING_ROUNDS,
    });
    print(`GET /entregas/{id}/status, ${connections} at a time, off`, off!);
    print(`GET /entregas/{id}/status, ${connections} at a time, on`, on!);
    report('cost of recording (aim: at most 1.03)', off!.perSecond / on!.perSecond, 1.03);
  }
  const [row] = await db<{ recorded: number; dropped: number }>`
    select (select count(*) from api_requests) as recorded,
      (select coalesce(sum(dropped), 0)::bigint from api_request_days) as dropped`;
  console.log(`  recorded ${row!.recorded}, over the limits ${row!.dropped}`);
}

async function measureGrowth(
  db: Database,
  before: Record<'status' | 'page', LoadResult>,
  seconds: number,
): Promise<void> {
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
  const label = `${name}, ${connections} at a time`;
  print(`${label}, bare`, plain!);
  print(`${label}, Malote`, ours!);
  const ratio = ours!.perSecond / plain!.perSecond;
  console.log(
    `  ${ratio.toFixed(2)} of the bare server (aim: at least 0.80)${ratio < 0.8 ? '  BELOW THE AIM' : ''}`,
  );
  return ours!;
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
  authorization: basic('central'),
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
