// Runs after `npm ci`, so that a missing library is reported there and not at the first start.
import { pinned, whyNotRunning } from './pinnedNode.mjs';

const why = pinned ? whyNotRunning() : undefined;
if (why) {
  console.error(why);
  process.exitCode = 1;
}
