import { command } from './command.ts';
import { withStore } from './openStore.ts';

export const migrateCommand = command({
  details: [
    'Applies the migrations that the database of DATABASE_URL, or else the embedded one, has not seen yet.',
    '"malote serve" does the same at its start; this is for databases where only another user may do so.',
  ].join('\n'),
  options: {},
  run: () =>
    withStore(async ({ applied }) => {
      for (const name of applied) console.log(`applied ${name}`);
      if (applied.length === 0) console.log('the schema is up to date');
      return 0;
    }),
});
