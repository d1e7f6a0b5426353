import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  ownMs: number;
  /** Processor time of children that have ended. */
  childrenMs: number;
}

function timesOf(pid: number | string): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, childUser, childSystem] = [
      fields[1]!,
      fields[11]!,
      fields[12]!,
      fields[13]!,
      fields[14]!,
    ];
    return {
      parent,
      ownMs: (user + system) * TICK_MS,
      childrenMs: (childUser + childSystem) * TICK_MS,
    };
  } catch {
    return undefined;
  }
}

/** Processor time of a process in milliseconds, over all threads; undefined on systems other than Linux. */
export const cpuOf = (pid: number | undefined): number | undefined => (pid ? timesOf(pid)?.ownMs : undefined);

/** The process id of the server that owns a connection's process. It lives as long as the server. */
export const postmasterOf = (backendPid: number): number | undefined => timesOf(backendPid)?.parent;

/** The processor time of a PostgreSQL server: all its processes, including ended ones. */
export function cpuOfServer(postmaster: number | undefined): number | undefined {
  const own = postmaster && timesOf(postmaster);
  if (!own) return undefined;
  let total = own.ownMs + own.childrenMs;
  for (const pid of readdirSync('/proc')) {
    const child = /^\d+$/.test(pid) ? timesOf(pid) : undefined;
    if (child?.parent === postmaster) total += child.ownMs + child.childrenMs;
  }
  return total;
}

/**
 * Ticks of all processors since the machine started. `stolen` is the part that the host gave to other machines. NaN on
 * systems other than Linux.
 */
export function machineTicks(): { total: number; stolen: number } {
  let text = '';
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {
    return { total: Number.NaN, stolen: Number.NaN };
  }
  // user, nice, system, idle, waiting for disks, two kinds of interrupts, stolen
  const ticks = text.split('\n', 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7]! };
}
