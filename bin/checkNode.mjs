// Runs after `npm ci`: what is missing is better said there than by the first start.
import { existsSync } from 'node:fs';
import { pinned, whyNotRunning } from './pinnedNode.mjs';

const why = existsSync(pinned) ? whyNotRunning() : undefined;
if (why) {
  console.error(why);
  process.exitCode = 1;
}
