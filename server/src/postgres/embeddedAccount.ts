import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The operating system user that runs the database server; undefined stands for the user who runs us. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root lends it an ordinary account. The account must be a listed one, since
 * initdb looks its name up. The owner of an existing cluster is preferred: then nothing has to change hands.
 */
export async function serverAccount(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterFolder).catch(() => undefined);
  const names = [
    ...(owner && owner.uid !== 0 ? [String(owner.uid)] : []),
    'malote',
    'postgres',
    'nobody',
    'daemon',
  ];
  for (const name of names) {
    const uid = askId('-u', name);
    const gid = askId('-g', name);
    if (uid && gid !== undefined) return { uid, gid };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user malote, postgres or nobody to lend it to',
  );
}

function askId(flag: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  const id = Number.parseInt(stdout ?? '', 10);
  return status === 0 && Number.isInteger(id) ? id : undefined;
}

/** Hands a folder and all that is in it to the account. */
export async function giveTo(account: Account | undefined, folder: string): Promise<void> {
  if (!account) return;
  const { uid } = await stat(folder);
  if (uid === account.uid) return;
  await lchown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
}

/**
 * The same binaries at a place the account can reach. Root's checkout often lies in a folder only root can enter
 * (/root), and PostgreSQL finds its own libraries by its real path, so then it gets a copy elsewhere.
 */
export async function binariesWithinReach(native: string, account: Account | undefined): Promise<string> {
  if (!account || runs(native, account)) return native;
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const name = `postgres-${process.platform}-${process.arch}-${version}`;
  for (const parent of ['/var/cache/malote', '/var/lib/malote', join(tmpdir(), 'malote-cache')]) {
    const copy = join(parent, name);
    if (!(await isOursAlone(parent))) continue;
    if (!runs(copy, account)) await copyWhole(native, copy).catch(() => undefined);
    if (runs(copy, account)) return copy;
  }
  throw new Error(
    'the user that runs PostgreSQL for root can reach its binaries neither here nor in a copy: ' +
      'run as an ordinary user, or put the checkout in a folder that others can enter',
  );
}

function runs(native: string, { uid, gid }: Account): boolean {
  const postgres = join(native, 'bin', 'postgres');
  return spawnSync(postgres, ['--version'], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** In a folder like /tmp anybody may have made this one before us and could swap what root then runs. */
async function isOursAlone(folder: string): Promise<boolean> {
  try {
    const made = await mkdir(folder, { recursive: true });
    if (made) await chmod(folder, 0o755);
    const found = await lstat(folder);
    return found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** Appears under its name only when it is complete, so a crash in between leaves nothing half copied in use. */
async function copyWhole(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    });
    // Whatever root's umask was when the packages were installed.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * A fresh folder for the server's socket. Its name is short, because a socket's path may have about 100 bytes
 * whatever the length of the data folder's, and random, so that no other local user can have made it first.
 */
export async function makeSocketFolder(account: Account | undefined): Promise<string> {
  const places = [tmpdir(), '/tmp', '/var/tmp'].filter(
    (place) => Buffer.byteLength(place) <= PARENT_BYTES_MAX,
  );
  const parent = places.find((place) => !account || canEnter(place, account));
  if (!parent)
    throw new Error('there is no folder for temporary files that the user of PostgreSQL can enter');
  const folder = await mkdtemp(join(parent, 'malote-'));
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** The same one again, for a server that is known by it: made anew if it was swept away, refused if it is another's. */
export async function keepSocketFolder(folder: string, account: Account | undefined): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made && account) await chown(folder, account.uid, account.gid);
  const found = await lstat(folder);
  const owner = account ? account.uid : process.getuid?.();
  if (!found.isDirectory() || found.uid !== owner)
    throw new Error(`the folder of PostgreSQL's socket, ${folder}, belongs to somebody else now`);
}

const PARENT_BYTES_MAX = 70;

const canEnter = (folder: string, { uid, gid }: Account): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0;
