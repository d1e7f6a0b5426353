import pg from 'pg';
import { Batch, type Result } from '../../server/src/platform/postgres/batch.ts';

/** A row was locked while another one was held, by a statement that waits for its locks. */
export interface LockStep {
  held: LockedRow;
  locked: LockedRow;
  /** The statement that took the lock. */
  text: string;
}

export interface LockedRow {
  kind: string;
  /** In the order of locks within the kind. Not a number for a row that the transaction itself inserts. */
  place: number;
}

interface Open {
  held: Map<string, LockedRow>;
  /** Another transaction was open meanwhile, whose locks cannot be told apart. */
  isMixed: boolean;
}

interface Lockable {
  /** SQL for the kind of a row by its last committed state. */
  kind: string;
  /** SQL for its place within the kind, in its central. */
  place: string;
}

const TABLES: Record<string, Lockable> = {
  claims: {
    kind: `'claims'`,
    place: `target_id + case noun when 'scheduled' then 0 else 500000000000 end`,
  },
  company_accounts: { kind: `'company_accounts'`, place: 'company_id' },
  driver_accounts: { kind: `'driver_accounts'`, place: 'driver_id' },
  drivers: { kind: `'drivers'`, place: 'id' },
  plans: { kind: `'plans'`, place: 'id' },
  wallets: { kind: `'wallets'`, place: 'company_id' },
  deliveries: {
    kind: `case when grouped_into is not null then 'deliveries, grouped'
      when status = 'on_hold' then 'deliveries, on hold' else 'deliveries' end`,
    place: 'id',
  },
  scheduled: {
    kind: `case when situation = 'grouped' then 'scheduled, grouped' else 'scheduled' end`,
    place: 'id',
  },
};

const PROBE = `
  with ${Object.keys(TABLES)
    .map((name) => `${name}_free as materialized (select ctid from ${name} for no key update skip locked)`)
    .join(', ')}
  ${Object.entries(TABLES)
    .map(
      ([name, { kind, place }]) =>
        `select ${kind} as kind, (central_id * 1000000000000 + ${place})::float8 as place from ${name}
          where ctid not in (select ctid from ${name}_free)`,
    )
    .join(' union all ')}`;

/** Rows that a statement may insert, which no other connection sees: who inserts the same waits for this transaction. */
const INSERTED: Record<string, RegExp> = {
  claims: /insert into claims\b/,
  company_accounts: /insert into company_(accounts|entries)\b/,
  driver_accounts: /insert into driver_(accounts|entries)\b/,
  wallets: /insert into (wallets|wallet_entries)\b/,
};

// A connection binds this method when it is made, so this module must be loaded before any connection exists.
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
const probes = new Map<string, Promise<pg.Client>>();
const open = new Map<pg.Client, Open>();
const turns = new WeakMap<pg.Client, Promise<unknown>>();
const steps: LockStep[] = [];
let isRecording = false;

/**
 * Records the order in which the transactions of this process lock rows. Statements that travel together are sent one by
 * one, and after each of them another connection looks which rows it cannot lock. So the locks of triggers and plain
 * updates count too; those of foreign keys, which exclude no update, do not.
 */
export function recordLocks(): { steps: readonly LockStep[]; stop(): Promise<void> } {
  isRecording = true;
  return {
    steps,
    async stop() {
      isRecording = false;
      for (const probe of probes.values()) await (await probe).end();
    },
  };
}

pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
  const [asked] = given;
  if (asked === 'commit' || asked === 'rollback') {
    const done = query.apply(this, given);
    // Its locks are held until then.
    void Promise.resolve(done).then(
      () => open.delete(this),
      () => open.delete(this),
    );
    return done;
  }
  if (!isRecording || !(asked instanceof Batch)) return query.apply(this, given);
  const turn = (turns.get(this) ?? Promise.resolve()).then(() => sendEach(this, asked));
  turns.set(
    this,
    turn.catch(() => undefined),
  );
  void turn.then(asked.resolve, asked.reject);
  return asked;
} as typeof pg.Client.prototype.query;

async function sendEach(client: pg.Client, { statements }: Batch): Promise<Result[]> {
  const results: Result[] = [];
  for (const statement of statements) {
    try {
      const sent = Promise.withResolvers<Result[]>();
      query.call(client, new Batch([statement], sent.resolve, sent.reject));
      results.push(...(await sent.promise));
    } catch (error) {
      open.delete(client);
      throw error;
    }
    if (statement.text === 'begin') begin(client);
    else if (statement.text === 'commit') open.delete(client);
    else await note(client, statement.text);
  }
  return results;
}

function begin(client: pg.Client): void {
  const isMixed = open.size > 0;
  for (const other of open.values()) other.isMixed = true;
  open.set(client, { held: new Map(), isMixed });
}

async function note(client: pg.Client, text: string): Promise<void> {
  const transaction = open.get(client);
  if (!transaction || transaction.isMixed) return;
  const rows = await lockedRows(client);
  if (transaction.isMixed) return;
  for (const [kind, inserted] of Object.entries(INSERTED))
    if (inserted.test(text) && !rows.some((row) => row.kind === kind)) rows.push({ kind, place: Number.NaN });
  const { held } = transaction;
  const keyOf = ({ kind, place }: LockedRow): string => `${kind} ${place}`;
  const added = rows.filter((row) => !held.has(keyOf(row)));
  // A statement that skips locked rows waits for none, and those that it locked itself have no order.
  if (!/skip locked/.test(text))
    for (const locked of added)
      for (const before of held.values()) steps.push({ held: before, locked, text });
  for (const row of added) held.set(keyOf(row), row);
}

async function lockedRows(client: pg.Client): Promise<LockedRow[]> {
  const { database = '' } = client as unknown as { database?: string };
  const probe = probes.get(database) ?? openProbe(client);
  probes.set(database, probe);
  const { rows } = (await query.call(await probe, PROBE)) as { rows: LockedRow[] };
  return rows;
}

async function openProbe({ host, port, user, database }: pg.Client): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  return client;
}
