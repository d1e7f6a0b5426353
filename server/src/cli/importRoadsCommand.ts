import { readConfig } from '../config.ts';
import { describeRoads } from '../routing/describeRoads.ts';
import { displayProgress } from '../routing/importProgress.ts';
import { importRoads } from '../routing/importRoads.ts';
import { command } from './command.ts';
import { explainRoadsTrouble } from './roadsTrouble.ts';

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
