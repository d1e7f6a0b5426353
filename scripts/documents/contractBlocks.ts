import { type Endpoint, keepsKeys } from '../../server/src/api/http/endpoint.ts';
import { failures } from '../../server/src/api/http/failures/failures.ts';
import { limitOf } from '../../server/src/api/http/rateLimits.ts';
import { integrationEndpoints } from '../../server/src/api/integration/endpoints.ts';
import { settingsDefaults } from '../../server/src/centrals/central.ts';
import type { RefusalKind } from '../../server/src/platform/kernel/refusal.ts';
import { eventTable } from './eventTable.ts';
import { meanings } from './fieldMeanings.ts';
import { FieldTables, type Resource, usedMeanings } from './fieldTables.ts';
import type { LimitedSchema } from './fieldTypes.ts';
import { type Language, table } from './language.ts';

const plain = (schema: unknown): LimitedSchema => JSON.parse(JSON.stringify(schema)) as LimitedSchema;
const endpointOf = (operation: string): Endpoint =>
  integrationEndpoints.find((endpoint) => endpoint.operation === operation)!;
const bodyOf = (operation: string): LimitedSchema => plain(endpointOf(operation).body);
const dataOf = (operation: string): LimitedSchema => plain(endpointOf(operation).answer).properties!.data!;

const resources: Readonly<Record<string, Resource>> = {
  delivery: {
    name: { en: 'delivery', pt: 'entrega' },
    section: '2.1',
    operation: 'obterEntrega',
    schema: dataOf('obterEntrega'),
  },
  scheduled: {
    name: { en: 'scheduled delivery', pt: 'programada' },
    section: '2.2',
    operation: 'obterProgramada',
    schema: dataOf('obterProgramada'),
  },
  stop: {
    name: { en: 'stop of a delivery', pt: 'parada de uma entrega' },
    section: '2.3',
    operation: 'obterEntrega',
    path: 'paradas',
    schema: dataOf('obterEntrega').properties!.paradas!.items!,
  },
  scheduledStop: {
    name: { en: 'stop of a scheduled delivery', pt: 'parada de uma programada' },
    section: '2.4',
    operation: 'obterProgramada',
    path: 'paradas',
    schema: dataOf('obterProgramada').properties!.paradas!.items!,
  },
  orderPickup: {
    name: { en: 'pickup of an order', pt: 'partida de um pedido' },
    section: '2.7',
    operation: 'criarEntrega',
    path: 'partida',
    schema: bodyOf('criarEntrega').properties!.partida!,
    isRequest: true,
  },
  orderStop: {
    name: { en: 'stop of an order', pt: 'parada de um pedido' },
    section: '2.7',
    operation: 'criarEntrega',
    path: 'paradas',
    schema: bodyOf('criarEntrega').properties!.paradas!.items!,
    isRequest: true,
  },
  orderDemands: {
    name: { en: 'demands of an order', pt: 'exigências de um pedido' },
    section: '4.33',
    operation: 'criarEntrega',
    path: 'exigencias',
    schema: bodyOf('criarEntrega').properties!.exigencias!,
    isRequest: true,
  },
  stopDemands: {
    name: { en: 'demands of a stop', pt: 'exigências de uma parada' },
    section: '4.33',
    operation: 'criarEntrega',
    path: 'paradas.exigencias',
    schema: bodyOf('criarEntrega').properties!.paradas!.items!.properties!.exigencias!,
    isRequest: true,
  },
  order: {
    name: { en: 'order', pt: 'pedido' },
    section: '4.17',
    operation: 'criarEntrega',
    schema: bodyOf('criarEntrega'),
    isRequest: true,
    isInPlace: true,
  },
  estimateRequest: {
    name: { en: 'request for an estimate', pt: 'pedido de estimativa' },
    section: '4.1',
    operation: 'estimarEntrega',
    schema: bodyOf('estimarEntrega'),
    isRequest: true,
    isInPlace: true,
  },
  estimate: {
    name: { en: 'estimate', pt: 'estimativa' },
    section: '4.1',
    operation: 'estimarEntrega',
    schema: dataOf('estimarEntrega'),
    isInPlace: true,
  },
  webhook: {
    name: { en: 'webhook', pt: 'webhook' },
    section: '2.8',
    operation: 'obterWebhook',
    schema: dataOf('obterWebhook'),
  },
  image: {
    name: { en: 'image', pt: 'imagem' },
    section: '2.9',
    operation: 'obterDetalhesEntrega',
    path: 'paradas.comprovantes',
    schema: dataOf('obterDetalhesEntrega').properties!.paradas!.items!.properties!.comprovantes!.items!,
  },
};

const words = {
  permission: { en: 'Permission', pt: 'Permissão' },
  limit: { en: 'Limit: {n} requests in 60 seconds', pt: 'Limite: {n} requisições em 60 segundos' },
  itemLimit: { en: 'Limit: {n} items in 60 seconds', pt: 'Limite: {n} itens em 60 segundos' },
  perCompany: { en: ', {n} for each company', pt: ', {n} por empresa' },
  keyed: { en: 'Takes an `Idempotency-Key`', pt: 'Aceita `Idempotency-Key`' },
  body: { en: 'Body', pt: 'Corpo' },
  query: { en: 'Query parameters', pt: 'Parâmetros da consulta' },
  noInput: { en: 'No body.', pt: 'Sem corpo.' },
  answer: { en: 'Answer 200', pt: 'Resposta 200' },
  data: { en: ', `data`', pt: ', `data`' },
  list: { en: ', `data` is a list, each', pt: ', `data` é uma lista, cada item' },
  further: { en: 'Beside `data`, with a cursor', pt: 'Ao lado de `data`, com cursor' },
  stream: {
    en: 'Answer 200: a stream of server-sent events, whose `data` is the body of a webhook (6.5).',
    pt: 'Resposta 200: um fluxo de server-sent events, cujo `data` é o corpo de um webhook (6.5).',
  },
  only: { en: ': only `success`.', pt: ': somente `success`.' },
  refusals: { en: 'Refusals of its own', pt: 'Recusas próprias' },
} satisfies Record<string, Readonly<Record<Language, string>>>;

/** The generated blocks of the contract, by the name in their marker. */
export function contractBlocks(language: Language): Record<string, string> {
  const tables = new FieldTables(language, Object.values(resources));
  const blocks = {
    ...Object.fromEntries(
      Object.entries(resources)
        .filter(([, { isInPlace }]) => !isInPlace)
        .map(([name, resource]) => [name, tables.ofResource(resource)]),
    ),
    ...Object.fromEntries(
      integrationEndpoints.map((endpoint) => [
        endpoint.operation!,
        describeEndpoint(endpoint, tables, language),
      ]),
    ),
    events: eventTable(language),
    refusals: refusalTable(language),
  };
  const unused = Object.keys(meanings).filter((name) => !usedMeanings.has(name));
  if (unused.length > 0) throw new Error(`fieldMeanings.ts has meanings of no field: ${unused.join(', ')}`);
  return blocks;
}

function describeEndpoint(endpoint: Endpoint, tables: FieldTables, language: Language): string {
  const { operation, method, path, permission, limit, companyLimit, body, query, refusals = [] } = endpoint;
  const counted = (text: Readonly<Record<Language, string>>, group: typeof limit) =>
    text[language].replace('{n}', String(settingsDefaults[limitOf[group]]));
  const facts = [
    `${words.permission[language]} \`${permission}\``,
    counted(endpoint.countsItems ? words.itemLimit : words.limit, limit) +
      (companyLimit ? counted(words.perCompany, companyLimit) : ''),
    ...(keepsKeys(endpoint) ? [words.keyed[language]] : []),
  ];
  const input = (title: keyof typeof words, schema: unknown) => {
    const fields = tables.ofRequest(operation!, plain(schema));
    return `${words[title][language]}:${fields.startsWith('|') ? '\n\n' : ' '}${fields}`;
  };
  return [
    `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``,
    `${facts.join('. ')}.`,
    ...(body ? [input('body', body)] : []),
    ...(query ? [input('query', query)] : []),
    ...(method !== 'GET' && !body ? [words.noInput[language]] : []),
    describeAnswer(endpoint, tables, language),
    ...(refusals.length > 0
      ? [`${words.refusals[language]}: ${byStatus(refusals).map(named).join(', ')}.`]
      : []),
  ].join('\n\n');
}

const byStatus = (kinds: readonly RefusalKind[]): RefusalKind[] =>
  kinds.toSorted((a, b) => failures[a].status - failures[b].status);
const named = (kind: RefusalKind): string => `${failures[kind].status} \`${kind}\``;

function describeAnswer(
  { operation, answer, isLive }: Endpoint,
  tables: FieldTables,
  language: Language,
): string {
  if (isLive) return words.stream[language];
  const { properties = {}, required = [], ...schema } = plain(answer);
  const { success: _, ...fields } = properties;
  const title = words.answer[language];
  if (Object.keys(fields).length === 0) return title + words.only[language];
  const { data, ...others } = fields;
  const isData = data && !Object.keys(others).some((name) => required.includes(name));
  const isList = isData && data.type === 'array';
  const described = isData
    ? isList
      ? data.items!
      : data
    : { ...schema, properties: fields, required: required.filter((name) => name !== 'success') };
  const text = tables.ofAnswer(operation!, described);
  const what = isData ? (isList ? words.list : words.data)[language] : '';
  const answered = `${title}${what}:${text.startsWith('|') ? '\n\n' : ' '}${text}`;
  if (!isData || Object.keys(others).length === 0) return answered;
  const further = tables.ofAnswer(operation!, { ...schema, properties: others, required: [] });
  return `${answered}\n\n${words.further[language]}:\n\n${further}`;
}

const headings = {
  en: ['status', 'code', 'kind', 'message'],
  pt: ['status', 'código', 'tipo', 'mensagem'],
};

/** Every refusal that an endpoint of this interface names. */
function refusalTable(language: Language): string {
  const kinds = new Set(integrationEndpoints.flatMap(({ refusals = [] }) => refusals));
  return table(
    headings[language],
    byStatus([...kinds]).map((kind) => {
      const { status, code } = failures[kind];
      return [String(status), String(code), `\`${kind}\``, failures[kind][language]];
    }),
  );
}
