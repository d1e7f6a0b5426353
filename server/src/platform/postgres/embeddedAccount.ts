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

/** The operating system user that runs the database server; undefined stands for the user of this process. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so under root the server runs as an ordinary user. The user must be in the user
 * database, because initdb looks its name up. The owner of an existing cluster is preferred: no file changes its owner.
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
    'PostgreSQL refuses to run as root, and there is no user malote, postgres or nobody to run it',
  );
}

function askId(flag: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  const id = Number.parseInt(stdout ?? '', 10);
  return status === 0 && Number.isInteger(id) ? id : undefined;
}

/** Makes the account the owner of a folder and its contents. */
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
 * The same binaries at a place the account can reach. Root's checkout is often in a folder that only root can enter
 * (/root), and PostgreSQL finds its libraries by its real path, so the binaries are then copied elsewhere.
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

/** In a shared folder such as /tmp another user may have created this one, and could replace what root then runs. */
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

/** The copy gets its name only when it is complete, so a partial copy left by a crash is never used. */
async function copyWhole(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    });
    // Root's umask may have withheld these rights when the packages were installed.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * A new folder for the server's socket. Its name is short, because the path of a socket may have only about 100 bytes,
 * and random, so that no other local user can have created it before.
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

/** Reuses the socket folder of a restarted server. Creates it if it was deleted; refuses it if another user owns it. */
export async function keepSocketFolder(folder: string, account: Account | undefined): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made && account) await chown(folder, account.uid, account.gid);
  const found = await lstat(folder);
  const owner = account ? account.uid : process.getuid?.();
  if (!found.isDirectory() || found.uid !== owner)
    throw new Error(`the folder of PostgreSQL's socket, ${folder}, now belongs to another user`);
}

const PARENT_BYTES_MAX = 70;

const canEnter = (folder: string, { uid, gid }: Account): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0;
