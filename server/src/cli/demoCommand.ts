import { makeDemo } from '../demo/makeDemo.ts';
import { demoLogins } from '../demo/welcome.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';
import { CommandFailed } from './commandFailed.ts';
import { withStore } from './withStore.ts';

export const demoCommand = command({
  details: [
    'Two centrals with fixed api-keys and the password "demo" everywhere, for trying things out. Never on a',
    'database that holds a central already. With DATABASE_URL set it wants --yes: everybody knows these logins.',
  ].join('\n'),
  options: {
    yes: { help: 'yes, also on the database of DATABASE_URL' },
    empty: { help: 'logins and registers only, no deliveries' },
  },
  run: ({ yes, empty }) =>
    withStore(async ({ db }, { databaseUrl }) => {
      if (databaseUrl && !yes)
        throw new CommandFailed(
          'DATABASE_URL is set, and the demonstration’s logins are public: say --yes if you mean it',
        );
      if (!(await makeDemo({ db, clock: systemClock }, empty ? 'empty' : 'full')))
        throw new CommandFailed('the database holds centrals already: the demonstration needs an empty one');
      console.log(demoLogins);
      return 0;
    }),
});
