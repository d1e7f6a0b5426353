import { readConfig } from '../config.ts';
import { describeRoads } from '../routing/describeRoads.ts';
import { roadsStatus } from '../routing/roads.ts';
import { command } from './command.ts';
import { explainRoadsTrouble } from './roadsTrouble.ts';

export const roadsStatusCommand = command({
  details: 'Where they came from, what they cover, and when they were built.',
  options: {},
  async run() {
    const { routing } = readConfig(process.env);
    console.log(describeRoads(await roadsStatus(routing.folder).catch(explainRoadsTrouble)));
    return 0;
  },
});
