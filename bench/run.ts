/** `npm run bench [-- name …]`: side-by-side measurements on this machine. Prints, asserts nothing. */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  http: () => import('./http.ts'),
  start: () => import('./start.ts'),
  peers: () => import('./peers.ts'),
  'round-trips': () => import('./roundTrips.ts'),
  'stop-order': () => import('./stopOrder.ts'),
  routing: () => import('./routing.ts'),
  'router-down': () => import('./routerDown.ts'),
  merge: () => import('./merge.ts'),
  plan: () => import('./plan.ts'),
  friday: () => import('./friday.ts'),
  database: () => import('./database.ts'),
  dispatch: () => import('./dispatch.ts'),
  positions: () => import('./positions.ts'),
  live: () => import('./live.ts'),
  bulk: () => import('./bulk.ts'),
  stalls: () => import('./stalls.ts'),
  addresses: () => import('./addresses.ts'),
  search: () => import('./search.ts'),
  growth: () => import('./growth.ts'),
  changes: () => import('./changes.ts'),
  reports: () => import('./reports.ts'),
  citus: () => import('./citus.ts'),
};

const [name = 'http', ...args] = process.argv.slice(2);
const load = benches[name];
if (!load) {
  console.error(`no bench is called "${name}"; there are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
await (await load()).run(args);
// Interrupted work may still hold timers and sockets.
if (process.exitCode) process.exit();
