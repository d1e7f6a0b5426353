import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';

/* Another site lets its own name resolve to this machine, and its page asks the service through a browser here. */

const REBOUND = 'rebound.example:3000';

interface Read {
  status: number;
  kind: string | undefined;
  message: string;
}

/** Sends a request with this Host; fetch does not let one choose it. */
function read(url: string, path: string, headers: Record<string, string>): Promise<Read> {
  const { promise, resolve, reject } = Promise.withResolvers<Read>();
  request(url + path, { headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    response.on('end', () => {
      const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
      const errors = isJson ? (JSON.parse(text) as { errors?: { message: string }[] }).errors : undefined;
      resolve({
        status: response.statusCode!,
        kind: response.headers['x-error-kind'] as string | undefined,
        message: errors?.[0]?.message ?? '',
      });
    });
  })
    .on('error', reject)
    .end();
  return promise;
}

const malote = await startMalote({ demonstration: true });
const behindProxy = await startMalote({ behindProxy: true });
const published = await startMalote({ publicUrl: 'https://Entregas.example.com/malote' });

for (const path of ['/console', '/console/sessao', '/metrics', '/readyz', '/openapi.json', '/nowhere'])
  test(`GET ${path}: a name of another site -> 421 misdirected request, with a reason`, async () => {
    const { status, kind, message } = await read(malote.url, path, { host: REBOUND });
    assert.deepEqual([status, kind], [421, 'host-not-served']);
    assert.match(message, /não responde por rebound\.example:3000/);
    const own = await read(malote.url, path, { host: 'localhost:3000' });
    assert.notEqual(own.status, 421);
  });

test('headers of a proxy that nobody configured open nothing', async () => {
  const headers = { host: REBOUND, 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' };
  assert.equal((await read(malote.url, '/readyz', headers)).status, 421);
});

test('the configured public name is answered, other names are not', async () => {
  assert.equal((await read(published.url, '/readyz', { host: 'entregas.example.com' })).status, 200);
  assert.equal((await read(published.url, '/readyz', { host: 'example.com' })).status, 421);
});

test('what a trusted proxy forwards is answered, under the name that its client used', async () => {
  const forwarded = { host: REBOUND, 'x-forwarded-for': '192.0.2.7' };
  assert.equal((await read(behindProxy.url, '/readyz', forwarded)).status, 200);
  const named = { host: 'localhost', 'x-forwarded-host': REBOUND };
  assert.equal((await read(behindProxy.url, '/readyz', named)).status, 200);
  assert.equal((await read(behindProxy.url, '/readyz', { host: REBOUND })).status, 421);
});
