import { removeDemoAccess } from '../../simulation/demo/demoAccess.ts';
import { loadDemoAddresses } from '../../simulation/demo/demoAddresses.ts';
import { makeDemo } from '../../simulation/demo/makeDemo.ts';
import { demoLogins } from '../../simulation/demo/welcome.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { CommandFailed, command } from './command.ts';
import { withExistingStore, withStore } from './openStore.ts';

const AT_ONCE =
  '\nA running service accepts these logins at once, also from other machines if it listens to them: restart it, and ' +
  'it listens on this machine only. "malote demo remove" removes these logins.';

export const demoCommand = command({
  details: [
    'Creates two centrals with fixed API keys and the password "demo" for every login. The database must be empty. With',
    'DATABASE_URL set it requires --yes, because these logins are public. While they exist the service listens on this',
    'machine only; "malote demo remove" removes them.',
  ].join('\n'),
  options: {
    yes: { help: 'create it in the database of DATABASE_URL' },
    empty: { help: 'logins and registers only, without deliveries' },
  },
  run: ({ yes, empty }) =>
    withStore(async ({ db }, { databaseUrl }) => {
      if (databaseUrl && !yes)
        throw new CommandFailed(
          'DATABASE_URL is set, and the logins of the demonstration are public: add --yes to confirm',
        );
      if (!(await makeDemo({ db, clock: systemClock }, empty ? 'empty' : 'full')))
        throw new CommandFailed(
          'the database already contains centrals: the demonstration requires an empty database',
        );
      await loadDemoAddresses(db, systemClock);
      console.log(demoLogins(empty ? 'empty' : 'full'));
      console.log(AT_ONCE);
      return 0;
    }),
});

export const removeDemoCommand = command({
  details: [
    'Revokes the API keys of the demonstration and disables every login that still has its password, also in a running',
    'service. Keys and logins created or changed since stay valid. A central of the demonstration that is left without',
    'an operator is closed; its deliveries and registers are kept. To start without any of this data, delete the data',
    'folder (or the database) and start with MALOTE_DEMO=off.',
  ].join('\n'),
  options: {},
  run: () =>
    withExistingStore(async ({ db }) => {
      const { keys, logins, closed } = await removeDemoAccess({ db, clock: systemClock });
      if (keys === 0 && logins.length === 0) {
        console.log('the database has no keys or passwords of the demonstration');
        return 0;
      }
      console.log(`keys revoked: ${keys}`);
      console.log(`logins disabled: ${logins.join(', ') || 'none'}`);
      for (const name of closed) console.log(`closed, because no login is left: ${name}`);
      console.log('A running service keeps its listening address until it is restarted.');
      return 0;
    }),
});
