import { readConfig } from '../config.ts';
import { displayProgress, importRoads } from '../geo/routing/importRoads.ts';
import { describeRoads, roadsStatus } from '../geo/routing/roadFolder.ts';
import { RoadsError } from '../geo/routing/valhallaConfig.ts';
import { CommandFailed, command } from './command.ts';

/** The message of a RoadsError is written for users. */
export function explainRoadsTrouble(error: unknown): never {
  throw error instanceof RoadsError ? new CommandFailed(error.message) : error;
}

export const importRoadsCommand = command({
  details: [
    'Builds roads from the extract, tests them and makes them current. Running services load them within seconds,',
    'without a restart. Until then nothing changes, so the import may be stopped at any time. Several mirrors of',
    'OpenStreetMap offer extracts of cities and regions (.osm.pbf). The first import installs the engine with npm.',
  ].join('\n'),
  options: {
    file: { value: 'city.osm.pbf', required: true, positional: true, help: 'the extract' },
  },
  async run({ file }) {
    const { routing } = readConfig(process.env);
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    process.once('SIGTERM', () => stop.abort());
    const { show, end } = displayProgress(process.stderr);
    const roads = await importRoads({
      pbf: file,
      folder: routing.folder,
      onProgress: show,
      signal: stop.signal,
    })
      .finally(end)
      .catch(explainRoadsTrouble);
    console.log(describeRoads(roads));
    return 0;
  },
});

export const roadsStatusCommand = command({
  details: 'Shows the source, the extent and the date of the loaded roads.',
  options: {},
  async run() {
    const { routing } = readConfig(process.env);
    console.log(describeRoads(await roadsStatus(routing.folder).catch(explainRoadsTrouble)));
    return 0;
  },
});
