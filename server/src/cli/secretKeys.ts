import { randomBytes } from 'node:crypto';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { parseSecretKey, SECRET_KEY_BYTES, type SecretBox, secretBox } from '../platform/kernel/secretBox.ts';
import { CommandFailed } from './command.ts';

export const SECRET_KEY_FILE = 'secret.key';

/**
 * The keys that encrypt stored secrets. The embedded database has its own, in a file that is made at the first
 * start. With DATABASE_URL nothing is made: several processes share that database, and a key that only one machine
 * has would make secrets unreadable for the others.
 */
export async function openSecrets(
  { databaseUrl, dataFolder, secretKeys }: Pick<Config, 'databaseUrl' | 'dataFolder' | 'secretKeys'>,
  log: Pick<Logger, 'warn'>,
): Promise<SecretBox> {
  if (databaseUrl) {
    if (secretKeys.length === 0)
      log.warn(
        'MALOTE_SECRET_KEY is not set: secrets of webhooks are stored unencrypted. ' +
          'Set it to 32 random bytes (openssl rand -base64 32), the same for every process',
      );
    return secretBox(secretKeys);
  }
  const path = join(dataFolder, SECRET_KEY_FILE);
  const kept = await readKey(path);
  if (kept) return secretBox([...secretKeys, kept]);
  return secretBox(secretKeys.length > 0 ? secretKeys : [await makeKey(dataFolder, path)]);
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailed(`the key of stored secrets cannot be read: ${error.message}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = parseSecretKey(text.trim());
  if (!key)
    throw new CommandFailed(
      `${path} does not hold a key of ${SECRET_KEY_BYTES} bytes: restore it from a backup, or remove it and ` +
        'give every webhook a new secret',
    );
  return key;
}

/** Renamed into place when it is complete, so that a crash never leaves half a key. */
async function makeKey(folder: string, path: string): Promise<Buffer> {
  const key = randomBytes(SECRET_KEY_BYTES);
  const draft = `${path}.new`;
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  await rename(draft, path);
  const directory = await open(folder);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
  return key;
}
