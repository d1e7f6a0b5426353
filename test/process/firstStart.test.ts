import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { client } from '../support/client.ts';
import { dataFolder, postmasterOf, runMalote, START_MS, startService } from '../support/maloteProcess.ts';
import { startedFolder } from '../support/startedFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const folder = await dataFolder();
const service = await startService({ MALOTE_DATA: folder });
await waitUntil('all is printed', () => service.stdout().includes('HOST=0.0.0.0'));
const gerente = client(`${service.url}/api/v2/integracao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});

const curlLines = service
  .stdout()
  .split('\n')
  .filter((line) => line.startsWith('curl '));

const paste = async (line: string) => JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout);

test('a first start prints where everything is and who may log in', () => {
  const printed = service.stdout();
  for (const words of [
    `${service.url}/api/v2/integracao`,
    `${service.url}/docs`,
    'demo-chave',
    'demo-vizinha',
  ])
    assert.ok(printed.includes(words), `${words} is not in:\n${printed}`);
  for (const login of ['central / demo', 'gerente / demo', 'gerente2 / demo', 'condutor1', 'vizinha / demo'])
    assert.ok(printed.includes(login), `${login} is not in:\n${printed}`);
  assert.equal(service.stderr(), '');
});

test('every printed curl line works as pasted', async () => {
  assert.equal(curlLines.length, 2);
  for (const line of curlLines) {
    const answer = await paste(line);
    assert.equal(answer.success, true, line);
  }
});

test('the curl line that opens a delivery opens one', async () => {
  const listed = async () =>
    (await gerente.post('/entregas/consultar')).body.data.map(({ id }: { id: string }) => id);
  const before = await listed();
  const { data } = await paste(curlLines[1]!);
  assert.ok(!before.includes(data.id_mch));
  assert.ok((await listed()).includes(data.id_mch));
});

test('a second start on the same data folder says so in one line and exits', async () => {
  const second = await runMalote(['serve'], { env: { MALOTE_DATA: folder, PORT: '0' } });
  assert.equal(second.code, 1);
  assert.equal(
    second.stderr,
    `malote: the data folder ${folder} is in use by another malote (process ${service.child.pid})\n`,
  );
});

test('a port in use is named in one line, and the database is stopped again', async () => {
  const other = await startedFolder();
  const { code, stderr } = await runMalote(['serve'], {
    env: { MALOTE_DATA: other, PORT: new URL(service.url).port, MALOTE_DEMO: 'empty' },
  });
  assert.equal(code, 1);
  assert.match(stderr, /^malote: port \d+ is in use: [^\n]+\n$/);
  assert.equal(postmasterOf(other), undefined);
});

test('commands work beside the running service, which accepts their keys and users at once', async () => {
  const env = { MALOTE_DATA: folder };
  const central = await runMalote(['central', 'create', '--name', 'Nova', '--time-zone', 'America/Recife'], {
    env,
  });
  assert.deepEqual([central.code, central.stdout, central.stderr], [0, '3\n', '']);
  const key = await runMalote(['key', 'create', '--central', '3', '--label', 'loja'], { env });
  assert.match(key.stdout, /^mal_[\w-]{43}\n$/);
  const user = await runMalote(['user', 'create', '--central', '3', '--name', 'olga', '--role', 'operator'], {
    env,
    input: 'uma senha boa\n',
  });
  assert.deepEqual([user.code, user.stderr], [0, '']);
  const olga = client(`${service.url}/api/v2/integracao`, {
    key: key.stdout.trim(),
    user: 'olga',
    password: 'uma senha boa',
  });
  assert.deepEqual((await olga.post('/entregas/consultar')).body, { success: true, data: [] });
});

const root = join(import.meta.dirname, '../..');

/** Runs in a process group, so that the test can end all of it in any case. */
function run(command: string, args: string[], env: Record<string, string>): ChildProcess {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(MALOTE_|NODE_|npm_|DATABASE_URL$)/i.test(name),
  );
  const child = spawn(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  });
  return child;
}

const ways: [command: string, ...args: string[]][] = [
  ['npm', 'start'],
  ['npm', 'run', 'malote', '--', 'serve'],
  ['npx', 'malote', 'serve'],
];

for (const [command, ...args] of ways)
  test(`SIGTERM to "${[command, ...args].join(' ')}" ends the service and its database`, async () => {
    const folder = await startedFolder();
    const child = run(command, args, { MALOTE_DATA: folder, MALOTE_DEMO: 'empty', PORT: '0' });
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await waitUntil('the service listens', () => printed.includes('/docs'), START_MS);
    child.kill('SIGTERM');
    await once(child, 'close');
    await waitUntil('PostgreSQL has ended', () => postmasterOf(folder) === undefined);
    assert.match(printed, /"msg":"stopping"/);
  });
