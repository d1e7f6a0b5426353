import type { LoadRequest } from '../load.ts';
import { DELIVERY_COLUMNS, JOINED_COLUMNS, STOP_COLUMNS } from './deliveryColumns.ts';

type Row = Record<string, unknown>;
export type NewDelivery = Row & { status: string; stops: Row[] };
export type PagedDelivery = Row & { stops: Row[] };

/** The same requests in each peer's form, and conversions of the answers to a common form. */
export interface PeerRequests {
  status(id: number): LoadRequest;
  page(centralId: number, limit: number): LoadRequest;
  create(delivery: NewDelivery): LoadRequest;
  readStatus(answer: unknown): unknown;
  readPage(answer: unknown): PagedDelivery[];
  readId(answer: unknown): unknown;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

export const restRequests: PeerRequests = {
  status: (id) => ({ method: 'GET', path: `/deliveries/${id}/status` }),
  page: (centralId, limit) => ({
    method: 'GET',
    path: `/centrals/${centralId}/deliveries?page=1&limit=${limit}`,
  }),
  create: (delivery) => ({
    method: 'POST',
    path: '/deliveries',
    headers: JSON_HEADERS,
    body: JSON.stringify(delivery),
  }),
  readStatus: (answer) => (answer as Row).status,
  readPage: (answer) => answer as PagedDelivery[],
  readId: (answer) => (answer as Row).id,
};

const graphql = (query: string, variables: Row): LoadRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: JSON_HEADERS,
  body: JSON.stringify({ query, variables }),
});
const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const graphqlName = (column: string) => (column === 'id' ? 'rowId' : camel(column));
const fields = (columns: readonly string[]) =>
  columns.map((column) => `${column}: ${graphqlName(column)}`).join(' ');
const joined = Object.entries(JOINED_COLUMNS).map(
  ([name, columns]) => `${name}: ${camel(`${name}_by_${name}_id`)} { ${fields(columns)} }`,
);
const STATUS = 'query ($id: BigInt!) { deliveryByRowId(rowId: $id) { status } }';
const PAGE = `query ($central: Int!, $limit: Int!) {
  allDeliveries(condition: { centralId: $central }, orderBy: [REQUESTED_AT_DESC, ROW_ID_DESC], first: $limit) {
    nodes {
      ${fields(DELIVERY_COLUMNS)}
      ${joined.join(' ')}
      stops: stopsByDeliveryId(orderBy: POSITION_ASC) { nodes { ${fields(STOP_COLUMNS)} } }
    }
  }
}`;
const CREATE =
  'mutation ($delivery: JSON!) { openDelivery(input: { delivery: $delivery }) { result { id: rowId } } }';

interface GraphqlAnswer {
  data: {
    deliveryByRowId: Row;
    allDeliveries: { nodes: (Row & { stops: { nodes: Row[] } })[] };
    openDelivery: { result: Row };
  };
}

export const graphqlRequests: PeerRequests = {
  status: (id) => graphql(STATUS, { id: String(id) }),
  page: (centralId, limit) => graphql(PAGE, { central: centralId, limit }),
  create: (delivery) => graphql(CREATE, { delivery }),
  readStatus: (answer) => (answer as GraphqlAnswer).data.deliveryByRowId.status,
  readPage: (answer) =>
    (answer as GraphqlAnswer).data.allDeliveries.nodes.map((node) => ({ ...node, stops: node.stops.nodes })),
  readId: (answer) => (answer as GraphqlAnswer).data.openDelivery.result.id,
};

const under = (prefix: string, columns: readonly string[]) => columns.map((column) => `${prefix}.${column}`);
const FIELDS = [
  ...DELIVERY_COLUMNS.filter((column) => column !== 'company_id'),
  ...Object.entries(JOINED_COLUMNS).flatMap(([name, columns]) => under(`${name}_id`, columns)),
  ...under('stops', STOP_COLUMNS),
].join(',');

export function directusRequests(token: string): PeerRequests {
  const headers = { authorization: `Bearer ${token}` };
  return {
    status: (id) => ({ method: 'GET', path: `/items/deliveries/${id}?fields=status`, headers }),
    page: (centralId, limit) => {
      const query = new URLSearchParams({
        fields: FIELDS,
        filter: JSON.stringify({ central_id: { _eq: centralId } }),
        sort: '-requested_at,-id',
        limit: String(limit),
        'deep[stops][_sort]': 'position',
      });
      return { method: 'GET', path: `/items/deliveries?${query}`, headers };
    },
    create: (delivery) => {
      const at = new Date().toISOString();
      const event = { type: 'delivery.status', payload: { status: delivery.status }, occurred_at: at };
      return {
        method: 'POST',
        path: '/items/deliveries?fields=id',
        headers: { ...headers, ...JSON_HEADERS },
        body: JSON.stringify({ ...delivery, requested_at: at, events: [event] }),
      };
    },
    readStatus: (answer) => (answer as { data: Row }).data.status,
    readPage: (answer) => (answer as { data: PagedDelivery[] }).data.map(unnest),
    readId: (answer) => (answer as { data: Row }).data.id,
  };
}

/** Directus replaces a key with the joined row. */
function unnest(delivery: PagedDelivery): PagedDelivery {
  const names = Object.keys(JOINED_COLUMNS);
  const company = delivery.company_id as Row | null;
  return {
    ...delivery,
    ...Object.fromEntries(names.map((name) => [name, delivery[`${name}_id`]])),
    company_id: company?.id ?? null,
  };
}

/** The content of a delivery on a page in a common spelling, for comparing two peers. */
export function contentOf(delivery: PagedDelivery): unknown {
  return {
    ...rowOf(delivery, DELIVERY_COLUMNS),
    ...Object.fromEntries(
      Object.entries(JOINED_COLUMNS).map(([name, columns]) => [name, rowOf(delivery[name] as Row, columns)]),
    ),
    stops: delivery.stops.map((stop) => rowOf(stop, STOP_COLUMNS)),
  };
}

const rowOf = (row: Row | null | undefined, columns: readonly string[]) =>
  row ? Object.fromEntries(columns.map((column) => [column, spelled(column, row[column])])) : null;

/** Some peers return bigint columns as numbers, others as text. */
function spelled(column: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (column.endsWith('_at')) return new Date(String(value)).toISOString();
  if (column === 'discount_percent') return Number(value).toFixed(2);
  return String(value);
}
