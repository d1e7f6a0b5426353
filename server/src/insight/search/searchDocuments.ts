import { companyWord, type SearchNoun } from './lexemes.ts';
import { type FieldForm, type SearchWord, wordsOfField } from './searchWords.ts';

/** The meaning of a field. */
export type FieldName =
  | 'recipient'
  | 'recipientPhone'
  | 'address'
  | 'orderNumber'
  | 'externalId'
  | 'customer'
  | 'customerPhone'
  | 'pickup'
  | 'name'
  | 'phone'
  | 'document'
  | 'plate'
  | 'identifier'
  | 'contractNumber';

const FORMS = {
  recipient: 'name',
  recipientPhone: 'phone',
  address: 'address',
  orderNumber: 'code',
  externalId: 'code',
  customer: 'name',
  customerPhone: 'phone',
  pickup: 'address',
  name: 'name',
  phone: 'phone',
  document: 'code',
  plate: 'code',
  identifier: 'code',
  contractNumber: 'code',
} as const satisfies Record<FieldName, FieldForm>;

export interface Field {
  name: FieldName;
  text: string;
  /** The index of its stop in the document's stops, if it belongs to one. */
  stop: number | null;
}

/** A row in the form in which it is searched. */
export interface SearchDocument {
  noun: SearchNoun;
  id: number;
  companyId: number | null;
  /** The row's event_sequence; 0 where it has none. */
  sequence: number;
  fields: readonly Field[];
}

export const wordsOf = ({ name, text }: Field): SearchWord[] => wordsOfField(FORMS[name], text);

/** Limits the words of a delivery with very many stops to those of its first stops. */
const WORDS_MAX = 1_000;

export function wordsOfDocument({ companyId, fields }: SearchDocument): SearchWord[] {
  const words = new Map<string, SearchWord>();
  if (companyId !== null) words.set('#', companyWord(companyId));
  for (const field of fields)
    for (const word of wordsOf(field)) {
      if (words.size >= WORDS_MAX) return [...words.values()];
      words.set(`${word.kind} ${word.text}`, word);
    }
  return [...words.values()];
}
