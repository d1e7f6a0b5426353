import type { ListDefinition, ListFilter, Words } from './list.ts';

/** The orders that every ledger has. */
export const LEDGER_ORDERS: ListDefinition<never>['orders'] = [
  { value: 'mais_novos', pt: 'Mais novos', en: 'Newest' },
  { value: 'mais_antigos', pt: 'Mais antigos', en: 'Oldest' },
];

/** The filters that every ledger has, with its own kinds of entries. */
export const ledgerFilters = (kinds: Readonly<Record<string, Words | undefined>>): ListFilter[] => [
  { name: 'periodo', kind: 'period', pt: 'Período', en: 'Period' },
  {
    name: 'tipo',
    kind: 'choices',
    pt: 'Lançamento',
    en: 'Entry',
    options: Object.entries(kinds).flatMap(([value, words]) => (words ? [{ value, ...words }] : [])),
  },
];
