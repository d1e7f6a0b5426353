import { createCentral } from '../centrals/createCentral.ts';
import { command, notBlank } from './command.ts';
import { withStore } from './withStore.ts';

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
