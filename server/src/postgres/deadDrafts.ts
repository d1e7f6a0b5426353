import { readdir, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A start that was killed before its cluster was complete leaves its draft behind, in a folder of this name. */
export const draftPrefix = (cluster: string): string => `${cluster}.new-`;

/** Where nobody can be asked who works in a folder, one that nobody has touched for so long is abandoned. */
const ABANDONED_MS = 600_000;

/**
 * Removes the drafts of dead starts. Whoever holds the lock of the data folder is the only malote that works there;
 * but the initdb of a start that was killed may still run for a moment, and its draft is left to a later start.
 */
export async function removeDeadDrafts(cluster: string): Promise<string[]> {
  const prefix = basename(draftPrefix(cluster));
  const folder = dirname(cluster);
  const removed: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const draft = join(folder, entry.name);
    if (await isInUse(draft)) continue;
    await rm(draft, { recursive: true, force: true });
    removed.push(entry.name);
  }
  return removed;
}

/** initdb and the server that it runs stand in the draft. */
async function isInUse(draft: string): Promise<boolean> {
  const place = await realpath(draft);
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return Date.now() - (await stat(draft)).mtimeMs < ABANDONED_MS;
  for (const id of processes) {
    const standsIn = await readlink(`/proc/${id}/cwd`).catch(() => undefined);
    if (standsIn === place) return true;
  }
  return false;
}
