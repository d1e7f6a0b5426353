import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { requestDurations } from './requestDurations.ts';

const labelNames = ['method', 'route', 'status'] as const;

test('durations are reported exactly as a histogram of prom-client reports them', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const requestsOf = requestDurations(ours);
  const histogram = new Histogram({
    name: 'malote_http_request_duration_seconds',
    help: 'Answered requests by method, route and status; _count counts them',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  });
  assert.equal(await ours.metrics(), await theirs.metrics(), 'before the first request');
  for (const [status, seconds] of [
    [200, [0, 0.0004, 0.001, 0.0011, 0.3, 10, 10.01, 75]],
    [404, [0.02]],
  ] as const) {
    const observe = requestsOf({ method: 'GET', route: '/a/:id', status });
    for (const each of seconds) {
      observe(each);
      histogram.observe({ method: 'GET', route: '/a/:id', status: String(status) }, each);
    }
  }
  assert.equal(await ours.metrics(), await theirs.metrics());
});
