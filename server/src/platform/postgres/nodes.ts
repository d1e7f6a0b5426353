import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Statement } from './batch.ts';
import { troubleOf } from './databaseErrors.ts';

/*
 * With Citus, tables are distributed over nodes by central. Every node can plan every statement, and forwards the parts
 * that concern other nodes. So a statement of a central is sent to the node that holds the central, which answers it
 * alone. Ids, notifications and work over all centrals go through the coordinator.
 *
 * When a central has moved, or its node cannot be reached from here, statements take a detour without an error.
 */

export interface NodeAddress {
  host: string;
  port: number;
}

const CENTRALS_MAX = 50_000;
/** How long after a move statements may still go through the node that held the central before. */
const PLACE_KEPT_MS = 15_000;
const UNREACHABLE_MS = 30_000;

const FIND_NODE = `
  select n.nodename as host, n.nodeport as port
  from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
  where p.shardid = get_shard_id_for_distribution_column('deliveries', $1::bigint)
    and n.noderole = 'primary' and n.groupid <> 0 and n.metadatasynced`;

export interface Places {
  /** The node that holds a central. Undefined: the coordinator, or a node that cannot be used directly. */
  nodeOf(centralId: number): Promise<NodeAddress | undefined>;
  /** Serves the centrals of an unreachable node through the coordinator for a while. */
  avoid(node: NodeAddress): void;
  /** Forgets all nodes after an outage, because they may have changed. */
  note(error: unknown): void;
}

export function findPlaces(coordinator: pg.Pool): Places {
  const places = new LRUCache<number, Promise<NodeAddress | undefined>>({
    max: CENTRALS_MAX,
    ttl: PLACE_KEPT_MS,
  });
  const avoidedUntil = new Map<string, number>();
  const isAvoided = (node: NodeAddress): boolean => (avoidedUntil.get(keyOf(node)) ?? 0) > performance.now();
  const find = (centralId: number): Promise<NodeAddress | undefined> => {
    const found = coordinator
      .query<NodeAddress>({ name: 'find node', text: FIND_NODE, values: [centralId] })
      .then(({ rows }) => rows[0]);
    places.set(centralId, found);
    found.catch(() => places.delete(centralId));
    return found;
  };
  return {
    async nodeOf(centralId) {
      const node = await (places.get(centralId) ?? find(centralId));
      return node && !isAvoided(node) ? node : undefined;
    },
    avoid: (node) => void avoidedUntil.set(keyOf(node), performance.now() + UNREACHABLE_MS),
    note(error) {
      if (troubleOf(error) === 'outage') places.clear();
    },
  };
}

const keyOf = ({ host, port }: NodeAddress): string => `${host}:${port}`;

export interface NodePools {
  /** A connection to the node of the central that the statements are about. */
  connect(statements: readonly Statement[]): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

/** `open` makes a pool of connections to a node like those of the coordinator's. */
export function openNodePools(
  coordinator: pg.Pool,
  places: Places,
  open: (node: NodeAddress) => pg.Pool,
): NodePools {
  const pools = new Map<string, pg.Pool>();
  const poolAt = (node: NodeAddress): pg.Pool => {
    const known = pools.get(keyOf(node));
    if (known) return known;
    const pool = open(node);
    pools.set(keyOf(node), pool);
    return pool;
  };
  return {
    async connect(statements) {
      const centralId = statements.map(centralOf).find((id) => id !== undefined);
      const node = centralId === undefined ? undefined : await places.nodeOf(centralId);
      if (!node) return coordinator.connect();
      const pool = poolAt(node);
      try {
        return await pool.connect();
      } catch (error) {
        // All connections are in use: a detour through the coordinator would only add load.
        if (pool.totalCount >= pool.options.max) throw error;
        places.avoid(node);
        return coordinator.connect();
      }
    },
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

const CENTRAL =
  /\bcentral_id = \$(\d+)|\binsert into \w+(?: as \w+)? \(\s*central_id\b[^)]*\)\s*(?:values\s*\(|select)\s*\$(\d+)/;
const parameters = new Map<string, number>();

/** Every statement names its central as a parameter, which a house rule checks; see test/sqlFaults.test.ts. */
export function centralOf({ text, values }: Statement): number | undefined {
  let parameter = parameters.get(text);
  if (parameter === undefined) {
    const [, compared, inserted] = CENTRAL.exec(text) ?? [];
    parameter = Number(compared ?? inserted ?? 0);
    parameters.set(text, parameter);
  }
  const value = values[parameter - 1];
  return typeof value === 'number' ? value : undefined;
}

/** The configuration of a connection, with another address. */
export function atNode(connection: pg.PoolConfig, { host, port }: NodeAddress): pg.PoolConfig {
  if (!connection.connectionString) return { ...connection, host, port };
  const url = new URL(connection.connectionString);
  url.hostname = host;
  url.port = String(port);
  return { ...connection, connectionString: url.href };
}
