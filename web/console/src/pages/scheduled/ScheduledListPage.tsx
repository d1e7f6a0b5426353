import { paymentLabel } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { useCompanies } from '../../data/registers.ts';
import { companyFilter, paymentFilter } from '../../lists/commonFilters.ts';
import { ListView } from '../../lists/ListView.tsx';
import type { ListDefinition, ListFilter } from '../../lists/list.ts';
import { go, Link } from '../../router.tsx';
import { IfMay, useMay } from '../../session.tsx';
import { SITUATIONS, SituationBadge, situationLabel } from '../../ui/badges.tsx';
import { Empty } from '../../ui/Loaded.tsx';
import { Money, Nothing, TimeAgo } from '../../ui/texts.tsx';
import { ScheduledHead } from './ScheduledHead.tsx';

type ListedScheduled = Answer<'operacao', 'POST /programadas/consultar'>['data'][number];

/** The list of all scheduled deliveries, past ones included. */
export function ScheduledListPage() {
  const list = useScheduledHistory();
  return (
    <>
      <ScheduledHead />
      <ListView list={list} />
    </>
  );
}

function useFilters(): ListFilter[] {
  const isStaff = useMay('internals');
  const companies = useCompanies().data ?? [];
  return [
    { name: 'texto', kind: 'text', pt: 'Procurar', en: 'Search' },
    { name: 'periodo', kind: 'period', pt: 'Saída', en: 'Dispatch' },
    {
      name: 'situacao',
      kind: 'choices',
      pt: 'Situação',
      isFeminine: true,
      en: 'Situation',
      options: SITUATIONS.map((value) => ({ value, ...situationLabel[value] })),
    },
    ...(isStaff ? [companyFilter(companies)] : []),
    paymentFilter('forma_pagamento'),
  ];
}

function useScheduledHistory(): ListDefinition<ListedScheduled> {
  const t = useWords();
  const filters = useFilters();
  return {
    name: 'programadas',
    label: t('Programadas', 'Scheduled deliveries'),
    topic: 'scheduled',
    filters,
    orders: [
      { value: 'disparo_mais_tarde', pt: 'Saída mais tarde', en: 'Latest dispatch' },
      { value: 'disparo_mais_cedo', pt: 'Saída mais cedo', en: 'Earliest dispatch' },
    ],
    rowKey: ({ id_mch_programada }) => id_mch_programada,
    onOpen: (id) => go(`/programadas/${id}`),
    read: (body) => call('operacao', 'POST /programadas/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /programadas/exportar', { body }),
    empty: (
      <Empty title={t('Nenhuma programada ainda', 'No scheduled delivery yet')}>
        {t(
          'As entregas marcadas para mais tarde aparecem aqui. ',
          'Deliveries planned for later appear here. ',
        )}
        <IfMay permission="order">
          <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
        </IfMay>
      </Empty>
    ),
    cards: 'compact',
    columns: [
      {
        key: 'situation',
        header: t('Situação', 'Situation'),
        cell: ({ situacao, falha }) => (
          <>
            <SituationBadge situation={situacao} />
            {falha && <span className="second soft">{falha}</span>}
          </>
        ),
      },
      {
        key: 'id',
        header: t('Nº', 'No.'),
        cell: ({ id_mch_programada: id }) => <Link to={`/programadas/${id}`}>{id}</Link>,
      },
      {
        key: 'dispatch',
        header: t('Saída', 'Dispatch'),
        ascending: 'disparo_mais_cedo',
        descending: 'disparo_mais_tarde',
        cell: ({ disparo_em }) => <TimeAgo at={disparo_em} />,
      },
      { key: 'client', header: t('Cliente', 'Customer'), cell: ({ nome_cliente }) => nome_cliente },
      { key: 'from', header: t('Coleta', 'Pickup'), wideOnly: true, cell: ({ coleta }) => coleta.endereco },
      {
        key: 'to',
        header: t('Para', 'To'),
        cell: ({ paradas, primeira_parada }) => (
          <>
            {primeira_parada?.endereco}
            {paradas > 1 && <span className="soft"> +{paradas - 1}</span>}
          </>
        ),
      },
      {
        key: 'became',
        header: t('Entrega', 'Delivery'),
        wideOnly: true,
        cell: ({ id_mch, agrupada_em }) =>
          id_mch ? (
            <Link to={`/entregas/${id_mch}`}>{id_mch}</Link>
          ) : agrupada_em ? (
            <>
              {t('na ', 'in ')}
              <Link to={`/programadas/${agrupada_em}`}>{agrupada_em}</Link>
            </>
          ) : (
            <Nothing />
          ),
      },
      {
        key: 'payment',
        header: t('Pagamento', 'Payment'),
        wideOnly: true,
        cell: ({ forma_pagamento }) => {
          const { pt, en } = paymentLabel[forma_pagamento]!;
          return t(pt, en);
        },
      },
      {
        key: 'price',
        header: t('Valor', 'Price'),
        figures: true,
        cell: ({ valor }) => <Money value={valor} />,
      },
    ],
  };
}
