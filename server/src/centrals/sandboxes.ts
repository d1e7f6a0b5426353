import { lruCache } from '../platform/kernel/lru.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Db } from '../platform/postgres/database.ts';
import { cachePerCentral, REGISTERS_KEPT_MS } from '../platform/postgres/registerCache.ts';
import type { Central } from './central.ts';
import { isMirrored, mirrorUser } from './mirrorStore.ts';

const KNOWN_MAX = 10_000;

/** The sandboxes that this process knows. */
export interface Sandboxes {
  /** The sandbox of a real central, made if there is none. */
  of(centralId: number): Promise<Central>;
  /** Gives a login or program of the real central its row in the sandbox. */
  admit(sandbox: Central, userId: number): Promise<void>;
  /** The sandbox of this central, if this process used it before. */
  knownOf(centralId: number): number | undefined;
  /** Registers of a real central or of a sandbox have changed. */
  forget(centralId: number): void;
  forgetAll(): void;
}

interface SandboxDeps {
  db: Db;
  /** Finds or makes the sandbox of a central. */
  open(centralId: number): Promise<Central>;
  /** Copies a company of the real central that is not in its sandbox yet. False: its fields clash with another's. */
  addCompanyOf(sandbox: Central, userId: number): Promise<boolean>;
}

export function sandboxes({ db, open, addCompanyOf }: SandboxDeps): Sandboxes {
  const opened = cachePerCentral(async (centralId) => {
    const sandbox = await open(centralId);
    realOf.set(sandbox.id, centralId);
    sandboxIdOf.set(centralId, sandbox.id);
    return sandbox;
  });
  const realOf = lruCache<number, number>(KNOWN_MAX);
  const sandboxIdOf = lruCache<number, number>(KNOWN_MAX);
  const admitted = lruCache<string, number>(KNOWN_MAX);

  return {
    of: opened.of,
    knownOf: (centralId) => sandboxIdOf.get(centralId),

    async admit(sandbox, userId) {
      const centralId = sandbox.sandboxOf!;
      const key = `${sandbox.id} ${userId}`;
      if ((admitted.get(key) ?? 0) > performance.now()) return;
      const user = { centralId, sandboxId: sandbox.id, userId };
      if (!(await isMirrored(db, user))) {
        const mirror = () => db.begin((tx) => mirrorUser(tx, user));
        const isDone = (await mirror()) || ((await addCompanyOf(sandbox, userId)) && (await mirror()));
        if (!isDone) throw new Refusal('bad-credentials');
      }
      admitted.set(key, performance.now() + REGISTERS_KEPT_MS);
    },

    forget(centralId) {
      const real = realOf.get(centralId) ?? centralId;
      opened.forget(real);
      const sandboxId = sandboxIdOf.get(real);
      // A renamed user, or one of another company, is copied again.
      if (centralId === real && sandboxId !== undefined) admitted.clear();
    },

    forgetAll() {
      opened.forgetAll();
      admitted.clear();
    },
  };
}
