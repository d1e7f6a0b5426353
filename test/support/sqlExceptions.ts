import type { SqlException } from './sqlFaults.ts';

const FINDS = 'finds the centrals that have work, which is then done for each by itself';
const BATCH =
  'one statement for all that is asked in a turn of the event loop, each with its central; a distributed database needs one per central';
const KEY = 'the key says which central a request is for; a small reference table';

/** The statements that cover several centrals. */
export const SQL_EXCEPTIONS: readonly SqlException[] = [
  { file: 'server/src/centrals/centralStore.ts', begins: 'select central_id from api_keys', why: KEY },
  {
    file: 'server/src/centrals/sandboxKeyStore.ts',
    begins: 'select central_id from sandbox_keys',
    why: KEY,
  },
  {
    file: 'server/src/dispatch/rounds/distributionStore.ts',
    begins: 'select distinct central_id from deliveries',
    why: FINDS,
  },
  {
    file: 'server/simulation/demo/makeDemo.ts',
    begins: 'select central_id, id, revoked_at',
    why: KEY,
  },
  {
    file: 'server/simulation/demo/rhythmStore.ts',
    begins: 'select distinct central_id from demo_rhythms',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/rounds/dispatchStore.ts',
    begins: 'select central_id, count(*)',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/rounds/dispatchStore.ts',
    begins: 'select distinct central_id from scheduled',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/rounds/dispatchStore.ts',
    begins: 'select dispatch_at from scheduled',
    why: 'the next instant at which any central has work',
  },
  {
    file: 'server/src/dispatch/rounds/distributionStore.ts',
    begins: 'select central_id as id, bool_or',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/rounds/distributionStore.ts',
    begins: 'select driver.central_id, max(p.at)',
    why: FINDS,
  },
  {
    file: 'server/src/deliveries/deliveries/offerStore.ts',
    begins: 'select distinct offer.central_id from offers',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/plans/situationStore.ts',
    begins: 'select distinct d.central_id from deliveries',
    why: FINDS,
  },
  {
    file: 'server/src/dispatch/rounds/mergeStore.ts',
    begins: 'select distinct s.central_id from scheduled',
    why: FINDS,
  },
  {
    file: 'server/src/events/webhooks/clockAheadStore.ts',
    begins: 'select distinct w.central_id from webhooks',
    why: FINDS,
  },
  {
    file: 'server/src/insight/search/changeStore.ts',
    begins: 'select central_id, deliveries_below > 0',
    why: FINDS,
  },
  {
    file: 'server/src/insight/reports/totalsStore.ts',
    begins: 'select distinct central_id from report_queue',
    why: FINDS,
  },
  {
    file: 'server/src/events/webhooks/messageStore.ts',
    begins: 'with recursive endpoints as ( (select central_id',
    why: FINDS,
  },
  {
    file: 'server/src/events/webhooks/messageStore.ts',
    begins: 'select distinct w.central_id from webhooks w',
    why: FINDS,
  },
  {
    file: 'server/src/events/webhooks/positionEventStore.ts',
    begins: 'select distinct w.central_id from',
    why: FINDS,
  },
  {
    file: 'server/src/centrals/deviceStore.ts',
    begins: 'with said as ( select distinct on (central_id, id)',
    why: BATCH,
  },
  {
    file: 'server/src/registers/drivers/positionStore.ts',
    begins: 'with reports as materialized',
    why: BATCH,
  },
  {
    file: 'server/simulation/couriers/courierStore.ts',
    begins: 'delete from courier_leases where holder',
    why: 'a process gives up what it holds in all centrals with simulated couriers',
  },
  {
    file: 'server/src/platform/postgres/ids.ts',
    begins: 'with unused as',
    why: 'counters are not distributed: a process gives all unused ids back at its end',
  },
];
