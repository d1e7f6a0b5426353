import { removeDemoAccess } from '../demo/demoAccess.ts';
import { makeDemo } from '../demo/makeDemo.ts';
import { demoLogins } from '../demo/welcome.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandFailed, command } from './command.ts';
import { withStore } from './openStore.ts';

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

export const removeDemoCommand = command({
  details: [
    'Revokes the api-keys of the demonstration and disables every login that still has its password, also in a',
    'running service. Keys and logins that were made or changed since are not touched, and no other data is: a',
    'central of the demonstration that is left without an operator is closed, with its deliveries and registers kept.',
    'To begin without any of it, delete the data folder (or the database) and start with MALOTE_DEMO=off.',
  ].join('\n'),
  options: {},
  run: () =>
    withStore(async ({ db }) => {
      const { keys, logins, closed } = await removeDemoAccess({ db, clock: systemClock });
      if (keys === 0 && logins.length === 0) {
        console.log('there are no keys or passwords of the demonstration');
        return 0;
      }
      console.log(`keys revoked: ${keys}`);
      console.log(`logins disabled: ${logins.join(', ') || 'none'}`);
      for (const name of closed) console.log(`closed, since nobody can log in there any more: ${name}`);
      console.log('A service that is running keeps listening where it does until it is started again.');
      return 0;
    }),
});
