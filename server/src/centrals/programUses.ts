import { startRounds } from '../platform/kernel/rounds.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import type { Caller } from './caller.ts';
import type { ProgramUse } from './program.ts';
import { saveUses } from './programStore.ts';

const WRITTEN_MS = 5_000;
/** Uses that wait to be written; more from new addresses are not noted until then. */
const NOTED_MAX = 10_000;

/** When programs were last used and from where, noted in memory and written every few seconds. */
export interface ProgramUses {
  note(program: Pick<Caller, 'centralId' | 'userId'>, address: string): void;
  /** Writes what was noted. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

export function programUses({ db, clock }: Deps, onError: (error: unknown) => void): ProgramUses {
  let noted = new Map<string, { centralId: number; programId: number; address: string; ms: number }>();

  const write = async (): Promise<void> => {
    const uses = noted;
    noted = new Map();
    for (const [centralId, ofCentral] of Map.groupBy(uses.values(), (use) => use.centralId))
      await db.beginIndependent((tx) => saveUses(tx, centralId, ofCentral.map(toUse)));
  };
  const rounds = startRounds({ everyMs: WRITTEN_MS, round: write, onError });

  return {
    note({ centralId, userId }, address) {
      if (userId === null || address === '') return;
      const key = `${centralId} ${userId} ${address}`;
      const known = noted.get(key);
      if (known) known.ms = clock.milliseconds();
      else if (noted.size < NOTED_MAX)
        noted.set(key, { centralId, programId: userId, address, ms: clock.milliseconds() });
    },
    write,
    async stop() {
      await rounds.stop();
      await write().catch(onError);
    },
  };
}

const toUse = ({
  programId,
  address,
  ms,
}: {
  programId: number;
  address: string;
  ms: number;
}): ProgramUse => ({
  programId,
  address,
  usedAt: Temporal.Instant.fromEpochMilliseconds(ms),
});
