import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandFailed } from './commandFailed.ts';

const LENGTH_MIN = 8;
const LENGTH_MAX = 200;

/** From the terminal without showing it, twice; from a pipe or file, its first line. */
export async function readPassword(prompt: string): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice(prompt) : await firstLine();
  if (password.length < LENGTH_MIN || password.length > LENGTH_MAX)
    throw new CommandFailed(`a password must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  return password;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return line;
    throw new CommandFailed('no password came on stdin');
  } finally {
    lines.close();
  }
}

async function askTwice(prompt: string): Promise<string> {
  const password = await askHidden(prompt);
  if ((await askHidden('Once more: ')) !== password) throw new CommandFailed('the two passwords differ');
  return password;
}

async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  // readline repeats what is typed to its output; this one swallows it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  terminal.once('SIGINT', () => reject(new CommandFailed('interrupted')));
  terminal.once('close', () => reject(new CommandFailed('no password was given')));
  try {
    return await Promise.race([terminal.question(''), interrupted]);
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
