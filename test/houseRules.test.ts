import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { migrationFaults } from '../scripts/migrationRules.ts';
import { LoginBody } from '../server/src/pages/console/installConsole.ts';
import { CodeBody, PasswordBody } from '../server/src/pages/driver/installDriverSession.ts';
import { everyEndpoint } from './support/everyEndpoint.ts';
import { schemaFaults } from './support/schemaFaults.ts';
import { SQL_EXCEPTIONS } from './support/sqlExceptions.ts';
import { centralFaults, citusFaults, ownerFaults, tablesOfCentrals } from './support/sqlFaults.ts';

/** Outermost first: a file imports only from its own room or from rooms further down. */
const ROOMS = [
  ...['main', 'cli', 'app', 'config', 'demo'],
  ...[
    'pages',
    'operations',
    'contract',
    'wire',
    'couriers',
    'dispatcher',
    'http',
    'privacy',
    'reports',
    'search',
    'grouping',
    'scheduled',
    'deliveries',
    'tracking',
    'requests',
    'billing',
    'earnings',
  ],
  ...[
    'proof',
    'push',
    'webhooks',
    'estimates',
    'geocoding',
    'routing',
    'engines',
    'areas',
    'companies',
    'drivers',
    'wallet',
    'audit',
    'events',
    'centrals',
  ],
  ...['backup', 'postgres', 'kernel'],
];

/** Where people are spoken to; the demonstration's data is Portuguese too. */
const BORDER = ['cli', 'pages', 'operations', 'contract', 'wire', 'http', 'demo'];

/** Readers of Brazilian file formats, which name their columns in Portuguese. */
const FOREIGN_FORMATS = ['server/src/geocoding/embedded/readCnefe.ts'];

const ROOM_NAMES_BANNED = ['utils', 'helpers', 'services', 'managers', 'types', 'common', 'shared', 'lib'];
const LINES_MAX = 400;

const root = join(import.meta.dirname, '..');
const server = join(root, 'server', 'src');
const files = globSync('{server,test,bench,scripts}/**/*.ts', {
  cwd: root,
  // What npm and Prisma put there.
  exclude: ['**/node_modules', 'bench/peers/generated'],
}).map((path) => join(root, path));
const inServer = files.filter((file) => file.startsWith(server));
const read = (file: string): string => readFileSync(file, 'utf8');
const short = (file: string): string => relative(root, file);

/** The room of a file: its folder directly under server/src, or its own name when it lies there. */
const roomOf = (file: string): string => relative(server, file).split('/')[0]!.replace(/\.ts$/, '');

const expectNone = (faults: string[], rule: string): void =>
  assert.equal(faults.length, 0, `${rule}\n  ${faults.join('\n  ')}`);

test('every room has its place in the order', () => {
  const unknown = [...new Set(inServer.map(roomOf))].filter((room) => !ROOMS.includes(room));
  expectNone(unknown, 'add these rooms to ROOMS, at the place their imports allow:');
});

test('imports only point inwards', () => {
  const faults: string[] = [];
  for (const file of inServer.filter((each) => !each.endsWith('.test.ts'))) {
    for (const target of importsOf(file)) {
      if (!target.startsWith(server)) faults.push(`${short(file)} leaves the server for ${short(target)}`);
      else if (ROOMS.indexOf(roomOf(target)) < ROOMS.indexOf(roomOf(file)))
        faults.push(`${short(file)} looks outwards at ${short(target)}`);
    }
  }
  expectNone(faults, 'a file may import only from its own room and from rooms further in:');
});

test('rooms are named after the trade, not after kinds of code', () => {
  const faults = inServer.filter((file) => {
    const folders = dirname(relative(server, file)).split('/');
    return folders.some((folder) => ROOM_NAMES_BANNED.includes(folder));
  });
  expectNone(faults.map(short), 'these folders say nothing about what is in them:');
});

test('files are named in camelCase', () => {
  const faults = files.filter((file) => !/^[a-z][A-Za-z0-9]*(\.test)?\.ts$/.test(basename(file)));
  expectNone(faults.map(short), 'rename these files after their main export:');
});

test('Portuguese stays at the border', () => {
  const faults: string[] = [];
  const inner = inServer.filter(
    (file) =>
      !BORDER.includes(roomOf(file)) && !file.endsWith('.test.ts') && !FOREIGN_FORMATS.includes(short(file)),
  );
  for (const file of inner) {
    const source = withoutComments(read(file)).replace(TEXT_FOR_PEOPLE, '');
    for (const word of contractWordsIn(source)) faults.push(`${short(file)}: ${word}`);
  }
  for (const path of globSync('migrations/*.sql', { cwd: root })) {
    const sql = read(join(root, path)).replace(/--.*$/gm, '');
    for (const word of contractWordsIn(sql)) faults.push(`${path}: ${word}`);
  }
  expectNone(
    faults,
    'words of the contract belong in contract/, operations/, pages/ and http/ (see docs/glossary.md):',
  );
});

/** Private words that were replaced by the industry's terms, and their replacements. */
const WORDS_REPLACED = {
  sight: 'scope',
  deed: 'actor',
  kinship: 'merge key',
  beginAside: 'beginIndependent',
  eachApart: 'forEachIsolated',
  putOff: 'postpone',
  searchOn: 'resumeSearch',
  letGo: 'release',
  planAgain: 'retryOnConflict',
  carryOutOnce: 'runIdempotent',
  newsOf: 'event',
  asker: 'request context',
  goOn: 'continue',
  hearers: 'listeners',
  toldOf: 'eventsOf',
  tellAll: 'notifyAll or announceAll',
  IN_SIGHT: 'IN_SCOPE',
  PATIENCE_MS: 'TIMEOUT_MS',
};

test('replaced words do not return, neither in code nor in comments', () => {
  const banned = new RegExp(`\\b(${Object.keys(WORDS_REPLACED).join('|')})\\b`, 'g');
  const faults = globSync('{server/src,console/src,test}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => path !== 'test/houseRules.test.ts')
    .flatMap((path) =>
      [...read(join(root, path)).matchAll(banned)].map(
        ([word]) => `${path}: ${word} -> ${WORDS_REPLACED[word as keyof typeof WORDS_REPLACED]}`,
      ),
    );
  expectNone(faults, 'use the industry’s term:');
});

test('variables are named by their noun, not one or told', () => {
  const unnamed = /\b(?:const|let) (?:one|told)\b|[([](?:\w+, )*(?:one|told)(?:\]?\)|: [^()]*\)) =>|\[one, /g;
  const faults = globSync('{server,console,driver,client,test,bench,scripts}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.gen\.ts$|node_modules|houseRules/.test(path))
    .flatMap((path) =>
      [...withoutComments(read(join(root, path))).matchAll(unnamed)].map(([found]) => `${path}: ${found}`),
    );
  expectNone(faults, 'name these after what they hold:');
});

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const pages = globSync('{console,driver}/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !path.endsWith('.gen.ts'),
  );
  const faults = [...files, ...pages.map((path) => join(root, path))]
    .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ file, lines }) => `${short(file)}: ${lines} lines`);
  expectNone(faults, 'split these files by purpose:');
});

test('each migration has the number after the one before it', () => {
  const names = globSync('*.sql', { cwd: join(root, 'migrations') }).sort();
  const faults = names.filter((name, index) => Number(name.slice(0, 4)) !== index + 1);
  expectNone(faults, 'renumber these migrations, in the order in which they are applied:');
});

test('migrations run beside the old version of the service', () => {
  const migrations = globSync('migrations/*.sql', { cwd: root })
    .sort()
    .map((path) => ({ name: basename(path), sql: read(join(root, path)) }));
  expectNone(migrationFaults(migrations), 'write these as docs/migrations.md says:');
});

const ADDRESSES = 'reference data shared by all centrals, on one machine or copied to each';

/** Why a distributed database can do with these; see docs/migrations.md. */
const SCHEMA_EXCEPTIONS = {
  withoutCentral: {
    centrals: 'the tenants themselves',
    migrations: 'of the whole database',
    address_sets: ADDRESSES,
    address_streets: ADDRESSES,
    address_districts: ADDRESSES,
    address_words: ADDRESSES,
  },
  uniqueWithoutCentral: {
    api_keys_digest_unique: 'the key says which central a request is for; a small reference table',
  },
  triggers: {},
};

test('the schema can be distributed by central, and explains itself', () => {
  const schema = read(join(root, 'schema.sql'));
  expectNone(schemaFaults(schema, SCHEMA_EXCEPTIONS), 'see docs/migrations.md:');
});

test('stops of scheduled deliveries are defined as those of deliveries are', () => {
  const schema = read(join(root, 'schema.sql'));
  const columnsOf = (table: string): string[] =>
    (new RegExp(`^create table ${table} \\(\\n([\\s\\S]*?)\\n\\)`, 'm').exec(schema)?.[1] ?? '')
      .split('\n')
      .map((line) => line.trim().replace(/,$/, ''))
      .filter((line) => !/^(--|constraint )/.test(line));
  const ofDeliveries = columnsOf('stops');
  const others = columnsOf('scheduled_stops').filter((column) => !ofDeliveries.includes(column));
  assert.deepEqual(others, ['scheduled_id bigint not null']);
});

/** SQL stands in the stores; other files hold a statement here and there. */
const withSql = inServer
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, room: roomOf(file) }));

test('every statement names its central as a parameter, for each table', () => {
  const tables = tablesOfCentrals(read(join(root, 'schema.sql')));
  const faults = centralFaults(server, withSql, tables, SQL_EXCEPTIONS);
  expectNone(faults, 'write x.central_id = $1 for each table, or find the centrals with work first:');
});

/** The SQL of tests that run on a cluster too. */
const onCitus = files.filter((file) =>
  /^test\/(contract|operations|lifecycle|dispatcher|support)\/(?!sql)/.test(short(file)),
);

test('no statement has a form that Citus refuses, in tests that run on it neither', () => {
  const faults = citusFaults(root, [...withSql, ...onCitus.map((file) => ({ file, room: 'test' }))]);
  expectNone(faults, 'see test/support/sqlFaults.ts for what Citus takes:');
});

test('each table is written by one room', () => {
  const tables = ['centrals', ...tablesOfCentrals(read(join(root, 'schema.sql')))];
  const chosen = { 'requests/stopStore.ts': ['stops', 'scheduled_stops'] };
  expectNone(ownerFaults(server, withSql, tables, chosen), 'call functions of the room that owns the table:');
});

test('contract tests drive HTTP and hold no SQL', () => {
  const faults = files
    .filter((file) => short(file).startsWith('test/contract/'))
    .filter((file) => /\bdb\b/.test(withoutComments(read(file))));
  expectNone(
    faults.map(short),
    'use requests, or a function of test/support that says why no request leads there:',
  );
});

test('a benchmark runs by the real clock, and schedules nothing at the date of the tests', () => {
  const benches = files.filter((file) => /^bench\/(?!httpData)/.test(short(file)));
  const faults = benches.filter((file) => read(file).includes('scheduledOrder'));
  expectNone(faults.map(short), 'use scheduledTomorrow() of bench/httpData.ts in these files:');
});

/** The one condition under which tests are skipped: those of pages, on a machine without any browser. */
const MAY_SKIP = 'test/support/browserTest.ts';

test('no test is skipped but those of pages on a machine without a browser, and none runs alone', () => {
  const faults: string[] = [];
  for (const file of files.filter((each) => /\.test\.ts$|\/test\//.test(each))) {
    const source = withoutComments(read(file)).replace(/'(?:\\.|[^'\\\n])*'/g, "''");
    const found = source.match(/\.(only|skip|todo)\(|\b(only|todo): true|[{,]\s*skip\s*[:,}]/);
    if (found && short(file) !== MAY_SKIP) faults.push(`${short(file)}: ${found[0].trim()}`);
  }
  expectNone(faults, 'run these tests always, or delete them:');
  assert.equal(read(join(root, MAY_SKIP)).match(/\bskip:/g)?.length, 1);
});

test('every test of pages can say that there is no browser', () => {
  const faults = globSync('test/**/browser/*.test.ts', { cwd: root }).filter((path) => {
    const source = read(join(root, path));
    return (
      !/import \{ browserTest as test \} from '[./]+\/support\/browserTest\.ts'/.test(source) ||
      /\btest\b[^;]*from 'node:test'/.test(source)
    );
  });
  expectNone(faults, 'take `test` from test/support/browserTest.ts in these files:');
  const launching = files.filter((file) => /\b(openBrowser|launchChromium)\(/.test(read(file))).map(short);
  const elsewhere = launching.filter((path) => !/^test\/((long\/)?browser|support)\//.test(path));
  expectNone(
    elsewhere.filter((path) => path !== 'test/houseRules.test.ts'),
    'tests that open a browser belong in test/browser or test/long/browser:',
  );
});

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** GeoJSON positions: areas/readShape.ts counts what lies deeper. */
const COUNTED_ELSEWHERE = /\.coordinates\[\]$/;

function unboundedIn(schema: Schema, place: string): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => unboundedIn(each, place));
  if (schema.enum || schema.const !== undefined) return [];
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? [`${place}: a text without maxLength`] : [];
    case 'array':
      return [
        ...(schema.maxItems === undefined ? [`${place}: a list without maxItems`] : []),
        ...unboundedIn(schema.items ?? {}, `${place}[]`),
      ];
    case 'object':
      return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
        unboundedIn(field, `${place}.${name}`),
      );
    case undefined:
      return COUNTED_ELSEWHERE.test(place) ? [] : [`${place}: anything at all`];
    default:
      return [];
  }
}

test('every text and every list that a request may hold has an end', () => {
  const faults = everyEndpoint.flatMap(({ endpoint, name }) => [
    ...unboundedIn((endpoint.body as Schema | undefined) ?? { type: 'object' }, `${name} body`),
    ...unboundedIn((endpoint.query as Schema | undefined) ?? { type: 'object' }, `${name} query`),
  ]);
  faults.push(...unboundedIn(LoginBody as Schema, 'POST /console/sessao body'));
  for (const body of [CodeBody, PasswordBody])
    faults.push(...unboundedIn(body as Schema, 'POST /entregador/sessao body'));
  expectNone(faults, 'give these a maxLength or maxItems:');
});

test('every package is pinned by the digest of its contents, and by no registry', () => {
  const { packages } = JSON.parse(read(join(root, 'package-lock.json'))) as {
    packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>;
  };
  const faults = Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .filter(([, { integrity, resolved }]) => !/^sha512-/.test(integrity ?? '') || resolved !== undefined)
    .map(([path]) => path);
  expectNone(faults, 'in package-lock.json these need an integrity and no address (see CONTRIBUTING.md):');
});

function importsOf(file: string): string[] {
  const found = withoutComments(read(file)).matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, path]) => resolve(dirname(file), path!));
}

/** Strings are matched too, so that what looks like a comment inside one stays. */
function withoutComments(source: string): string {
  const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(tokens, (token) => (token.startsWith('/*') || token.startsWith('//') ? '' : token));
}

/** A sentence that stands beside its English twin: { pt: '…', en: '…' }. */
const TEXT_FOR_PEOPLE = /\bpt: ('(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/g;

function contractWordsIn(source: string): string[] {
  const plain = source.normalize('NFD').replace(/\p{Diacritic}/gu, '');
  // camelCase and snake_case names fall apart into their words.
  const words = plain
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return [...new Set(words)].filter(
    (word) => CONTRACT_WORDS.has(word) || CONTRACT_WORDS.has(word.replace(/e?s$/, '')),
  );
}

const CONTRACT_WORDS = new Set(
  `entrega solicitacao solicitacoe programada agrupar agrupada agrupado agrupamento parada partida desejado coleta
  retorno disparo bandeira empresa condutor taxista passageiro cliente veiculo placa endereco bairro cidade estado
  complemento referencia estimativa tarifa valor desconto cupom pagamento credito recarga saldo recibo rastreio
  situacao motivo observacao identificacao telefone nome senha usuario categoria duracao distancia previsao
  prefixado ordem pedido padrao pagina limite mensagem codigo cancelar consultar atuacao mch`
    .trim()
    .split(/\s+/),
);
