import { describeDistribution } from '../platform/postgres/distribute.ts';
import { command } from './command.ts';
import { withStore } from './openStore.ts';

export const migrateCommand = command({
  details: [
    'Applies the pending migrations to the database of DATABASE_URL, or to the embedded database.',
    '"malote serve" does the same at its start. Use this command where only another database user may change the schema.',
    'Where the database has the extension Citus, new tables are distributed by central; see docs/citus.md.',
  ].join('\n'),
  options: {},
  run: () =>
    withStore(async ({ applied, distribution }) => {
      for (const name of applied) console.log(`applied ${name}`);
      if (applied.length === 0) console.log('the schema is up to date');
      if (distribution) console.log(describeDistribution(distribution));
      return 0;
    }),
});
