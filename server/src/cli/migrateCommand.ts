import { command } from './command.ts';
import { withStore } from './openStore.ts';

export const migrateCommand = command({
  details: [
    'Applies the pending migrations to the database of DATABASE_URL, or to the embedded database.',
    '"malote serve" does the same at its start. Use this command where only another database user may change the schema.',
  ].join('\n'),
  options: {},
  run: () =>
    withStore(async ({ applied }) => {
      for (const name of applied) console.log(`applied ${name}`);
      if (applied.length === 0) console.log('the schema is up to date');
      return 0;
    }),
});
