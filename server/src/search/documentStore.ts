import type { Tx } from '../postgres/database.ts';
import type { Field, FieldName, SearchDocument } from './documents.ts';
import type { SearchNoun } from './lexemes.ts';

// The rows that can be found, with all that they are found by.

type Texts = Partial<Record<FieldName, string | null>>;

export interface DocumentRow {
  id: number;
  companyId: number | null;
  sequence: number;
  texts: Texts;
  stops: Texts[] | null;
}

/** A person who ordered without a company; for a company both are known by its own row. */
const PERSON = `case when r.company_id is null then jsonb_build_object('customer', customer.name,
  'customerPhone', customer.phone, 'pickup', concat_ws(', ', r.pickup_address, r.pickup_district, r.pickup_city))
  else '{}' end`;

const stopTexts = (stop: string): string => `jsonb_build_object('recipient', ${stop}.recipient_name,
  'recipientPhone', ${stop}.recipient_phone,
  'address', concat_ws(', ', ${stop}.address, ${stop}.district, ${stop}.city),
  'orderNumber', ${stop}.order_number, 'externalId', ${stop}.external_id)`;

/** A stop belongs to the request that it was ordered with, whichever carries it now: groupings change no entry. */
const SELECT = {
  delivery: `select r.id, r.company_id as "companyId", r.event_sequence as sequence, ${PERSON} as texts,
      (select jsonb_agg(${stopTexts('s')} order by s.position) from stops s
       where s.central_id = $1 and s.ordered_with = r.id) as stops
    from deliveries r left join customers customer on customer.central_id = $1 and customer.id = r.customer_id
    where r.central_id = $1 and r.id = any($2::bigint[]) order by r.id`,
  scheduled: `select r.id, r.company_id as "companyId", r.event_sequence as sequence, ${PERSON} as texts,
      (select jsonb_agg(${stopTexts('s')} order by s.position) from scheduled_stops s
       where s.central_id = $1 and s.ordered_with = r.id) as stops
    from scheduled r left join customers customer on customer.central_id = $1 and customer.id = r.customer_id
    where r.central_id = $1 and r.id = any($2::bigint[]) order by r.id`,
  company: `select id, null::bigint as "companyId", 0 as sequence, jsonb_build_object('name', name, 'phone', phone,
      'document', document, 'identifier', identifier, 'contractNumber', contract_number) as texts, null as stops
    from companies where central_id = $1 and id = any($2::bigint[]) order by id`,
  driver: `select id, null::bigint as "companyId", 0 as sequence, jsonb_build_object('name', name, 'phone', phone,
      'plate', plate) as texts, null as stops
    from drivers where central_id = $1 and id = any($2::bigint[]) order by id`,
  customer: `select id, null::bigint as "companyId", 0 as sequence, jsonb_build_object('name', name, 'phone', phone,
      'document', cpf) as texts, null as stops
    from customers where central_id = $1 and id = any($2::bigint[]) and company_id is null and cpf is not null
    order by id`,
} as const satisfies Record<SearchNoun, string>;

const fieldsOf = (texts: Texts, stop: number | null): Field[] =>
  Object.entries(texts).flatMap(([name, text]) => (text ? [{ name: name as FieldName, text, stop }] : []));

export async function findDocuments(
  tx: Tx,
  centralId: number,
  noun: SearchNoun,
  ids: readonly number[],
): Promise<SearchDocument[]> {
  if (ids.length === 0) return [];
  const rows = await tx.run<DocumentRow>(SELECT[noun], [centralId, ids]);
  return rows.map(({ id, companyId, sequence, texts, stops }) => ({
    noun,
    id,
    companyId,
    sequence,
    fields: [...(stops ?? []).flatMap((stop, index) => fieldsOf(stop, index)), ...fieldsOf(texts, null)],
  }));
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
