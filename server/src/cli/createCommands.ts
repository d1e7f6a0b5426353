import { findCentral } from '../centrals/centralStore.ts';
import { createApiKey, createCentral } from '../centrals/createCentral.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { withStore } from './openStore.ts';

export const createCentralCommand = command({
  details: [
    'Prints the new central’s number. Names differ by more than capitals and accents, and have at least one letter:',
    'people log in with the name or the number of their central. It begins with its cancellation reasons and nothing',
    'else: give it a key and an operator next, and let the operator set up areas, categories, tariffs, companies and',
    'drivers.',
  ].join('\n'),
  options: {
    name: { value: 'name', required: true, help: 'what it is called', mistake: notBlank },
    'time-zone': {
      value: 'zone',
      required: true,
      help: 'for its local times, e.g. America/Sao_Paulo',
      mistake: (zone) => (isTimeZone(zone) ? undefined : 'must be a time zone like America/Sao_Paulo'),
    },
  },
  run: ({ name, 'time-zone': timeZone }) =>
    withStore(async ({ db }) => {
      console.log(await createCentral({ db }, { name: name.trim(), timeZone }));
      return 0;
    }),
});

/** Named zones only: an offset like -03:00 knows no daylight saving. */
function isTimeZone(zone: string): boolean {
  try {
    return /^[A-Z]/i.test(zone) && Temporal.Now.zonedDateTimeISO(zone).timeZoneId !== '';
  } catch {
    return false;
  }
}

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
