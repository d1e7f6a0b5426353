import type { Tx } from '../postgres/database.ts';
import type { Field, FieldName, SearchDocument } from './documents.ts';
import type { SearchNoun } from './lexemes.ts';

// The searchable rows with their searchable texts.

type Texts = Partial<Record<FieldName, string | null>>;

/** A request has a row for each of its stops; all other nouns have one row. */
type DocumentRow = Pick<SearchDocument, 'id' | 'companyId' | 'sequence'> & Texts;

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
const selectRequests = (requests: string, stops: string): string => `
  select r.id, r.company_id as "companyId", r.event_sequence as sequence,
    customer.name as customer, customer.phone as "customerPhone",
    case when r.company_id is null then concat_ws(', ', r.pickup_address, r.pickup_district, r.pickup_city) end as pickup,
    s.address || ', ' || s.district || ', ' || s.city as address, s.recipient_name as recipient,
    s.recipient_phone as "recipientPhone", s.order_number as "orderNumber", s.external_id as "externalId"
  from ${requests} r
  left join ${stops} s on s.central_id = $1 and s.ordered_with = r.id
  left join customers customer on customer.central_id = $1 and customer.id = r.customer_id and r.company_id is null
  where r.central_id = $1 and r.id = any($2::bigint[]) order by r.id, s.position`;

const SELECT = {
  delivery: selectRequests('deliveries', 'stops'),
  scheduled: selectRequests('scheduled', 'scheduled_stops'),
  company: `select id, null::bigint as "companyId", 0 as sequence, name, phone, document, identifier,
      contract_number as "contractNumber"
    from companies where central_id = $1 and id = any($2::bigint[]) order by id`,
  driver: `select id, null::bigint as "companyId", 0 as sequence, name, phone, plate
    from drivers where central_id = $1 and id = any($2::bigint[]) order by id`,
  customer: `select id, null::bigint as "companyId", 0 as sequence, name, phone, cpf as document
    from customers where central_id = $1 and id = any($2::bigint[]) and company_id is null and cpf is not null
    order by id`,
} as const satisfies Record<SearchNoun, string>;

const fieldsOf = (texts: Texts, names: readonly FieldName[], stop: number | null): Field[] =>
  names.flatMap((name) => (texts[name] ? [{ name, text: texts[name], stop }] : []));

export async function findDocuments(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<SearchDocument[]> {
  if (ids.length === 0) return [];
  const rows = await tx.run<DocumentRow>(SELECT[noun], [centralId, ids]);
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => {
    const [first] = own as [DocumentRow];
    const { id, companyId, sequence } = first;
    const ofStops = own.flatMap((row, stop) => fieldsOf(row, STOP_FIELDS, stop));
    return { noun, id, companyId, sequence, fields: [...ofStops, ...fieldsOf(first, OWN_FIELDS, null)] };
  });
}

/** The people who ordered these requests without a company. */
export async function findCustomersOf(
  tx: Tx,
  centralId: number,
  noun: 'delivery' | 'scheduled',
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx.run<{ customer_id: number }>(
    `select distinct customer_id from ${noun === 'delivery' ? 'deliveries' : 'scheduled'}
     where central_id = $1 and id = any($2::bigint[]) and company_id is null`,
    [centralId, ids],
  );
  return rows.map((row) => row.customer_id);
}
