import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  total: number;
  perSecond: number;
  p50: number;
  p99: number;
}

/** Sends the requests repeatedly over `connections` sockets. Any status but 200 ends the bench. */
export async function load(
  url: string,
  requests: LoadRequest[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const result = await autocannon({ url, connections, duration: seconds, requests });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return {
    total: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

const TICK_MS = 5;

/**
 * Sends this many requests per second at an even rate, whether or not earlier ones are answered. autocannon sends them
 * in bursts.
 */
export async function loadSteadily(
  url: string,
  requests: LoadRequest[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const underWay: Promise<number>[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1000) {
    const wanted = ((performance.now() - begun) / 1000) * perSecond;
    while (underWay.length < wanted)
      underWay.push(millisecondsOf(url, requests[underWay.length % requests.length]!, agent));
    await sleep(TICK_MS);
  }
  const took = (await Promise.all(underWay)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)]! * 10) / 10;
  return { total: took.length, perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99) };
}

function millisecondsOf(
  url: string,
  { method, path, headers = {}, body }: LoadRequest,
  agent: Agent,
): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = send(`${url}${path}`, { method, headers, agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - begun));
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
    });
    request.on('error', reject).end(body);
  });
}

export interface Contestant {
  name: string;
  url: string;
  requests: LoadRequest[];
}

/** Runs the contestants in turns, so that other load on the machine affects all alike. The median round counts. */
export async function compare(
  contestants: readonly Contestant[],
  options: { connections: number; seconds: number; rounds: number },
): Promise<LoadResult[]> {
  const results = contestants.map((): LoadResult[] => []);
  for (const { url, requests } of contestants) await load(url, requests, { ...options, seconds: 2 });
  for (let round = 0; round < options.rounds; round += 1)
    for (const [index, { url, requests }] of contestants.entries())
      results[index]!.push(await load(url, requests, options));
  return results.map((rounds) => rounds.sort((a, b) => a.perSecond - b.perSecond)[rounds.length >> 1]!);
}

export function print(name: string, { perSecond, p50, p99 }: LoadResult): void {
  console.log(`  ${name.padEnd(60)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50} ms   p99 ${p99} ms`);
}
