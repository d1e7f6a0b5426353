import { findCentral } from '../centrals/centralStore.ts';
import { createApiKey, createCentral } from '../centrals/createCentral.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { withStore } from './openStore.ts';

export const createCentralCommand = command({
  details: [
    'Prints the number of the new central. Users log in with the name or the number of their central, so a name must',
    'be unique (ignoring case and accents) and contain at least one letter. A new central has cancellation reasons and',
    'nothing else: create an API key and an operator next. The operator then sets up areas, categories, tariffs,',
    'companies and drivers.',
  ].join('\n'),
  options: {
    name: { value: 'name', required: true, help: 'the name of the central', mistake: notBlank },
    'time-zone': {
      value: 'zone',
      required: true,
      help: 'the time zone of the central, e.g. America/Sao_Paulo',
      mistake: (zone) => (isTimeZone(zone) ? undefined : 'must be a time zone like America/Sao_Paulo'),
    },
  },
  run: ({ name, 'time-zone': timeZone }) =>
    withStore(async ({ db }) => {
      console.log(await createCentral({ db }, { name: name.trim(), timeZone }));
      return 0;
    }),
});

/** Named zones only: an offset like -03:00 has no daylight saving. */
function isTimeZone(zone: string): boolean {
  try {
    return /^[A-Z]/i.test(zone) && Temporal.Now.zonedDateTimeISO(zone).timeZoneId !== '';
  } catch {
    return false;
  }
}

export const createKeyCommand = command({
  details: [
    'Prints only the key on stdout. It is shown once: the database stores only its digest. Running services accept',
    'it at once.',
  ].join('\n'),
  options: {
    central: { value: 'number', required: true, help: 'the central of the key', mistake: positiveInteger },
    label: { value: 'text', required: true, help: 'a note on who uses the key', mistake: notBlank },
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
