import type { Clock } from '../../src/platform/kernel/clock.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { hasDemoAccess } from './demoAccess.ts';
import { loadDemoAddresses } from './demoAddresses.ts';
import { type DemoContent, makeDemo } from './makeDemo.ts';

/**
 * Makes the demonstration on an empty database, and loads its addresses if it exists without addresses: a start that
 * ended between the two is completed by the next one. Returns whether the demonstration's logins exist.
 */
export async function prepareDemo(
  deps: { db: Database; clock: Clock },
  content: DemoContent,
): Promise<boolean> {
  await makeDemo(deps, content);
  const hasDemo = await hasDemoAccess(deps.db);
  if (hasDemo) await loadDemoAddresses(deps.db, deps.clock);
  return hasDemo;
}
