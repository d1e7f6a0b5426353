import type { Tx } from '../platform/postgres/database.ts';
import { REGISTERS_KEPT_MS } from '../platform/postgres/registerCache.ts';
import { listBrowserOrigins } from './centralStore.ts';

export interface BrowserOrigins {
  /** Whether any central lists the origin. Nothing else can be checked for a request that names no central. */
  isListed(origin: string): Promise<boolean>;
  /** Called when registers have changed: the origins are read again. */
  forget(): void;
}

/** The origins of all centrals, read when a browser first asks after a change. */
export function browserOrigins(db: Tx, nowMs: () => number = () => performance.now()): BrowserOrigins {
  let reading: { origins: Promise<ReadonlySet<string>>; until: number } | undefined;
  let lastRead: ReadonlySet<string> = new Set();
  const forget = (): void => {
    reading = undefined;
  };
  const read = async (): Promise<ReadonlySet<string>> => {
    try {
      lastRead = new Set(await listBrowserOrigins(db));
    } catch {
      // While the database is out of reach, pages of the origins known before can still read the error.
      forget();
    }
    return lastRead;
  };
  return {
    async isListed(origin) {
      if (!reading || reading.until <= nowMs())
        reading = { origins: read(), until: nowMs() + REGISTERS_KEPT_MS };
      return (await reading.origins).has(origin);
    },
    forget,
  };
}
