import { demoCentrals } from '../server/simulation/demo/demoCentrals.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { order } from '../test/support/orders.ts';
import { basic, type Ground } from './service.ts';
import type { Shot } from './stallAttacks.ts';

/** Many requests of one login that keep the service busy, rather than one that blocks it. */
export interface LoadAttack {
  name: string;
  /** What each client does with its connection. Those that are still open are closed at the end of the attack. */
  client: 'reads' | 'never reads' | 'leaves at once' | 'withholds the last byte';
  /** Makes what the requests read, and returns them. All are sent at the same time, each on its own connection. */
  prepare(ground: Ground, url: string): Promise<Shot[]>;
  /** The request whose waiting time is measured; by default that of an integrator of another central. */
  besides?: Shot;
}

const OPERATION = '/api/v2/operacao';
const { apiKey } = demoCentrals[0]!;
const json = { 'content-type': 'application/json', 'api-key': apiKey };
const asManager = { ...json, authorization: basic('gerente') };
const asDriver = { ...json, authorization: basic('condutor1') };
const asOperator = { ...json, authorization: basic('central') };

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const get = (path: string): Shot => ({ method: 'GET', path: OPERATION + path, headers: asOperator });

async function ask(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<{ data: { id: number } }> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { data: { id: number } };
}

/** Bodies of which the last byte never comes. */
const halfSent = (name: string, count: number, bytes: number): LoadAttack => ({
  name,
  client: 'withholds the last byte',
  prepare: async () =>
    times(count, () => ({
      method: 'POST',
      path: `${OPERATION}/condutores/1/posicao`,
      headers: asDriver,
      body: 'x'.repeat(bytes),
    })),
});

const ENTRIES = 4_990;

let largeClosing: number | undefined;

/** A closing with almost as many lines as one may have; its id. */
async function makeClosing(db: Database, url: string): Promise<number> {
  if (largeClosing !== undefined) return largeClosing;
  // In parts, because each entry changes the row of the account.
  for (let from = 0; from < ENTRIES; from += 499)
    await db`
      insert into company_entries (central_id, id, company_id, kind, amount_cents, day, created_at)
      select 1, 5000000 + n, 1, 'cash', -1, current_date - 1, now() - interval '1 day'
      from generate_series(${from}::int, ${from + 498}::int) n`;
  const ate = Temporal.Now.plainDateISO('UTC').toString();
  const { data } = await ask(url, `${OPERATION}/empresas/1/fechamentos`, asOperator, { ate });
  largeClosing = data.id;
  return largeClosing;
}

const OPEN = 500;

/** A full board. */
async function makeOpenDeliveries(db: Database, url: string): Promise<void> {
  const [known] = await db<{ count: number }>`
    select count(*) as count from deliveries where central_id = 1 and status = 'awaiting_release'`;
  for (let made = known!.count; made < OPEN; made += 20)
    await Promise.all(times(20, () => ask(url, '/api/v2/integracao/entregas', asManager, order({}, 3))));
}

const documents = (
  count: number,
  formato: 'pdf' | 'csv',
  client: LoadAttack['client'],
  name: string,
): LoadAttack => ({
  name,
  client,
  async prepare({ db }, url) {
    const id = await makeClosing(db, url);
    return times(count, () => get(`/fechamentos/${id}/arquivo?formato=${formato}`));
  },
});

const board = (name: string, client: LoadAttack['client'], shots: () => Shot[]): LoadAttack => ({
  name,
  client,
  async prepare({ db }, url) {
    await makeOpenDeliveries(db, url);
    return shots();
  },
});

export const loadAttacks: readonly LoadAttack[] = [
  documents(100, 'pdf', 'reads', 'load: 100 PDF statements of 4,990 lines at once'),
  documents(300, 'csv', 'never reads', 'load: 300 CSV statements that nobody reads'),
  documents(60, 'pdf', 'leaves at once', 'load: 60 PDF statements whose clients leave'),
  board('load: the board 60 times at once', 'reads', () => times(60, () => get('/entregas/abertas'))),
  board('load: 100 lists with their count', 'reads', () =>
    times(100, () => ({
      method: 'POST',
      path: `${OPERATION}/entregas/consultar`,
      headers: asOperator,
      body: JSON.stringify({ contar: true, texto: 'avenida', limite: 100 }),
    })),
  ),
  board('load: 100 tolerant searches', 'reads', () =>
    times(100, (index) => get(`/busca?texto=${encodeURIComponent(`avenidda ipirannga ${index}`)}&limite=50`)),
  ),
  {
    name: 'load: 900 requests answered 404, beside an integrator with the same key',
    client: 'reads',
    prepare: async () =>
      times(900, (index) => ({
        method: 'GET',
        path: `/api/v2/integracao/entregas/${9_000_000 + index}`,
        headers: asManager,
      })),
    besides: {
      method: 'POST',
      path: '/api/v2/integracao/entregas/consultar',
      headers: asOperator,
      body: '{"limite":1}',
    },
  },
  halfSent('load: 2,000 bodies of 64 KiB sent by halves', 2_000, 64 * 1024),
  halfSent('load: 2,000 bodies of 1 MiB sent by halves', 2_000, 1024 * 1024),
];
