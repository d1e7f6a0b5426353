import autocannon from 'autocannon';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Sends the requests round and round over `connections` sockets; anything but 200 ends the bench. */
export async function load(
  url: string,
  requests: LoadRequest[],
  { connections, seconds, perSecond }: { connections: number; seconds: number; perSecond?: number },
): Promise<LoadResult> {
  const pace = perSecond === undefined ? {} : { overallRate: perSecond };
  const result = await autocannon({ url, connections, duration: seconds, requests, ...pace });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

export interface Contestant {
  name: string;
  url: string;
  requests: LoadRequest[];
}

/** Takes turns, so that whatever else the machine does falls on all alike; the median round counts. */
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
  console.log(`  ${name.padEnd(48)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50} ms   p99 ${p99} ms`);
}
