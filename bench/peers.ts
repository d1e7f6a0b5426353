import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { databaseUrlOf } from '../test/support/maloteProcess.ts';
import { runText } from '../test/support/runText.ts';
import { postmasterOf } from './cpu.ts';
import { apiKeyOf, CENTRALS, fillHistory, makeCentrals } from './httpData.ts';
import type { LoadRequest } from './load.ts';
import { NEW_DELIVERY_COLUMNS } from './peers/deliveryColumns.ts';
import { bootstrapDirectus, describeTables, directusEnv } from './peers/directusSetup.ts';
import {
  contentOf,
  directusRequests,
  graphqlRequests,
  type NewDelivery,
  type PeerRequests,
  restRequests,
} from './peers/requests.ts';
import { type Contestant, measure, NOUNS, print, type Round } from './peers/rounds.ts';
import { answers, basic, type Ground, onOwnGround, residentMegabytes } from './service.ts';

const POOL = 10;
const FIRST_PORT = 29_111;
const PAGE_SIZE = 100;
const STATUS_REQUESTS = 2_000;
const INSTALL = 'npm install --prefix bench/peers';

interface Peer {
  name: string;
  /** The npm package that the peer requires. */
  package: string;
  script: string;
  requests: PeerRequests | ((url: string) => Promise<PeerRequests>);
  env?: (ground: Ground) => Record<string, string>;
  prepare?: (ground: Ground) => Promise<void>;
}

const peers: readonly Peer[] = [
  { name: 'Express + pg', package: 'express', script: 'expressServer.mjs', requests: restRequests },
  {
    name: 'NestJS + Prisma',
    package: '@nestjs/core',
    script: 'nestServer.mjs',
    requests: restRequests,
    prepare: async () => generatePrismaClient(),
  },
  {
    name: 'PostGraphile',
    package: 'postgraphile',
    script: 'postgraphileServer.mjs',
    requests: graphqlRequests,
  },
  {
    name: 'Directus',
    package: 'directus',
    script: 'directusServer.mjs',
    requests: async (url) => directusRequests(await describeTables(url)),
    env: ({ connection }) => directusEnv(connection, POOL),
    prepare: ({ connection }) => bootstrapDirectus(directusEnv(connection, POOL)),
  },
];

/**
 * Malote compared with other services, over the same deliveries in the same PostgreSQL. The peers have plain copies of
 * the tables, without rules, tenants or logins (except Directus), which is in their favour.
 *
 * `--rounds=4 --seconds=8 --deliveries=100000 --connections=32 --only=Express,Directus --rows=status,create`
 *
 * A creation also causes background work, here during the request: the driver search and the search index. With
 * `--no-work` no process does that work, as on a machine whose background work runs on another one.
 */
export const run = (args: string[]): Promise<void> =>
  onOwnGround(2, async (ground) => {
    const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
    const rounds = Number(option('rounds') ?? 4);
    const seconds = Number(option('seconds') ?? 8);
    const deliveries = Number(option('deliveries') ?? 100_000);
    const connections = Number(option('connections') ?? 32);
    const only = option('only')?.split(',');
    const rows = option('rows')?.split(',');
    const serve = args.includes('--no-work') ? ['serve', '--no-work'] : ['serve'];

    const installed = peers.filter((peer) =>
      existsSync(`bench/peers/node_modules/${peer.package}/package.json`),
    );
    const missing = peers.filter((peer) => !installed.includes(peer));
    if (missing.length > 0)
      console.log(`not installed: ${missing.map(({ name }) => name).join(', ')}. To install: ${INSTALL}`);
    const chosen = installed.filter(({ name }) => !only || only.some((word) => name.includes(word)));

    await makeCentrals(ground.db);
    await fillHistory(ground.db, deliveries);
    await copyTables(ground.db);
    const contestants = [await startMalote(ground, serve, deliveries)];
    for (const peer of chosen)
      contestants.push(await startPeer(ground, peer, contestants.length, deliveries));

    console.log(
      `\nmalote ${serve.join(' ')}; ${deliveries} deliveries, ${connections} connections, pool ${POOL}, ${rounds} rounds of ${seconds} s taking turns, ` +
        `${cpus().length} cores (${process.arch}), Node ${process.versions.node}`,
    );
    const [own] = await ground.db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);
    for (const noun of NOUNS.filter((name) => !rows || rows.some((word) => name.includes(word)))) {
      const results = contestants.map((): Round[] => []);
      for (const contestant of contestants)
        await measure(contestant, noun, postmaster, { connections, seconds: 2 });
      for (let round = 0; round < rounds; round += 1)
        for (const [index, contestant] of contestants.entries())
          results[index]!.push(await measure(contestant, noun, postmaster, { connections, seconds }));
      print(noun, contestants, results);
    }
    console.log('\nstart-up until the first answer, and memory at the end');
    for (const { name, service, startedMs } of contestants)
      console.log(
        `  ${name.padEnd(16)} ${String(startedMs).padStart(6)} ms ${String(residentMegabytes(service)).padStart(5)} MB`,
      );
  });

async function startMalote(
  { startMalote }: Ground,
  serve: readonly string[],
  deliveries: number,
): Promise<Contestant> {
  const begun = performance.now();
  const service = startMalote(serve, {
    PORT: String(FIRST_PORT),
    MALOTE_POOL: String(POOL),
    MALOTE_LOG: 'info',
  });
  await answers(FIRST_PORT);
  const startedMs = Math.round(performance.now() - begun);
  const base = '/api/v2/integracao';
  const headers = (centralId: number) => ({
    'api-key': apiKeyOf(centralId),
    authorization: basic('central'),
    'content-type': 'application/json',
  });
  const page = JSON.stringify({ pagina: 1, limite: PAGE_SIZE });
  const order = JSON.stringify({
    forma_pagamento: 'D',
    partida: {
      endereco: 'Rua dos Andradas, 1001',
      bairro: 'Centro Histórico',
      lat: '-30.0305',
      lng: '-51.2303',
    },
    paradas: [0, 1, 2].map((index) => ({
      endereco_parada: `Avenida Ipiranga, ${1200 + index}`,
      bairro_parada: 'Azenha',
      lat_parada: String(-30.0489 - index * 0.001),
      lng_parada: '-51.2158',
      numero_pedido: `P-${index}`,
    })),
  });
  return {
    name: 'Malote',
    url: `http://127.0.0.1:${FIRST_PORT}`,
    service,
    startedMs,
    requests: {
      status: targets(deliveries).map(({ centralId, id }) => ({
        method: 'GET',
        path: `${base}/entregas/${id}/status`,
        headers: headers(centralId),
      })),
      'page of 100': centralIds.map((id) => ({
        method: 'POST',
        path: `${base}/entregas/consultar`,
        headers: headers(id),
        body: page,
      })),
      create: centralIds.map((id) => ({
        method: 'POST',
        path: `${base}/entregas`,
        headers: { ...headers(id), authorization: basic('gerente') },
        body: order,
      })),
    },
  };
}

async function startPeer(ground: Ground, peer: Peer, index: number, deliveries: number): Promise<Contestant> {
  const port = FIRST_PORT + index;
  const url = `http://127.0.0.1:${port}`;
  await peer.prepare?.(ground);
  const begun = performance.now();
  const service = ground.startScript(`bench/peers/${peer.script}`, {
    PORT: String(port),
    DATABASE_URL: databaseUrlOf(ground.connection),
    PEER_POOL: String(POOL),
    NODE_ENV: 'production',
    ...peer.env?.(ground),
  });
  await answers(port);
  const startedMs = Math.round(performance.now() - begun);
  const words = typeof peer.requests === 'function' ? await peer.requests(url) : peer.requests;
  await assertAnswersTheSame(ground.db, peer.name, url, words);
  const created = await newDeliveries(ground.db);
  return {
    name: peer.name,
    url,
    service,
    startedMs,
    requests: {
      status: targets(deliveries).map(({ id }) => words.status(id)),
      'page of 100': centralIds.map((id) => words.page(id, PAGE_SIZE)),
      create: created.map((delivery) => words.create(delivery)),
    },
  };
}

const centralIds = Array.from({ length: CENTRALS }, (_, index) => index + 1);
const IDS_PER_CENTRAL = 10_000_000;

function targets(deliveries: number): { centralId: number; id: number }[] {
  return Array.from({ length: STATUS_REQUESTS }, (_, index) => {
    const centralId = (index % CENTRALS) + 1;
    const nth = 1 + Math.floor(Math.random() * (deliveries / CENTRALS));
    return { centralId, id: (centralId - 1) * IDS_PER_CENTRAL + nth };
  });
}

async function copyTables(db: Database): Promise<void> {
  const text = readFileSync('bench/peers/tables.sql', 'utf8');
  // One statement at a time: the connection without a time limit takes single statements only.
  for (const statement of text.split(/;\n/)) if (statement.trim()) await runText(db.unhurried, statement, []);
  for (const table of ['deliveries', 'stops'])
    await runText(db.unhurried, `vacuum (analyze) peers.${table}`, []);
}

/** Creations for each central, with references to its own registers. */
async function newDeliveries(db: Database): Promise<NewDelivery[]> {
  const rows = await db<{ delivery: NewDelivery }>`
    select distinct on (central_id) to_jsonb(d) - 'id' as delivery from peers.deliveries d order by central_id, id`;
  return rows.map(({ delivery }) => ({
    ...Object.fromEntries(NEW_DELIVERY_COLUMNS.map((column) => [column, delivery[column]])),
    status: 'distributing',
    payment: 'cash',
    has_return: false,
    stops: [0, 1, 2].map((position) => ({
      position,
      address: `Avenida Ipiranga, ${1200 + position}`,
      district: 'Azenha',
      city: 'Porto Alegre',
      state: 'RS',
      lat: -30.0489 - position * 0.001,
      lng: -51.2158,
      order_number: `P-${position}`,
    })),
  }));
}

/** Asserts equal answers: a peer that omits something would be faster without merit. */
async function assertAnswersTheSame(
  db: Database,
  name: string,
  url: string,
  words: PeerRequests,
): Promise<void> {
  const ask = async ({ path, ...request }: LoadRequest): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${name}: ${path} answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as { errors?: unknown };
    if (answer.errors) throw new Error(`${name}: ${path} answered ${text}`);
    return answer;
  };
  const expected = await db<{ delivery: never }>`
    select to_jsonb(d) || jsonb_build_object(
        'company', (select to_jsonb(c) from peers.companies c where c.id = d.company_id),
        'customer', (select to_jsonb(c) from peers.customers c where c.id = d.customer_id),
        'driver', (select to_jsonb(c) from peers.drivers c where c.id = d.driver_id),
        'category', (select to_jsonb(c) from peers.categories c where c.id = d.category_id),
        'tariff', (select to_jsonb(c) from peers.tariffs c where c.id = d.tariff_id),
        'stops', (select jsonb_agg(to_jsonb(s) order by position) from peers.stops s where delivery_id = d.id)
      ) as delivery
    from peers.deliveries d where central_id = 2 order by requested_at desc, id desc limit 100`;
  const page = words.readPage(await ask(words.page(2, PAGE_SIZE))).map(contentOf);
  const wanted = expected.map(({ delivery }) => contentOf(delivery));
  const odd = wanted.findIndex((delivery, index) => !isDeepStrictEqual(delivery, page[index]));
  if (odd >= 0 || page.length !== wanted.length)
    throw new Error(
      `${name} answers another page:\n${JSON.stringify(page[odd])}\ninstead of\n${JSON.stringify(wanted[odd])}`,
    );
  const { id, status } = wanted[0] as { id: string; status: string };
  if (words.readStatus(await ask(words.status(Number(id)))) !== status)
    throw new Error(`${name} answers another status`);
  const created = Number(words.readId(await ask(words.create((await newDeliveries(db))[1]!))));
  const [count] = await db<{ stops: number; events: number }>`
    select (select count(*) from peers.stops where delivery_id = ${created}) as stops,
      (select count(*) from peers.events where delivery_id = ${created}) as events`;
  if (count!.stops !== 3 || count!.events !== 1)
    throw new Error(`${name} created ${count!.stops} stops and ${count!.events} events`);
  await db`delete from peers.events where delivery_id = ${created}`;
  await db`delete from peers.stops where delivery_id = ${created}`;
  await db`delete from peers.deliveries where id = ${created}`;
}

/** Prisma downloads its migration engine by default. It is not needed here, so any program may stand in for it. */
function generatePrismaClient(): void {
  if (existsSync('bench/peers/generated/client.ts')) return;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma'],
    {
      cwd: 'bench/peers',
      encoding: 'utf8',
      env: { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    },
  );
  if (status !== 0) throw new Error(`prisma generate: ${stderr}`);
}
