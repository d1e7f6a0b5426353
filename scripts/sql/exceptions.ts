import type { Place } from './statements.ts';

interface StatementException {
  file: string;
  /** How the statement begins in the source, in one line. */
  begins: string;
  why: string;
}

interface ColumnException {
  file: string;
  column: string;
  why: string;
}

const FORWARDS = 'hands on statements of others, which are read where they are written';
const CITUS = 'uses what Citus adds, which the embedded database does not have';
const UTILITY = 'names an object that is chosen at run time, which is no parameter';
const SEVERAL = 'several statements in one message, which cannot be prepared';
const MIGRATION = 'runs the files of a migration';

/** Statements that are not read. Whoever changes one has to try it. */
const UNREAD: readonly StatementException[] = [
  { file: 'src/platform/backup/backupStore.ts', begins: 'client.query(copyTo(', why: UTILITY },
  { file: 'src/platform/backup/backupStore.ts', begins: 'client.query(copyFrom(', why: UTILITY },
  { file: 'src/platform/backup/backupStore.ts', begins: 'client.query( `select setval(', why: UTILITY },
  { file: 'src/platform/backup/backupStore.ts', begins: 'client.query(`truncate', why: UTILITY },
  { file: 'src/platform/postgres/copyRows.ts', begins: 'tx.rows` insert into', why: UTILITY },
  { file: 'src/insight/sandbox/deleteWiped.ts', begins: 'tx.rows` delete from', why: UTILITY },
  {
    file: 'src/insight/sandbox/deleteWiped.ts',
    begins: 'tx.row<{ count: number }>` with gone',
    why: UTILITY,
  },
  { file: 'src/dispatch/rounds/jobs.ts', begins: 'pool.query(`alter table', why: UTILITY },
  {
    file: 'src/dispatch/rounds/jobs.ts',
    begins: 'pool.query(`select $',
    why: 'calls a function of graphile-worker, which makes its own schema',
  },
  {
    file: 'src/platform/postgres/distribute.ts',
    begins: "client.query('select create_reference_table(",
    why: CITUS,
  },
  {
    file: 'src/platform/postgres/distribute.ts',
    begins: 'client.query(`select create_distributed_table(',
    why: CITUS,
  },
  {
    file: 'src/platform/postgres/distribute.ts',
    begins: "client.query('select from pg_dist_partition",
    why: CITUS,
  },
  { file: 'src/platform/postgres/distribute.ts', begins: 'client.query<PendingTable>(', why: CITUS },
  {
    file: 'src/platform/postgres/distribute.ts',
    begins: 'client.query<{ name: string }>( `select logicalrelid',
    why: CITUS,
  },
  { file: 'src/platform/postgres/distribute.ts', begins: 'client.query(`alter table', why: UTILITY },
  { file: 'src/platform/postgres/distribute.ts', begins: 'client.query(`alter function', why: UTILITY },
  { file: 'src/platform/postgres/distribute.ts', begins: 'client.query(sql)', why: MIGRATION },
  { file: 'src/platform/postgres/listen.ts', begins: 'mine.query(`listen', why: UTILITY },
  { file: 'src/platform/postgres/listen.ts', begins: 'pool.query( `begin', why: SEVERAL },
  {
    file: 'src/platform/postgres/migrate.ts',
    begins: 'client.query(` create table migrations',
    why: SEVERAL,
  },
  { file: 'src/platform/postgres/migrate.ts', begins: 'client.query(sent)', why: MIGRATION },
  { file: 'src/platform/postgres/migrate.ts', begins: 'client.query(sql)', why: MIGRATION },
  { file: 'src/platform/postgres/nodes.ts', begins: 'coordinator .query<NodeAddress>(', why: CITUS },
  { file: 'src/platform/postgres/batch.ts', begins: 'client.query(new Batch(', why: FORWARDS },
  {
    file: 'src/platform/postgres/watchedConnection.ts',
    begins: 'this.query<Row>(text, values)',
    why: FORWARDS,
  },
];

const CARRIED = 'a carried delivery has a driver (deliveries_carried_has_driver)';
const FINISHED = 'reads finished deliveries (deliveries_finished_has_time, deliveries_started_has_time)';
const OWN_SESSION = 'a session of this database always has it, its own at least';

/** Columns that may be null in the table, but not in the rows that the statements of the file return. */
const NEVER_NULL: readonly ColumnException[] = [
  { file: 'src/money/billing/closingStore.ts', column: 'number', why: 'the condition on it excludes null' },
  {
    file: 'src/centrals/deviceStore.ts',
    column: 'driverId',
    why: 'the login of a driver has one (users_driver_has_driver)',
  },
  {
    file: 'simulation/couriers/courierStore.ts',
    column: 'acceptedAt',
    why: 'set by the steps to the statuses that are read, and used only where there is a delivery',
  },
  {
    file: 'src/deliveries/deliveries/deliveryListStore.ts',
    column: 'notAttendedAt',
    why: 'a delivery that was not attended has it (deliveries_not_attended_has_time)',
  },
  { file: 'src/deliveries/deliveries/deliveryDetailStore.ts', column: 'startedAt', why: FINISHED },
  { file: 'src/deliveries/deliveries/deliveryDetailStore.ts', column: 'finishedAt', why: FINISHED },
  { file: 'src/deliveries/deliveries/driverWorkStore.ts', column: 'driverId', why: CARRIED },
  {
    file: 'simulation/demo/rhythmStore.ts',
    column: 'since',
    why: 'set together with the reason (deliveries_held_awaits_release)',
  },
  {
    file: 'src/geo/geocoding/embedded/addressSetStore.ts',
    column: 'finishedAt',
    why: 'the current set is finished (address_sets_current_finished)',
  },
  { file: 'src/dispatch/grouping/claimStore.ts', column: 'pid', why: OWN_SESSION },
  { file: 'src/dispatch/grouping/claimStore.ts', column: 'since', why: OWN_SESSION },
  {
    file: 'src/platform/postgres/keysetPage.ts',
    column: 'keyNumber',
    why: 'the condition on the key excludes null',
  },
  {
    file: 'src/platform/postgres/keysetPage.ts',
    column: 'number',
    why: 'the condition on the key excludes null',
  },
  {
    file: 'src/deliveries/orders/stopStore.ts',
    column: 'confirmationCode',
    why: 'the statement has just made it',
  },
];

export interface Exceptions {
  isUnread(place: Place): boolean;
  isNeverNull(place: Place, column: string): boolean;
  /** Exceptions that nothing needed. */
  unused(): string[];
}

export function reviewedExceptions(): Exceptions {
  const used = new Set<object>();
  const use = (exception: object | undefined): boolean => {
    if (exception) used.add(exception);
    return exception !== undefined;
  };
  return {
    isUnread: ({ file, source }) =>
      use(UNREAD.find((each) => each.file === file && source.startsWith(each.begins))),
    isNeverNull: ({ file }, column) =>
      use(NEVER_NULL.find((each) => each.file === file && each.column === column)),
    unused: () =>
      [...UNREAD, ...NEVER_NULL]
        .filter((exception) => !used.has(exception))
        .map(
          (each) =>
            `${each.file}: no exception is needed for ${'column' in each ? each.column : each.begins}`,
        ),
  };
}
