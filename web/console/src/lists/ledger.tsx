import type { useWords } from '../../../shared/words.ts';
import { Link } from '../router.tsx';
import { Empty } from '../ui/Loaded.tsx';
import { Money, TimeAgo } from '../ui/texts.tsx';
import type { ListDefinition, SortedColumn, Words } from './list.ts';

/** The fields that the entries of all ledgers have. */
interface LedgerEntry {
  id: string;
  data_hora: string;
  tipo: string;
  entrega_id: string | null;
  valor: string;
}

interface Ledger<Row> {
  /** Everything but the columns. */
  list: Pick<ListDefinition<Row>, 'filters' | 'orders' | 'rowKey' | 'empty'>;
  when: SortedColumn<Row>;
  kind: SortedColumn<Row>;
  delivery: SortedColumn<Row>;
  amount: SortedColumn<Row>;
}

/** What the lists of all ledgers share. Each has its own kinds of entries and its own text while it is empty. */
export function ledgerOf<Row extends LedgerEntry>(
  kinds: Readonly<Record<string, Words | undefined>>,
  whatAppears: string,
  t: ReturnType<typeof useWords>,
): Ledger<Row> {
  return {
    list: {
      filters: [
        { name: 'periodo', kind: 'period', pt: 'Período', en: 'Period' },
        {
          name: 'tipo',
          kind: 'choices',
          pt: 'Lançamento',
          en: 'Entry',
          options: Object.entries(kinds).flatMap(([value, words]) => (words ? [{ value, ...words }] : [])),
        },
      ],
      orders: [
        { value: 'mais_novos', pt: 'Mais novos', en: 'Newest' },
        { value: 'mais_antigos', pt: 'Mais antigos', en: 'Oldest' },
      ],
      rowKey: ({ id }) => id,
      empty: <Empty title={t('Nenhum lançamento ainda', 'No entry yet')}>{whatAppears}</Empty>,
    },
    when: {
      key: 'when',
      header: t('Quando', 'When'),
      ascending: 'mais_antigos',
      descending: 'mais_novos',
      cell: ({ data_hora }) => <TimeAgo at={data_hora} />,
    },
    kind: {
      key: 'kind',
      header: t('Lançamento', 'Entry'),
      cell: ({ tipo }) => t(kinds[tipo]?.pt ?? tipo, kinds[tipo]?.en ?? tipo),
    },
    delivery: {
      key: 'delivery',
      header: t('Entrega', 'Delivery'),
      wideOnly: true,
      cell: ({ entrega_id: id }) => (id === null ? '—' : <Link to={`/entregas/${id}`}>{id}</Link>),
    },
    amount: {
      key: 'amount',
      header: t('Valor', 'Amount'),
      figures: true,
      cell: ({ valor }) => <Money value={valor} />,
    },
  };
}
