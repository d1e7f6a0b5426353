import { makeDemo } from '../demo/makeDemo.ts';
import { demoLogins } from '../demo/welcome.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';
import { CommandFailed } from './commandFailed.ts';
import { withStore } from './withStore.ts';

const AT_ONCE =
  '\nA malote that is running lets these in at once, also from other machines if it listens there: start it again, ' +
  'and it listens on this machine only. "malote demo remove" takes these logins away.';

export const demoCommand = command({
  details: [
    'Two centrals with fixed api-keys and the password "demo" everywhere, for trying things out. Never on a',
    'database that holds a central already. With DATABASE_URL set it wants --yes: everybody knows these logins. While',
    'they are there the service listens on this machine only; "malote demo remove" takes them away.',
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
      console.log(AT_ONCE);
      return 0;
    }),
});
