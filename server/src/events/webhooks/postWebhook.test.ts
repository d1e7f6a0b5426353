import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startReceiver, type WebhookReceiver, withStatus } from '../../../../test/support/webhookReceiver.ts';
import { type PostOptions, postWebhook } from './postWebhook.ts';

const post = (url: string, options: Partial<PostOptions> = {}) =>
  postWebhook(
    url,
    '{"type":"x"}',
    { 'webhook-id': 'm-1' },
    { allowPrivate: true, timeLimitMs: 2_000, ...options },
  );

const portOf = ({ url }: WebhookReceiver): string => new URL(url).port;

test('a message is posted as JSON, and the answer is returned', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = withStatus(201, 'obrigado');
  const result = await post(receiver.url);
  assert.equal(result.status, 201);
  assert.equal(result.answer, 'obrigado');
  assert.equal(result.error, null);
  assert.ok(result.durationMs >= 0);
  const [arrival] = receiver.arrivals;
  assert.equal(arrival?.text, '{"type":"x"}');
  assert.equal(arrival?.headers['content-type'], 'application/json');
  assert.equal(arrival?.headers['webhook-id'], 'm-1');
});

test('a redirect is an answer like any other, and is not followed', async (t) => {
  const receiver = await startReceiver(t);
  const other = await startReceiver(t);
  receiver.answer = (_arrival, response) => response.writeHead(302, { location: other.url }).end();
  assert.equal((await post(receiver.url)).status, 302);
  assert.equal(other.arrivals.length, 0);
});

test('of a big answer only the first bytes are read', async (t) => {
  const receiver = await startReceiver(t);
  let isCut = false;
  receiver.answer = (_arrival, response) => {
    response.on('close', () => {
      isCut = true;
    });
    response.writeHead(200);
    const more = () => {
      while (response.write('á'.repeat(10_000)));
      response.once('drain', more);
    };
    more();
  };
  const result = await post(receiver.url);
  assert.equal(result.status, 200);
  assert.equal(Buffer.byteLength(result.answer ?? ''), 500);
  while (!isCut) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a binary answer can be stored', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_arrival, response) => response.writeHead(200).end(Buffer.from([0, 0xff, 0xc3, 0x41]));
  assert.equal((await post(receiver.url)).answer, '\ufffd\ufffdA');
});

test('a silent receiver, and one that answers byte by byte, are given up in time', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => {};
  assert.match((await post(receiver.url, { timeLimitMs: 100 })).error ?? '', /no answer within 100 ms/);
  receiver.answer = (_arrival, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  };
  const result = await post(receiver.url, { timeLimitMs: 150 });
  assert.equal(result.status, null);
  assert.match(result.error ?? '', /no answer within 150 ms/);
});

test('a receiver that closes the connection before or during the answer has not received the message', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_arrival, response) => void response.destroy();
  assert.equal((await post(receiver.url)).status, null);
  receiver.answer = (_arrival, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('hal');
    setTimeout(() => response.destroy(), 20);
  };
  const result = await post(receiver.url);
  assert.equal(result.status, null);
  assert.ok(result.error);
});

test('a refused connection, or an answer that is not HTTP, is a result and not an error', async (t) => {
  const receiver = await startReceiver(t);
  await receiver.close();
  assert.match((await post(receiver.url)).error ?? '', /ECONNREFUSED/);
});

test('looking the name up counts against the time limit', async () => {
  const never = () => new Promise<string[]>(() => {});
  const result = await post('http://erp.example.com/', { resolve: never, timeLimitMs: 50 });
  assert.match(result.error ?? '', /no answer within 50 ms/);
});

test('a sender that ends aborts an attempt', async (t) => {
  const receiver = await startReceiver(t);
  const ending = new AbortController();
  receiver.answer = () => ending.abort();
  assert.equal((await post(receiver.url, { signal: ending.signal })).status, null);
});

// Outside the demonstration.

const privateAnswers: [what: string, addresses: string[]][] = [
  ['loopback', ['127.0.0.1']],
  ['a private network', ['10.0.0.5']],
  ['the metadata service of a cloud', ['169.254.169.254']],
  ['IPv6 loopback', ['::1']],
  ['a unique local address', ['fd00::1']],
  ['loopback in IPv6 clothes', ['::ffff:127.0.0.1']],
  ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
];

for (const [what, addresses] of privateAnswers)
  test(`a name that resolves to ${what} is not called`, async (t) => {
    const receiver = await startReceiver(t);
    const result = await post(`https://erp.example.com:${portOf(receiver)}/`, {
      allowPrivate: false,
      resolve: async () => addresses,
    });
    assert.equal(result.error, 'the host name leads to a private address');
    assert.equal(receiver.arrivals.length, 0);
  });

test('plain http, credentials and literal private addresses are not called', async (t: TestContext) => {
  const receiver = await startReceiver(t);
  for (const url of [receiver.url, `https://127.0.0.1:${portOf(receiver)}/`, 'https://a:b@example.com/']) {
    const result = await post(url, { allowPrivate: false });
    assert.match(result.error ?? '', /the address may not be called/);
  }
  assert.equal(receiver.arrivals.length, 0);
});

test('the name is looked up once, and the connection uses that address', async (t) => {
  const receiver = await startReceiver(t);
  let lookups = 0;
  // A name server that changes its mind: first this machine, then somewhere else.
  const resolve = async () => {
    lookups += 1;
    return lookups === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
  };
  const result = await post(`http://rebinding.example.com:${portOf(receiver)}/`, { resolve });
  assert.equal(result.status, 204);
  assert.equal(lookups, 1);
  assert.equal(receiver.arrivals[0]?.headers.host, `rebinding.example.com:${portOf(receiver)}`);
});

test('a name without an address, and a resolver that fails, are results', async () => {
  const result = await post('http://nowhere.example.com/', {
    resolve: async () => {
      throw new Error('the host name could not be resolved');
    },
  });
  assert.equal(result.error, 'the host name could not be resolved');
});
