import type { Caller } from '../../centrals/caller.ts';
import type { Db, Tx } from '../../platform/postgres/database.ts';
import { insertChange } from './auditStore.ts';
import { type Change, type ChangeOrigin, differing } from './change.ts';

/** Who makes the change, when, and by which interface. */
export interface ChangeActor {
  centralId: number;
  /** Null for the command line. */
  userId: number | null;
  at: Temporal.Instant;
  origin: ChangeOrigin;
}

export const changeActor = (
  { centralId, userId }: Pick<Caller, 'centralId' | 'userId'>,
  at: Temporal.Instant,
  origin: ChangeOrigin,
): ChangeActor => ({ centralId, userId, at, origin });

/** The actor of commands on the machine, whose user the log does not know. */
export const commandLineActor = (centralId: number, at: Temporal.Instant): ChangeActor =>
  changeActor({ centralId, userId: null }, at, 'command_line');

/** Called in the transaction that makes the change. An update without a difference is not recorded. */
export async function recordChange(tx: Tx, actor: ChangeActor, change: Change): Promise<void> {
  const { before, after } = differing(change.before, change.after);
  const isChanged = Object.keys(before).length > 0 || Object.keys(after).length > 0;
  if (!isChanged && change.before && change.after) return;
  await insertChange(tx, actor.centralId, {
    at: actor.at,
    userId: actor.userId,
    origin: actor.origin,
    action: change.before === null ? 'created' : change.after === null ? 'deleted' : 'changed',
    subject: change.subject,
    subjectId: change.id,
    subjectName: change.name,
    before,
    after,
  });
}

/**
 * The same database, whose transactions also record what the command changes. A command commits in exactly one
 * transaction, so the change and its record are stored together or not at all. `readBefore` runs first in the
 * transaction, and may lock the rows that are about to change.
 */
export function recording<Before, Result>(
  db: Db,
  /** A function for a new central, whose id is the result. */
  actor: ChangeActor | ((result: Result) => ChangeActor),
  {
    readBefore,
    describe,
  }: {
    readBefore: (tx: Tx) => Promise<Before>;
    describe: (tx: Tx, before: Before, result: Result) => Change | Promise<Change>;
  },
): Db {
  const begin = <Own>(work: (tx: Tx) => Promise<Own>): Promise<Own> =>
    db.begin(async (tx) => {
      const before = await readBefore(tx);
      const result = await work(tx);
      const outcome = result as unknown as Result;
      const who = typeof actor === 'function' ? actor(outcome) : actor;
      await recordChange(tx, who, await describe(tx, before, outcome));
      return result;
    });
  return db.with({ begin });
}
