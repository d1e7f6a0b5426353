import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../client/src/index.ts';
import { type Client, client, type Json } from '../../support/client.ts';
import { testDatabase } from '../../support/database.ts';
import {
  databaseUrlOf,
  type MaloteProcess,
  runMalote,
  type Service,
  spawnMalote,
  startService,
} from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { startReceiver, type WebhookReceiver, withStatus } from '../../support/webhookReceiver.ts';

const env = { DATABASE_URL: databaseUrlOf(await testDatabase(undefined, 'demo')) };
// Without background work a delivery has only the events that the test makes.
const service = await startService(env, ['--no-work']);

const login = (user: string, base: 'integracao' | 'operacao', key = 'demo-chave'): Client =>
  client(`${service.url}/api/v2/${base}`, { key, user, password: 'demo' });
const manager = login('gerente', 'integracao');
const manager2 = login('gerente2', 'integracao');
const operator = login('central', 'operacao');
const neighbour = login('vizinha', 'operacao', 'demo-vizinha');

async function newProgram(fields: Record<string, unknown> = {}, by = operator) {
  const body = { descricao: 'Loja', permissoes: ['watch', 'webhooks'], ...fields };
  return assertOk(await by.post('/programas', body)).body.data as { id: string; token: string };
}

const open = async (by = manager): Promise<string> =>
  assertOk(await by.post('/entregas', order())).body.data.id_mch;

/** `malote listen`, once it listens. */
async function listen(
  t: TestContext,
  token: string,
  args: readonly string[] = [],
  { url = service.url } = {},
): Promise<MaloteProcess> {
  const malote = spawnMalote(['listen', '--url', url, ...args], { env: { MALOTE_TOKEN: token } });
  t.after(() => void malote.child.kill('SIGKILL'));
  await waitUntil(
    () => `it listens: ${malote.stderr()}`,
    () => malote.stderr().includes('Listening to '),
  );
  return malote;
}

const secretOf = ({ stderr }: MaloteProcess): string => /whsec_\S+/.exec(stderr())![0];

const lines = ({ stdout }: MaloteProcess): string[] => stdout().split('\n').filter(Boolean);

const arrived = (receiver: WebhookReceiver, count: number) =>
  waitUntil(
    () => `${count} events have come, ${receiver.arrivals.length} so far`,
    () => receiver.arrivals.length >= count,
  );

/** The port of a program that is not running. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await waitUntil('it listens', () => server.address() !== null);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('events are posted signed, as a webhook would, and each has a line', async (t) => {
  const receiver = await startReceiver(t);
  const { token } = await newProgram();
  const malote = await listen(t, token, ['--forward', receiver.url]);
  const id = await open();
  await arrived(receiver, 1);
  const [{ text, headers, body }] = receiver.arrivals as [Json];
  assert.equal(body.data.id, id);
  assert.deepEqual(new Webhook(secretOf(malote)).verify(text, headers), body);
  const event = await verifyWebhook({ headers, body: text, secret: secretOf(malote) });
  assert.equal(event.id, headers['webhook-id']);
  await assert.rejects(verifyWebhook({ headers, body: `${text} `, secret: secretOf(malote) }));
  assert.match(headers['content-type'], /^application\/json/);
  await waitUntil('its line is printed', () => lines(malote).length === 1);
  assert.match(
    lines(malote)[0]!,
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}entrega\\.status +${id} +204 +\\d+ ms {2}\\d+$`),
  );
});

test('the same token has the same secret, another token another one', async (t) => {
  const { url } = await startReceiver(t);
  const [one, other] = [await newProgram(), await newProgram()];
  const secrets = [];
  for (const { token } of [one, one, other])
    secrets.push(secretOf(await listen(t, token, ['--forward', url])));
  assert.equal(secrets[0], secrets[1]);
  assert.notEqual(secrets[0], secrets[2]);
  assert.ok(!secrets.some((secret) => secret.includes(one.token)));
});

test('Ctrl-C ends it at once, also while the local program hangs', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => {};
  const { token } = await newProgram();
  const malote = await listen(t, token, ['--forward', receiver.url]);
  await open();
  await arrived(receiver, 1);
  const begun = performance.now();
  malote.child.kill('SIGINT');
  const { code, stderr } = await malote.ended;
  assert.equal(code, 0, stderr);
  assert.ok(performance.now() - begun < 5_000);
  assert.match(stderr, /1 events were not delivered; start again with the same --since\n$/);
  assert.doesNotMatch(stderr, /\.ts:\d+/);
});

test('a program that hangs, breaks the connection or is slow gets the event again, in order', async (t) => {
  const receiver = await startReceiver(t);
  const misbehaviours: WebhookReceiver['answer'][] = [
    () => {},
    (_arrival, _response, request) => void request.socket.destroy(),
    (_arrival, response) => void setTimeout(() => response.writeHead(200).end('ok'), 300),
  ];
  receiver.answer = (...given) => (misbehaviours.shift() ?? withStatus(204))(...given);
  const { token } = await newProgram();
  const malote = await listen(t, token, ['--forward', receiver.url]);
  const id = await open();
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  await arrived(receiver, 4);
  assert.deepEqual(
    receiver.arrivals.map(({ body }) => body.data.sequencia),
    [1, 1, 1, 2],
  );
  assert.equal(new Set(receiver.arrivals.slice(0, 3).map(({ id: uid }) => uid)).size, 1);
  const secret = secretOf(malote);
  for (const { text, headers } of receiver.arrivals) new Webhook(secret).verify(text, headers);
  await waitUntil('all lines are printed', () => lines(malote).length === 4);
  const [first, second, third, fourth] = lines(malote);
  assert.match(first!, / no answer +1\d{4} ms .*no answer within 10000 ms; again in 1 s$/);
  assert.match(second!, / no answer .*; again in 5 s$/);
  assert.match(third!, / 200 +\d{3,} ms {2}\d+$/);
  assert.match(fourth!, / 204 /);
});

test('a program that is not running is named, and gets the events when it runs', async (t) => {
  const receiver = await startReceiver(t);
  const { token } = await newProgram();
  const malote = await listen(t, token, ['--forward', receiver.url]);
  const away = receiver.goAway(4_000);
  const id = await open();
  await waitUntil('it says so', () => /no answer .*ECONNREFUSED.*again in 1 s/.test(malote.stdout()));
  await away;
  await arrived(receiver, 1);
  assert.equal(receiver.arrivals[0]!.body.data.id, id);
});

test('an event that is never taken is skipped after four attempts, and does not hold up others', async (t) => {
  const receiver = await startReceiver(t);
  const { token } = await newProgram();
  const malote = await listen(t, token, ['--forward', receiver.url]);
  const stuck = await open();
  receiver.answer = ({ body }, response) => response.writeHead(body.data.id === stuck ? 500 : 204).end();
  const other = await open();
  await waitUntil('the other one has come', () =>
    receiver.arrivals.some(({ body }) => body.data.id === other),
  );
  await waitUntil('it is skipped', () => malote.stdout().includes('skipped after 4 attempts'));
  const attempts = receiver.arrivals.filter(({ body }) => body.data.id === stuck);
  assert.ok(attempts.length === 4 || attempts.length === 5, String(attempts.length));
  assert.match(malote.stdout(), / 500 .* again in 5 s\n/);
});

test('a company hears of its own deliveries only, and a central of no other', async (t) => {
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver(t)));
  const tokens = [
    (await newProgram({ empresa_id: 2 })).token,
    (await newProgram()).token,
    (await newProgram({}, neighbour)).token,
  ];
  for (const [index, token] of tokens.entries()) await listen(t, token, ['--forward', receivers[index]!.url]);
  const [first, second] = [await open(manager), await open(manager2)];
  await arrived(receivers[1]!, 2);
  await arrived(receivers[0]!, 1);
  const told = receivers.map(({ arrivals }) => arrivals.map(({ body }) => String(body.data.id)).toSorted());
  assert.deepEqual(told, [[second], [first, second].toSorted(), []]);
});

test('--since begins in the past: a time ago, an instant or an event; --types chooses', async (t) => {
  const before = new Date().toISOString();
  const { token } = await newProgram({ empresa_id: 1 });
  const [first, second] = [await open(), await open()];
  const told = (malote: MaloteProcess) => lines(malote).map((line) => line.split(/ +/)[2]!);
  const byInstant = await listen(t, token, ['--since', before, '--types', 'entrega.status,entrega.agrupada']);
  await waitUntil('both', () => told(byInstant).length === 2);
  assert.deepEqual(told(byInstant), [first, second]);
  const eventId = lines(byInstant)[0]!.split(/ +/).at(-1)!;
  const byEvent = await listen(t, token, ['--since', eventId, '--bodies']);
  await waitUntil('the second with its body', () => lines(byEvent).length === 2);
  assert.equal(JSON.parse(lines(byEvent)[1]!).data.id, second);
  const byTime = await listen(t, token, ['--since', '1h']);
  await waitUntil('both and more', () => told(byTime).includes(second));
  assert.ok(told(byTime).includes(first));
  const none = await listen(t, token, ['--since', '1h', '--types', 'programada.disparada']);
  await waitUntil('it is read', () => told(byTime).length > 1);
  assert.deepEqual(lines(none), []);
});

test('nothing is lost or doubled when the service ends and starts again while events are made', async (t) => {
  const receiver = await startReceiver(t);
  const { token } = await newProgram({ empresa_id: 1 });
  const port = await freePort();
  const start = (): Promise<Service> => startService({ ...env, PORT: String(port) }, ['--no-work']);
  let relay = await start();
  const malote = await listen(t, token, ['--forward', receiver.url], { url: relay.url });
  const opened: string[] = [];
  let isOver = false;
  const making = (async () => {
    while (!isOver) opened.push(await open());
  })();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const count = receiver.arrivals.length;
    await arrived(receiver, count + 5);
    relay.signal(signal);
    await relay.ended;
    const missed = opened.length;
    await waitUntil('events are missed', () => opened.length >= missed + 5);
    relay = await start();
    await waitUntil('they come', () => receiver.arrivals.length > missed);
  }
  isOver = true;
  await making;
  await arrived(receiver, opened.length);
  const told = receiver.arrivals.map(({ body }) => String(body.data.id));
  assert.deepEqual(told.toSorted(), opened.toSorted());
  assert.match(malote.stderr(), /no connection to [^\n]+; next attempt in \d+ s/);
  assert.match(malote.stderr(), /Connected again/);
});

test('a token that is revoked while it listens ends it with a clear message', async (t) => {
  const { id, token } = await newProgram();
  const malote = await listen(t, token);
  assertOk(await operator.delete(`/programas/${id}`));
  const { code, stderr } = await malote.ended;
  assert.equal(code, 1);
  assert.match(stderr, /^malote: the token was revoked or has expired: the stream has ended \(401 .+\)$/m);
  assert.doesNotMatch(stderr, /\.ts:\d+/);
});

const refusals: [args: string[], token: string | undefined, code: number, said: RegExp][] = [
  [['listen'], undefined, 2, /^malote: there is no token: give --token or set MALOTE_TOKEN/],
  [['listen'], 'malote_1_wrong', 1, /^malote: the token is wrong, has expired or was revoked \(401 .+\)\n$/],
  [
    ['trigger', 'entrega.status'],
    'x',
    1,
    /^malote: the token is wrong, has expired or was revoked \(401 .+\)\n$/,
  ],
  [
    ['listen', '--since', 'ontem'],
    'x',
    2,
    /--since is "ontem", but must be a time ago such as 30m, 2h or 7d/,
  ],
  [
    ['listen', '--forward', 'localhost:8080'],
    'x',
    2,
    /--forward is "localhost:8080", but must be an http address/,
  ],
  [['listen', '--url', 'ftp://x'], 'x', 2, /--url is "ftp:\/\/x", but must be an http address/],
  [['trigger'], 'x', 2, /<type> is missing/],
  [['trigger', 'entrega.status', '--webhook', 'x'], 'x', 2, /--webhook is "x", but must be a whole number/],
];
for (const [args, token, code, said] of refusals)
  test(`malote ${args.join(' ')} with the token ${token} ends with ${code} and says why`, async () => {
    const address = args.includes('--url') ? [] : ['--url', service.url];
    const ended = await runMalote([...args, ...address], {
      env: token === undefined ? {} : { MALOTE_TOKEN: token },
    });
    assert.deepEqual([ended.code, ended.stdout], [code, '']);
    assert.match(ended.stderr, said);
    assert.doesNotMatch(ended.stderr, /\.ts:\d+/);
  });

test('what the service refuses is said in its words, and ends the command', async () => {
  const reader = await newProgram({ permissoes: ['watch'] });
  const other = await newProgram({ permissoes: ['order'] });
  const run = (token: string, ...args: string[]) =>
    runMalote([...args, '--url', service.url, '--token', token]);
  const said = async (token: string, ...args: string[]) => {
    const { code, stderr } = await run(token, ...args);
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(await said(other.token, 'listen'), /the token may not do this \(403 .*watch/);
  assert.match(
    await said(reader.token, 'trigger', 'entrega.status'),
    /the token may not do this \(403 .*webhooks/,
  );
  assert.match(
    await said(reader.token, 'listen', '--types', 'entrega.nada'),
    /'tipos': must be types separated/,
  );
  assert.match(
    await said(reader.token, 'listen', '--since', '99999999'),
    /'desde': is not the id of an event/,
  );
  const trigger = (await newProgram()).token;
  assert.match(await said(trigger, 'trigger', 'entrega.nada'), /'tipo': must be one of: entrega\.status/);
  assert.match(await said(trigger, 'trigger', 'entrega.status', '--webhook', '999'), /^malote: 404 /);
  const port = await freePort();
  const gone = await runMalote([
    'trigger',
    'entrega.status',
    '--url',
    `http://127.0.0.1:${port}`,
    '--token',
    'x',
  ]);
  assert.deepEqual(
    [gone.code, gone.stderr],
    [1, `malote: no answer from http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}\n`],
  );
});

test('a service that is not there yet is waited for', async (t) => {
  const port = await freePort();
  const malote = spawnMalote(['listen', '--url', `http://127.0.0.1:${port}`, '--token', 'x']);
  t.after(() => void malote.child.kill('SIGKILL'));
  await waitUntil('it tries again', () => /ECONNREFUSED.*next attempt in 2 s/.test(malote.stderr()));
  malote.child.kill('SIGINT');
  assert.equal((await malote.ended).code, 0);
});

test('a trigger reaches the listener of the same token', async (t) => {
  const receiver = await startReceiver(t);
  const { token } = await newProgram({ empresa_id: 1 });
  const malote = await listen(t, token, ['--forward', receiver.url, '--types', 'entrega.agrupada']);
  const sent = await runMalote([
    'trigger',
    'entrega.parada_concluida',
    '--url',
    service.url,
    '--token',
    token,
  ]);
  assert.deepEqual([sent.code, sent.stderr], [0, '']);
  const [, uid] = /^entrega\.parada_concluida sent to the listeners of this token, event (\S+)\n$/.exec(
    sent.stdout,
  )!;
  await arrived(receiver, 1);
  const [{ text, headers, body }] = receiver.arrivals as [Json];
  assert.deepEqual(new Webhook(secretOf(malote)).verify(text, headers), body);
  assert.deepEqual([body.type, body.test, headers['webhook-id']], ['entrega.parada_concluida', true, uid]);
});

after(() => service.signal('SIGTERM'));
