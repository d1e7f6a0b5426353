import type { Caller } from '../server/src/centrals/caller.ts';
import { findCentral } from '../server/src/centrals/centralStore.ts';
import { indexCentral } from '../server/src/insight/search/indexCentral.ts';
import { searchEverything } from '../server/src/insight/search/searchEverything.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database, Tx } from '../server/src/platform/postgres/database.ts';
import { runText } from '../test/support/runText.ts';
import { cpuOfServer, postmasterOf } from './cpu.ts';
import { makeGrowingCentral } from './growthData.ts';
import { onOwnGround } from './service.ts';

const SIZES = [100_000, 1_000_000];
const STEP = 100_000;
const ROUNDS = 200;
const LIMIT = 6;

/** Given names and surnames by frequency: the first are very common, the last rare. */
const GIVEN =
  'Maria,José,Ana,João,Antônio,Francisco,Carlos,Paulo,Pedro,Lucas,Luiz,Marcos,Luís,Gabriel,Rafael,Francisca,Daniel,Marcelo,Bruno,Eduardo,Felipe,Raimundo,Rodrigo,Adriana,Juliana,Márcia,Fernanda,Patrícia,Aline,Sandra,Camila,Amanda,Bruna,Jéssica,Letícia,Júlia,Luciana,Vanessa,Mariana,Gabriela,Sônia,Débora,Cláudia,Tânia,Ágata,Hermínia,Otávio,Ubirajara,Quitéria,Zuleica'.split(
    ',',
  );
const SURNAMES =
  'Silva,Santos,Oliveira,Souza,Lima,Pereira,Ferreira,Costa,Rodrigues,Almeida,Nascimento,Alves,Carvalho,Araújo,Ribeiro,Gomes,Martins,Rocha,Barbosa,Dias,Moreira,Cardoso,Teixeira,Gonçalves,Correia,Mendes,Nunes,Vieira,Freitas,Lopes,Ramos,Azevedo,Monteiro,Farias,Cavalcanti,Müller,Schmidt,Bragança,Nóbrega,Zanatta'.split(
    ',',
  );
const STREETS =
  'Rua dos Andradas,Avenida Ipiranga,Rua da Praia,Av. Protásio Alves,Rua Padre Chagas,Rua Vinte e Quatro de Outubro,Av. Getúlio Vargas,Rua General Câmara,Rua Duque de Caxias,Travessa Leonardo Truda,Rua Riachuelo,Av. Borges de Medeiros,Rua Coronel Fernando Machado,Rua Demétrio Ribeiro,Rua José do Patrocínio,Av. João Pessoa,Rua Lima e Silva,Rua da República,Av. Venâncio Aires,Rua Santana'.split(
    ',',
  );

/** The text of the n-th search. `known` are deliveries of the whole history. */
const QUESTIONS: Record<string, (known: Known, n: number) => string> = {
  id: ({ id }) => String(id),
  'full name, no accents': ({ name }) => plain(name),
  'name with a typing error': ({ name }) => mistyped(plain(name)),
  'name and surname begun': ({ name }) => plain(name).slice(0, -2),
  'phone, last 8 digits': ({ phone }) => `${phone.slice(-8, -4)}-${phone.slice(-4)}`,
  'phone, last 4 digits': ({ phone }) => phone.slice(-4),
  address: ({ address }) => plain(address),
  'rare external id': ({ id }) => `ext-${id}`,
  'order number': ({ id }) => `ped${1_000_000 + id}`,
  'very common name': () => 'maria',
  'two common names': () => 'maria silva',
  'everybody’s city': () => 'porto alegre',
  'nothing like it': (_, n) => `xyzzy${n} plugh`,
};

interface Known {
  id: number;
  name: string;
  phone: string;
  address: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f,]/g, '')
    .toLowerCase();
/** Swaps two letters of the longest word. */
const mistyped = (text: string): string => {
  const longest = text.split(' ').reduce((a, b) => (b.length > a.length ? b : a));
  const wrong = `${longest.slice(0, 2)}${longest[3]}${longest[2]}${longest.slice(4)}`;
  return text.replace(longest, wrong);
};

/**
 * Measures the search box at 100,000 and 1,000,000 deliveries in one central: wall-clock time, processor time of this
 * process and PostgreSQL together, and the cost of the index. `--quick` omits the larger size.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.includes('--quick') ? SIZES.slice(0, 1) : SIZES;
  await onOwnGround(4, async ({ db }) => {
    const { rows } = await db.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = postmasterOf(rows[0]!.pid);
    await makeGrowingCentral(db);
    await indexCentral({ db, clock: systemClock }, 1);
    const table: Record<string, { p50: number; p95: number; cpuMs: number }[]> = {};
    let size = 0;
    for (const total of sizes) {
      for (; size < total; size += STEP) await db.unhurried.begin((tx) => insertDeliveries(tx, size, STEP));
      for (const name of ['deliveries', 'stops']) await runText(db.unhurried, `vacuum (analyze) ${name}`, []);
      await buildIndex(db, postmaster, total);
      for (const [name, ask] of Object.entries(QUESTIONS)) {
        const measured = await measureQuestion(db, postmaster, ask);
        table[name] = [...(table[name] ?? []), measured];
        console.log(
          `${total.toLocaleString('en').padStart(10)} ${name.padEnd(28)} p50 ${measured.p50.toFixed(1)} ms, p95 ${measured.p95.toFixed(1)} ms, processor ${measured.cpuMs.toFixed(2)} ms`,
        );
      }
    }
    if (sizes.length > 1)
      for (const [name, [small, large]] of Object.entries(table))
        console.log(
          `${name.padEnd(28)} growth: p50 ${(large!.p50 / small!.p50).toFixed(2)}, p95 ${(large!.p95 / small!.p95).toFixed(2)}, processor ${(large!.cpuMs / small!.cpuMs).toFixed(2)}; p95 ${large!.p95.toFixed(1)} ms (aim: below 100)`,
        );
  });
}

async function insertDeliveries(tx: Tx, from: number, count: number): Promise<void> {
  // The data is known to satisfy the triggers and keys.
  await tx`select set_config('session_replication_role', 'replica', true)`;
  const ids = await tx.newIds(1, 'delivery', count);
  const stopIds = await tx.newIds(1, 'stop', count);
  const [shop] = await tx<{
    company: number;
    customer: number;
    tariff: number;
    category: number;
    driver: number;
  }>`
    select c.id as company, p.id as customer, t.id as tariff, t.category_id as category,
      (select min(id) from drivers where central_id = 1) as driver
    from companies c join customers p on p.central_id = 1 and p.company_id = c.id
    join tariffs t on t.central_id = 1 where c.central_id = 1 order by c.id, t.id limit 1`;
  await runText(
    tx,
    `insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
       has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres,
       planned_seconds, gross_cents, net_cents, driver_id, requested_at, accepted_at, started_at, finished_at,
       event_sequence)
     select 1, id, 'finished', $3::bigint, $4::bigint, $5::bigint, $6::bigint, 'cash', false, 'Rua dos Andradas, 1',
       'Centro', 'Porto Alegre', 'RS', -30.03, -51.23, 3000, 600, 900, 900, $7::bigint, at, at, at, at, 1
     from unnest($1::bigint[]) with ordinality as new (id, place)
     cross join lateral (select now() - interval '400 days' + ($2::bigint + place) * interval '30 seconds' as at) t`,
    [ids, from, shop!.company, shop!.customer, shop!.category, shop!.tariff, shop!.driver],
  );
  await runText(
    tx,
    `insert into stops (central_id, id, delivery_id, ordered_with, position, address, district, city, state, lat, lng,
       order_number, external_id, recipient_name, recipient_phone, tracking_token, concluded_at)
     select 1, ($2::bigint[])[place], id, id, 0, ($5::text[])[1 + (id * 31 % cardinality($5::text[]))] || ', ' || id * 17 % 4000,
       'Bairro ' || id % 60, 'Porto Alegre', 'RS', -30.04, -51.21, 'PED-' || 1000000 + id, 'ext-' || id,
       -- The square of a uniform number makes the first names common and the last ones rare.
       ($3::text[])[1 + floor(cardinality($3::text[]) * (hash1 % 10007 / 10007.0) ^ 2)::integer] || ' ' ||
       ($4::text[])[1 + floor(cardinality($4::text[]) * (hash2 % 10007 / 10007.0) ^ 2)::integer] || ' ' ||
       chr(65 + (id % 26)::integer) || 'a' || chr(97 + (id / 26 % 26)::integer) || 'e' || chr(97 + (id / 676 % 26)::integer) || 'o',
       '519' || lpad((id * 7919 % 100000000)::text, 8, '0'), '1-' || id, now()
     from unnest($1::bigint[]) with ordinality as new (id, place)
     cross join lateral (select (id * 2654435761 % 1000003) as hash1, (id * 40503 % 1000033) as hash2) h`,
    [ids, stopIds, GIVEN, SURNAMES, STREETS],
  );
  await tx`update search_progress set deliveries_below = ${ids.at(-1)! + 1}::bigint where central_id = 1`;
}

async function buildIndex(db: Database, postmaster: number | undefined, total: number): Promise<void> {
  const [before] = await db<{ count: number }>`
    select count(*) from search_entries where central_id = 1 and noun = 'delivery'`;
  const [server, own, at] = [cpuOfServer(postmaster) ?? 0, process.cpuUsage(), performance.now()];
  await indexCentral({ db, clock: systemClock }, 1);
  const count = total - before!.count;
  const { user, system } = process.cpuUsage(own);
  const cpuMs = (cpuOfServer(postmaster) ?? 0) - server + (user + system) / 1000;
  for (const name of ['search_entries', 'search_words'])
    await runText(db.unhurried, `vacuum (analyze) ${name}`, []);
  const sizes = await db<{ name: string; megabytes: number }>`
    select relname as name, pg_relation_size(oid) / 1000000 as megabytes from pg_class
    where relname like 'search\_%' and pg_relation_size(oid) >= 1000000 order by 2 desc`;
  console.log(
    `\n${total.toLocaleString('en')} deliveries: ${count.toLocaleString('en')} indexed in ${((performance.now() - at) / 1000).toFixed(0)} s, ` +
      `${(cpuMs / count).toFixed(3)} ms of processor time each; ${sizes.map(({ name, megabytes }) => `${name} ${megabytes} MB`).join(', ')}`,
  );
}

async function measureQuestion(
  db: Database,
  postmaster: number | undefined,
  ask: (known: Known, n: number) => string,
): Promise<{ p50: number; p95: number; cpuMs: number }> {
  const known = await db<Known>`
    select ordered_with as id, recipient_name as name, recipient_phone as phone, address from stops
    where central_id = 1 and id in (
      select (random() * (select max(id) from stops where central_id = 1))::bigint from generate_series(1, ${ROUNDS}))`;
  const caller: Caller = {
    centralId: 1,
    companyId: null,
    central: (await findCentral(db, 1))!,
    userId: null,
    role: 'operator',
    driverId: null,
  };
  const times: number[] = [];
  for (let n = 0; n < 20; n++) await searchEverything(db, caller, ask(known[n % known.length]!, n), LIMIT);
  const [server, own] = [cpuOfServer(postmaster) ?? 0, process.cpuUsage()];
  for (let n = 0; n < ROUNDS; n++) {
    const at = performance.now();
    await searchEverything(db, caller, ask(known[n % known.length]!, n), LIMIT);
    times.push(performance.now() - at);
  }
  const { user, system } = process.cpuUsage(own);
  const cpuMs = ((cpuOfServer(postmaster) ?? 0) - server + (user + system) / 1000) / ROUNDS;
  times.sort((a, b) => a - b);
  return { p50: times[ROUNDS / 2]!, p95: times[Math.floor(ROUNDS * 0.95)]!, cpuMs };
}
