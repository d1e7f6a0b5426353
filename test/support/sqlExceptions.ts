import type { SqlException } from './sqlFaults.ts';

const FINDS = 'finds the centrals that have work, which is then done for each by itself';
const BATCH =
  'one statement for all that is asked in a turn of the event loop, each with its central; a distributed database needs one per central';
const KEY = 'the key says which central a request is for; a small reference table';

/** The statements that cover several centrals. */
export const SQL_EXCEPTIONS: readonly SqlException[] = [
  { file: 'centrals/centralStore.ts', begins: 'select central_id from api_keys', why: KEY },
  { file: 'demo/makeDemo.ts', begins: 'select central_id as "centralId", id, revoked_at', why: KEY },
  { file: 'audit/auditStore.ts', begins: 'select distinct central_id from audit_entries', why: FINDS },
  { file: 'centrals/deviceStore.ts', begins: 'select distinct central_id from device_invites', why: FINDS },
  { file: 'centrals/savedViewStore.ts', begins: 'select distinct central_id from saved_views', why: FINDS },
  { file: 'centrals/sessionStore.ts', begins: 'select distinct central_id from sessions', why: FINDS },
  { file: 'demo/rhythmStore.ts', begins: 'select distinct central_id from demo_rhythms', why: FINDS },
  { file: 'dispatcher/dispatchStore.ts', begins: 'select central_id as "centralId", count(*)', why: FINDS },
  { file: 'dispatcher/dispatchStore.ts', begins: 'select distinct central_id from scheduled', why: FINDS },
  {
    file: 'dispatcher/dispatchStore.ts',
    begins: 'select dispatch_at from scheduled',
    why: 'the next instant at which any central has work',
  },
  {
    file: 'dispatcher/distributionStore.ts',
    begins: 'select central_id as id, bool_or',
    why: FINDS,
  },
  {
    file: 'dispatcher/distributionStore.ts',
    begins: 'select driver.central_id as',
    why: FINDS,
  },
  {
    file: 'deliveries/offerStore.ts',
    begins: 'select distinct offer.central_id from offers',
    why: FINDS,
  },
  { file: 'dispatcher/mergeStore.ts', begins: 'select distinct s.central_id from scheduled', why: FINDS },
  { file: 'events/eventStore.ts', begins: 'select distinct central_id from events', why: FINDS },
  {
    file: 'deliveries/personalDataStore.ts',
    begins: 'select distinct central_id from deliveries',
    why: FINDS,
  },
  {
    file: 'scheduled/personalDataStore.ts',
    begins: 'select distinct central_id from scheduled',
    why: FINDS,
  },
  { file: 'wallet/walletStore.ts', begins: 'select distinct central_id from wallet_entries', why: FINDS },
  { file: 'earnings/earningStore.ts', begins: 'select distinct central_id from driver_entries', why: FINDS },
  {
    file: 'companies/companyAddressStore.ts',
    begins: 'select distinct central_id from company_addresses',
    why: FINDS,
  },
  { file: 'webhooks/webhookStore.ts', begins: 'select distinct central_id from webhooks', why: FINDS },
  { file: 'webhooks/misdatedStore.ts', begins: 'select distinct w.central_id from webhooks', why: FINDS },
  { file: 'drivers/helpStore.ts', begins: 'select distinct central_id from help_requests', why: FINDS },
  { file: 'grouping/claimStore.ts', begins: 'select distinct central_id from claims', why: FINDS },
  {
    file: 'http/idempotencyStore.ts',
    begins: 'select distinct central_id from idempotency_keys',
    why: FINDS,
  },
  { file: 'proof/proofStore.ts', begins: 'select distinct central_id from proof_images', why: FINDS },
  { file: 'proof/proofStore.ts', begins: 'select distinct central_id from proof_removals', why: FINDS },
  { file: 'proof/proofStore.ts', begins: 'select distinct central_id from proof_link_keys', why: FINDS },
  { file: 'search/changeStore.ts', begins: 'select central_id, deliveries_below > 0', why: FINDS },
  { file: 'search/changeStore.ts', begins: 'select distinct central_id from search_entries', why: FINDS },
  { file: 'search/changeStore.ts', begins: 'select distinct central_id from events', why: FINDS },
  { file: 'push/pushStore.ts', begins: 'select distinct central_id from push_messages', why: FINDS },
  { file: 'push/pushStore.ts', begins: 'select distinct central_id from push_keys', why: FINDS },
  { file: 'reports/totalsStore.ts', begins: 'select distinct central_id from report_queue', why: FINDS },
  {
    file: 'webhooks/messageStore.ts',
    begins: 'with recursive endpoints as ( (select central_id',
    why: FINDS,
  },
  {
    file: 'webhooks/messageStore.ts',
    begins: 'select distinct w.central_id from webhooks w',
    why: FINDS,
  },
  {
    file: 'webhooks/messageStore.ts',
    begins: 'select distinct central_id from webhook_messages',
    why: FINDS,
  },
  { file: 'webhooks/messageStore.ts', begins: 'select distinct central_id from webhooks', why: FINDS },
  { file: 'webhooks/positionEventStore.ts', begins: 'select distinct w.central_id from', why: FINDS },
  {
    file: 'centrals/deviceStore.ts',
    begins: 'with said as ( select distinct on (central_id, id)',
    why: BATCH,
  },
  { file: 'drivers/positionStore.ts', begins: 'with reports as materialized', why: BATCH },
  {
    file: 'couriers/courierStore.ts',
    begins: 'delete from courier_leases where holder',
    why: 'a process gives up what it holds in all centrals with simulated couriers',
  },
  {
    file: 'postgres/ids.ts',
    begins: 'with unused as',
    why: 'counters are not distributed: a process gives all unused ids back at its end',
  },
];
