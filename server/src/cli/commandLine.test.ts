import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { command, type Listed } from './command.ts';
import { runCommandLine } from './commandLine.ts';
import { commands } from './commands.ts';

/** Runs a command line in this process; returns its exit code and its output. */
async function run(t: TestContext, args: readonly string[], known: readonly Listed[] = commands) {
  const printed = { log: '', error: '' };
  for (const name of ['log', 'error'] as const)
    t.mock.method(console, name, (text: string) => {
      printed[name] += `${text}\n`;
    });
  const code = await runCommandLine(known, '1.2.3', args);
  t.mock.restoreAll();
  return { code, stdout: printed.log, stderr: printed.error };
}

test('help lists every command', async (t) => {
  const { code, stdout, stderr } = await run(t, ['help']);
  assert.deepEqual([code, stderr], [0, '']);
  for (const { name } of commands) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
});

for (const { name, load } of commands)
  test(`malote ${name} explains itself and all its options`, async (t) => {
    const words = name.split(' ');
    const { code, stdout } = await run(t, ['help', ...words]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^Usage: malote ${name}\\b`, 'm'));
    for (const [option, { positional, value }] of Object.entries((await load()).options))
      assert.match(stdout, new RegExp(positional ? `^  <${value}>` : `^  --${option}\\b`, 'm'));
    assert.equal((await run(t, [...words, '--help'])).stdout, stdout);
  });

test('the version is printed in all the usual ways', async (t) => {
  for (const args of [['version'], ['--version'], ['-v']])
    assert.deepEqual(await run(t, args), { code: 0, stdout: '1.2.3\n', stderr: '' });
});

const misuses: [args: string[], said: RegExp[]][] = [
  [[], [/^Usage: malote <command>/m]],
  [['serv'], [/there is no command "serv"/]],
  [['--port', '80'], [/there is no option --port/]],
  [['central'], [/say which: central create/]],
  [['help', 'nothing'], [/there is no command "nothing"/]],
  [['serve', '--no-work=yes'], [/--no-work takes no value/]],
  [
    ['user', 'create', 'ana', '--central', '0', '--colour', '--name', 'a:b'],
    [
      /"ana" is not expected here/,
      /--central is "0"/,
      /no option --colour/,
      /--name is "a:b"/,
      /--role <role> is missing/,
    ],
  ],
  [['user', 'create', '--central', '1', '--name', 'ana', '--role', 'manager'], [/a manager needs --company/]],
  [
    ['user', 'create', '--central', '1', '--name', 'ana', '--role', 'operator', '--driver', '1'],
    [/--driver is only for a driver/],
  ],
  [['key', 'create', '--label', '--central', '1'], [/--label needs a <text>/]],
  [['key', 'create', '--central', '1', '--central', '2', '--label', 'x'], [/--central is given twice/]],
  [['central', 'create', '--name', 'Nova', '--time-zone', '-03:00'], [/--time-zone needs a <zone>/]],
  [
    ['central', 'create', '--name', ' ', '--time-zone=Porto'],
    [/--name is " "/, /--time-zone is "Porto"/],
  ],
  // Names that look like others, or like nothing. The second mistake keeps the command from running.
  [
    ['central', 'create', '--name', '\u200b\u2060', '--time-zone=Porto'],
    [/--name is .*must not be empty/, /--time-zone is "Porto"/],
  ],
  [
    ['key', 'create', '--central', '0', '--label', '\u200b \u2060'],
    [/--label is .*must not be empty/, /--central is "0"/],
  ],
  ...['cent\u200bral', 'ｃｅｎｔｒａｌ'].map((name): [string[], RegExp[]] => [
    ['user', 'create', '--central', '0', '--name', name, '--role', 'operator'],
    [/--name is .*visible characters/, /--central is "0"/],
  ]),
];

for (const [args, said] of misuses)
  test(`all mistakes are explained, with exit code 2: malote ${args.join(' ')}`, async (t) => {
    const { code, stdout, stderr } = await run(t, args);
    assert.deepEqual([code, stdout], [2, '']);
    for (const words of said) assert.match(stderr, words);
  });

/** A command that fails with this error. */
const failing = (error: Error): Listed => ({
  name: 'serve',
  summary: '',
  load: async () => command({ details: '', options: {}, run: () => Promise.reject(error) }),
});

for (const message of [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
])
  test(`a database that stops answering at the start is not reported as a bug, and the message says what to check: ${message}`, async (t) => {
    const { code, stderr } = await run(t, ['serve'], [failing(new Error(message))]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`^malote: the database stopped answering: ${message}\\nCheck that it runs`),
    );
    assert.match(stderr, /MALOTE_POOL/);
    assert.doesNotMatch(stderr, /report it|\.ts:\d+/);
  });

test('an unexpected error asks for a bug report', async (t) => {
  const { code, stderr } = await run(t, ['serve'], [failing(new TypeError('no such thing'))]);
  assert.equal(code, 1);
  assert.match(stderr, /^malote: unexpected failure, please report it:/);
});
