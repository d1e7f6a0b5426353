import { useRef } from 'react';
import { paymentLabel, STATUS_LETTERS, statusLabel } from '../../../shared/statuses.ts';
import { useWords } from '../../../shared/words.ts';
import { type Answer, call } from '../api.ts';
import { useCompanies, useDrivers } from '../data/registers.ts';
import { companyFilter, driverFilter, paymentFilter } from '../lists/commonFilters.ts';
import { ListView } from '../lists/ListView.tsx';
import type { ListDefinition, ListFilter } from '../lists/list.ts';
import { go, Link } from '../router.tsx';
import { IfMay, useMay } from '../session.tsx';
import { DeliveryState } from '../ui/badges.tsx';
import { Empty } from '../ui/Loaded.tsx';
import { Money, Nothing, TimeAgo } from '../ui/texts.tsx';

type ListedDelivery = Answer<'operacao', 'POST /entregas/consultar'>['data'][number];

/** The list of all deliveries, open and past. */
export function DeliveriesPage() {
  const t = useWords();
  const list = useDeliveryList();
  return (
    <>
      <div className="page-head">
        <h1>{t('Entregas', 'Deliveries')}</h1>
        <div className="actions">
          <OpenByNumber />
          <IfMay permission="order">
            <Link to="/nova" className="button primary">
              {t('Nova entrega', 'New delivery')}
            </Link>
          </IfMay>
        </div>
      </div>
      <ListView list={list} />
    </>
  );
}

function OpenByNumber() {
  const t = useWords();
  const number = useRef<HTMLInputElement>(null);
  const label = t('Abrir pelo número', 'Open by number');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = number.current?.value.trim();
        if (id) go(`/entregas/${id}`);
      }}
    >
      <input
        ref={number}
        className="number-field"
        inputMode="numeric"
        pattern="[0-9]+"
        size={14}
        aria-label={label}
        placeholder={label}
      />
    </form>
  );
}

function useDeliveryFilters(): ListFilter[] {
  const mayReadRegisters = useMay('registers-read');
  const companies = useCompanies().data ?? [];
  const drivers = useDrivers(mayReadRegisters).data ?? [];
  return [
    { name: 'texto', kind: 'text', pt: 'Procurar', en: 'Search' },
    { name: 'periodo', kind: 'period', pt: 'Pedida', en: 'Ordered' },
    {
      name: 'status',
      kind: 'choices',
      pt: 'Status',
      en: 'Status',
      options: STATUS_LETTERS.map((letter) => ({ value: letter, ...statusLabel[letter] })),
    },
    ...(mayReadRegisters ? [companyFilter(companies), driverFilter(drivers)] : []),
    paymentFilter('tipo_pagamento'),
  ];
}

function useDeliveryList(): ListDefinition<ListedDelivery> {
  const t = useWords();
  const filters = useDeliveryFilters();
  return {
    name: 'entregas',
    label: t('Entregas', 'Deliveries'),
    topic: 'deliveries',
    filters,
    orders: [
      { value: 'mais_novas', pt: 'Mais novas', en: 'Newest' },
      { value: 'mais_antigas', pt: 'Mais antigas', en: 'Oldest' },
    ],
    rowKey: ({ id }) => id,
    onOpen: (id) => go(`/entregas/${id}`),
    cards: 'compact',
    read: (body) => call('operacao', 'POST /entregas/consultar', { body }),
    readFile: (body) => call('operacao', 'POST /entregas/exportar', { body }),
    empty: (
      <Empty title={t('Nenhuma entrega ainda', 'No deliveries yet')}>
        {t('A primeira aparece aqui. ', 'The first one appears here. ')}
        <IfMay permission="order">
          <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
        </IfMay>
      </Empty>
    ),
    columns: [
      {
        key: 'status',
        header: t('Status', 'Status'),
        cell: (delivery) => <DeliveryState of={delivery} />,
      },
      { key: 'id', header: t('Nº', 'No.'), cell: ({ id }) => <Link to={`/entregas/${id}`}>{id}</Link> },
      {
        key: 'when',
        header: t('Pedida', 'Ordered'),
        ascending: 'mais_antigas',
        descending: 'mais_novas',
        cell: ({ solicitada_em }) => <TimeAgo at={solicitada_em} />,
      },
      { key: 'client', header: t('Cliente', 'Customer'), cell: ({ nome_cliente }) => nome_cliente },
      { key: 'from', header: t('De', 'From'), wideOnly: true, cell: ({ partida }) => partida.endereco },
      {
        key: 'to',
        header: t('Para', 'To'),
        cell: ({ paradas, primeira_parada }) => (
          <>
            {primeira_parada?.endereco}
            {paradas > 1 && <span className="soft"> +{paradas - 1}</span>}
            {primeira_parada?.nome_cliente && (
              <span className="second soft">{primeira_parada.nome_cliente}</span>
            )}
          </>
        ),
      },
      {
        key: 'driver',
        header: t('Entregador', 'Driver'),
        wideOnly: true,
        cell: ({ condutor }) => condutor?.nome ?? <Nothing />,
      },
      {
        key: 'payment',
        header: t('Pagamento', 'Payment'),
        wideOnly: true,
        cell: ({ tipo_pagamento }) => {
          const label = paymentLabel[tipo_pagamento];
          return label ? t(label.pt, label.en) : tipo_pagamento;
        },
      },
      {
        key: 'price',
        header: t('Valor', 'Price'),
        figures: true,
        cell: ({ valor_corrida }) => <Money value={valor_corrida} />,
      },
    ],
  };
}
