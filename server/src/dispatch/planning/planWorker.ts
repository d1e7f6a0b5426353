import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type FoundPlan, isBetter, type ThreadTask } from './planInThreads.ts';
import { runSearch } from './runSearch.ts';
import { Search } from './search.ts';

/** One of the threads of `planInThreads`. It never waits: messages are read between iterations. */
const { problem, limits } = workerData as ThreadTask;
const port = parentPort!;
const started = performance.now();
const search = new Search(problem, limits.seed ?? 1);
let told = Number.POSITIVE_INFINITY;

const best = (isLast: boolean): FoundPlan => ({
  packed: search.best.slice(),
  cost: search.bestCost,
  drivers: search.bestDrivers(),
  iterations: search.iterations,
  wasCut: search.wasCut,
  isLast,
});

runSearch(search, limits, started, () => {
  if (search.bestCost < told) {
    told = search.bestCost;
    port.postMessage(best(false));
  }
  for (let each = receiveMessageOnPort(port); each; each = receiveMessageOnPort(port)) {
    const other = each.message as FoundPlan;
    if (isBetter(other, best(false), limits)) search.adopt(other.packed, limits);
  }
});
port.postMessage(best(true));
