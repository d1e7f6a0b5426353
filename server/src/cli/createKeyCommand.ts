import { findCentral } from '../centrals/centralStore.ts';
import { createApiKey } from '../centrals/createCentral.ts';
import { systemClock } from '../kernel/clock.ts';
import { command, notBlank, positiveInteger } from './command.ts';
import { CommandFailed } from './commandFailed.ts';
import { withStore } from './withStore.ts';

export const createKeyCommand = command({
  details: [
    'Prints the key, alone, on stdout. It is shown this once: the database keeps only a digest of it.',
    'Running services accept it at once.',
  ].join('\n'),
  options: {
    central: { value: 'number', required: true, help: 'whose key it is', mistake: positiveInteger },
    label: { value: 'text', required: true, help: 'who will use it, for your own lists', mistake: notBlank },
  },
  run: ({ central, label }) =>
    withStore(async ({ db }) => {
      const centralId = Number(central);
      if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
      const { key } = await createApiKey({ db, clock: systemClock }, centralId, label.trim());
      console.log(key);
      return 0;
    }),
});
