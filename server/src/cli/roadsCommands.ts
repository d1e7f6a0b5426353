import { readConfig } from '../config.ts';
import { displayProgress } from '../routing/importProgress.ts';
import { importRoads } from '../routing/importRoads.ts';
import { describeRoads, roadsStatus } from '../routing/roads.ts';
import { RoadsError } from '../routing/valhallaPackage.ts';
import { CommandFailed, command } from './command.ts';

/** A RoadsError is a sentence for a person. */
export function explainRoadsTrouble(error: unknown): never {
  throw error instanceof RoadsError ? new CommandFailed(error.message) : error;
}

export const importRoadsCommand = command({
  details: [
    'Builds roads from the extract, tries them, and makes them the ones in use; running services take them up',
    'within seconds, without a restart. Until then nothing changes, so it may be stopped at any time.',
    'Extracts of cities and regions (.osm.pbf) are offered by several mirrors of OpenStreetMap.',
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
  details: 'Where they came from, what they cover, and when they were built.',
  options: {},
  async run() {
    const { routing } = readConfig(process.env);
    console.log(describeRoads(await roadsStatus(routing.folder).catch(explainRoadsTrouble)));
    return 0;
  },
});
