import { removeDemoAccess } from '../demo/demoAccess.ts';
import { systemClock } from '../kernel/clock.ts';
import { command } from './command.ts';
import { withStore } from './withStore.ts';

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
