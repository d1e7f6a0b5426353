import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { SearchNoun } from './lexemes.ts';
import type { Field, FieldName, SearchDocument } from './searchDocuments.ts';

// The searchable rows with their searchable texts.

type Texts = Partial<Record<FieldName, string | null>>;

/** A request has a row for each of its stops; all other nouns have one row. */
type DocumentRow = Pick<SearchDocument, 'id' | 'companyId' | 'sequence'> &
  Texts & {
    /** The external id of the request, beside those of its stops. */
    ownExternalId?: string | null;
  };

const STOP_FIELDS = ['address', 'recipient', 'externalId', 'orderNumber', 'recipientPhone'] as const;
const OWN_FIELDS = [
  'name',
  'phone',
  'plate',
  'pickup',
  'customer',
  'document',
  'identifier',
  'customerPhone',
  'contractNumber',
] as const;

/**
 * Plain columns, which cost PostgreSQL a quarter of a JSON document for each row.
 *
 * A stop belongs to the request that it was ordered with, whichever carries it now, so groupings change no entry. A
 * person who ordered without a company is found through the request. A company has a separate row.
 */
const selectRequests =
  (requests: Sql, stops: Sql) =>
  (centralId: number, ids: readonly number[]): Sql =>
    sql`
  select r.id, r.company_id, r.event_sequence as sequence, r.external_id as own_external_id,
    customer.name as customer, customer.phone as customer_phone,
    case when r.company_id is null then concat_ws(', ', r.pickup_address, r.pickup_district, r.pickup_city) end as pickup,
    s.address || ', ' || s.district || ', ' || s.city as address, s.recipient_name as recipient,
    s.recipient_phone, s.order_number, s.external_id
  from ${requests} r
  left join ${stops} s on s.central_id = ${centralId} and s.ordered_with = r.id
  left join customers customer on customer.central_id = ${centralId} and customer.id = r.customer_id and r.company_id is null
  where r.central_id = ${centralId} and r.id = any(${ids}::bigint[]) order by r.id, s.position`;

const SELECT = {
  delivery: selectRequests(sql`deliveries`, sql`stops`),
  scheduled: selectRequests(sql`scheduled`, sql`scheduled_stops`),
  company: (centralId, ids) => sql`
    select id, null::bigint as company_id, 0 as sequence, name, phone, document, identifier, contract_number
    from companies where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`,
  driver: (centralId, ids) => sql`
    select id, null::bigint as company_id, 0 as sequence, name, phone, plate
    from drivers where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`,
  customer: (centralId, ids) => sql`
    select id, null::bigint as company_id, 0 as sequence, name, phone, cpf as document
    from customers
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null and cpf is not null
    order by id`,
} satisfies Record<SearchNoun, (centralId: number, ids: readonly number[]) => Sql>;

const fieldsOf = (texts: Texts, names: readonly FieldName[], stop: number | null): Field[] =>
  names.flatMap((name) => (texts[name] ? [{ name, text: texts[name], stop }] : []));

export async function findDocuments(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<SearchDocument[]> {
  if (ids.length === 0) return [];
  const rows = await tx.rows<DocumentRow>`${SELECT[noun](centralId, ids)}`;
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => {
    const [first] = own as [DocumentRow];
    const { id, companyId, sequence, ownExternalId = null } = first;
    const ofStops = own.flatMap((row, stop) => fieldsOf(row, STOP_FIELDS, stop));
    const ownIds = fieldsOf({ externalId: ownExternalId }, ['externalId'], null);
    return {
      noun,
      id,
      companyId,
      sequence,
      fields: [...ofStops, ...ownIds, ...fieldsOf(first, OWN_FIELDS, null)],
    };
  });
}

/** The people who ordered these requests without a company. */
export async function findCustomersOf(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx.rows<{ customerId: number }>`
    select distinct customer_id from ${noun === 'delivery' ? sql`deliveries` : sql`scheduled`}
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null`;
  return rows.map((row) => row.customerId);
}
