import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EmbeddedConnection } from '../../server/src/platform/postgres/embedded.ts';

const EMAIL = 'bench@example.com';
const PASSWORD = 'bench-directus';

export const directusEnv = (
  { host, port, user, database }: EmbeddedConnection,
  pool: number,
): Record<string, string> => ({
  DB_CLIENT: 'pg',
  DB_HOST: host,
  DB_PORT: String(port),
  DB_USER: user,
  DB_PASSWORD: '',
  DB_DATABASE: database,
  DB_SEARCH_PATH: 'array:peers',
  DB_POOL__MIN: '0',
  DB_POOL__MAX: String(pool),
  SECRET: 'bench'.repeat(10),
  ADMIN_EMAIL: EMAIL,
  ADMIN_PASSWORD: PASSWORD,
  HOST: '127.0.0.1',
  ACCESS_TOKEN_TTL: '1d',
  LOG_LEVEL: 'error',
  TELEMETRY: 'false',
  CACHE_ENABLED: 'false',
  WEBSOCKETS_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  SERVE_APP: 'false',
  NODE_ENV: 'production',
});

/** Creates the tables of Directus next to those of the peers. */
export async function bootstrapDirectus(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['bench/peers/directusServer.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, DIRECTUS_COMMAND: 'bootstrap' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`directus bootstrap ended with ${code}`);
}

interface Relation {
  collection: string;
  field: string;
  related: string;
  /** The field on the other side that lists the rows of this one. */
  list?: string;
}

const RELATIONS: readonly Relation[] = [
  { collection: 'deliveries', field: 'company_id', related: 'companies' },
  { collection: 'deliveries', field: 'customer_id', related: 'customers' },
  { collection: 'deliveries', field: 'category_id', related: 'categories' },
  { collection: 'deliveries', field: 'tariff_id', related: 'tariffs' },
  { collection: 'deliveries', field: 'driver_id', related: 'drivers' },
  { collection: 'stops', field: 'delivery_id', related: 'deliveries', list: 'stops' },
  { collection: 'events', field: 'delivery_id', related: 'deliveries', list: 'events' },
];

/** Turns the tables into collections and their foreign keys into relations. Returns the administrator's token. */
export async function describeTables(url: string): Promise<string> {
  let token: string | undefined;
  const call = async (method: string, path: string, body: unknown): Promise<{ access_token: string }> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`directus ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };
  ({ access_token: token } = await call('POST', '/auth/login', { email: EMAIL, password: PASSWORD }));
  for (const collection of new Set(RELATIONS.flatMap(({ collection, related }) => [collection, related])))
    await call('PATCH', `/collections/${collection}`, { meta: { collection } });
  for (const { collection, field, related, list } of RELATIONS) {
    if (list)
      await call('POST', `/fields/${related}`, { field: list, type: 'alias', meta: { special: ['o2m'] } });
    await call('PATCH', `/relations/${collection}/${field}`, {
      collection,
      field,
      related_collection: related,
      meta: { one_field: list ?? null },
    });
  }
  return token;
}
