import { AddressesError } from '../geo/geocoding/embedded/addressesError.ts';
import { type AddressSet, findCurrentSet } from '../geo/geocoding/embedded/addressSetStore.ts';
import {
  assertImportable,
  describeSkipped,
  importAddresses,
} from '../geo/geocoding/embedded/importAddresses.ts';
import { displayProgress } from '../geo/routing/importRoads.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { CommandFailed, command } from './command.ts';
import { withExistingStore, withStore } from './openStore.ts';

export const importAddressesCommand = command({
  details: [
    'Reads streets and house numbers and makes them current, for all centrals. The given files replace what was',
    'imported before, so name all of them: files of CNEFE 2022 (.csv or .zip, by state or municipality; IBGE offers',
    'them for download) and OpenStreetMap extracts (.osm.pbf). Running services use them at once. Until then nothing',
    'changes, so the import may be stopped at any time.',
  ].join('\n'),
  options: {
    files: {
      value: 'file',
      required: true,
      positional: true,
      repeated: true,
      help: 'a .csv or .zip of CNEFE, or an .osm.pbf',
    },
  },
  async run({ files }) {
    // Before a database is created for nothing.
    await assertImportable(files).catch(explainAddressesTrouble);
    return withStore(async ({ db }) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      process.once('SIGTERM', () => stop.abort());
      const { show, end } = displayProgress(process.stderr);
      const set = await importAddresses({
        db,
        clock: systemClock,
        files,
        onProgress: show,
        signal: stop.signal,
      })
        .finally(end)
        .catch(explainAddressesTrouble);
      console.log(describeSet(set));
      return 0;
    });
  },
});

export const addressesStatusCommand = command({
  details: 'Shows the sources, the number and the date of the loaded addresses.',
  options: {},
  run: () =>
    withExistingStore(async ({ db }) => {
      console.log(describeSet(await findCurrentSet(db)));
      return 0;
    }),
});

function explainAddressesTrouble(error: unknown): never {
  throw error instanceof AddressesError ? new CommandFailed(error.message) : error;
}

function describeSet(set: AddressSet | null): string {
  if (!set) return 'No addresses are loaded. Import them with: malote addresses import <file> …';
  const { sources, counts, finishedAt } = set;
  const figure = (count: number): string => count.toLocaleString('en');
  return [
    ...sources.map(({ name, kind }) => `source    ${name} (${kind})`),
    `addresses ${figure(counts.addresses)} in ${figure(counts.streets)} streets and ${figure(counts.districts)} districts`,
    `skipped   ${describeSkipped(counts)}`,
    `imported  ${finishedAt.toString({ smallestUnit: 'second' })}`,
  ].join('\n');
}
