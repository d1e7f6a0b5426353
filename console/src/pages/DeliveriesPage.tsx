import { useRef } from 'react';
import { type DeliveryFilter, type ListedDelivery, useDeliveryList } from '../data/deliveries.ts';
import { useDrivers } from '../data/registers.ts';
import { useKeys, useRowKeys } from '../keys.ts';
import { go, Link, usePlace, withQuery } from '../router.tsx';
import { useIsOperator } from '../session.tsx';
import { paymentLabel, STATUS_LETTERS, type StatusLetter, statusLabel } from '../statuses.ts';
import { StatusBadge } from '../ui/badges.tsx';
import { Choices, Field, SelectField } from '../ui/Field.tsx';
import { Empty, Loaded } from '../ui/Loaded.tsx';
import { type Column, Pager, Table, usePage } from '../ui/Table.tsx';
import { Money, TimeAgo } from '../ui/texts.tsx';
import { useWords } from '../words.ts';

const LIMIT = 50;
/** The query knows on hold as accepted. */
const FILTER_LETTERS = STATUS_LETTERS.filter((letter) => letter !== 'S');

/** All deliveries there ever were, newest first. */
export function DeliveriesPage() {
  const t = useWords();
  const { query } = usePlace();
  const page = usePage();
  const filter = readFilter(query, page);
  const list = useDeliveryList(filter);
  const rows = list.data ?? [];
  const selected = query.get('sel');
  const select = (id: string) => go(withQuery({ sel: id }), { replace: true });
  const number = useRef<HTMLInputElement>(null);
  useRowKeys({
    rows: rows.map(({ id }) => id),
    selected,
    onSelect: select,
    onOpen: (id) => go(`/entregas/${id}`),
  });
  useKeys({ '/': () => number.current?.focus() });
  const isFiltered = Boolean(filter.status_solicitacao || filter.tipo_pagamento || filter.condutor_id);
  return (
    <>
      <div className="page-head">
        <h1>{t('Entregas', 'Deliveries')}</h1>
        <Link to="/nova" className="button primary">
          {t('Nova entrega', 'New delivery')}
        </Link>
      </div>
      <Filters filter={filter} numberRef={number} />
      <Loaded query={list}>
        {(deliveries) =>
          deliveries.length > 0 ? (
            <>
              <DeliveryTable
                deliveries={deliveries}
                asked={filter.status_solicitacao}
                selected={selected}
                onSelect={select}
              />
              <Pager shown={deliveries.length} limit={LIMIT} />
            </>
          ) : (
            <NoDeliveries isFiltered={isFiltered} isLaterPage={page > 1} />
          )
        }
      </Loaded>
    </>
  );
}

function readFilter(query: URLSearchParams, page: number): DeliveryFilter {
  const status = query.get('status');
  const payment = query.get('pagamento');
  const driver = Number(query.get('condutor'));
  return {
    // The address bar may hold anything; the server refuses what it does not know.
    ...(status && { status_solicitacao: status as NonNullable<DeliveryFilter['status_solicitacao']> }),
    ...(payment && { tipo_pagamento: payment as NonNullable<DeliveryFilter['tipo_pagamento']> }),
    ...(driver > 0 && { condutor_id: driver }),
    pagina: page,
    limite: LIMIT,
  };
}

function Filters({
  filter,
  numberRef,
}: {
  filter: DeliveryFilter;
  numberRef: React.RefObject<HTMLInputElement | null>;
}) {
  const t = useWords();
  const isOperator = useIsOperator();
  const drivers = useDrivers(isOperator);
  const set = (name: string) => (event: React.ChangeEvent<HTMLSelectElement>) =>
    go(withQuery({ [name]: event.currentTarget.value, pagina: null, sel: null }));
  return (
    <div className="filters">
      <SelectField
        label={t('Status', 'Status')}
        value={filter.status_solicitacao ?? ''}
        onChange={set('status')}
      >
        <option value="">{t('Todos', 'All')}</option>
        {FILTER_LETTERS.map((letter) => (
          <option key={letter} value={letter}>
            {letter} · {t(statusLabel[letter].pt, statusLabel[letter].en)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('Pagamento', 'Payment')}
        value={filter.tipo_pagamento ?? ''}
        onChange={set('pagamento')}
      >
        <option value="">{t('Todos', 'All')}</option>
        {Object.entries(paymentLabel).map(([code, { pt, en }]) => (
          <option key={code} value={code}>
            {t(pt, en)}
          </option>
        ))}
      </SelectField>
      {isOperator && (
        <SelectField
          label={t('Entregador', 'Driver')}
          value={String(filter.condutor_id ?? '')}
          onChange={set('condutor')}
        >
          <option value="">{t('Todos', 'All')}</option>
          <Choices of={drivers.data} />
        </SelectField>
      )}
      <form
        className="go-to"
        onSubmit={(event) => {
          event.preventDefault();
          const id = numberRef.current?.value.trim();
          if (id) go(`/entregas/${id}`);
        }}
      >
        <Field
          label={t('Abrir pelo número', 'Open by number')}
          inputMode="numeric"
          pattern="[0-9]+"
          placeholder="/"
          size={8}
          ref={numberRef}
        />
      </form>
    </div>
  );
}

function DeliveryTable({
  deliveries,
  asked,
  selected,
  onSelect,
}: {
  deliveries: readonly ListedDelivery[];
  asked: string | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const t = useWords();
  // The query shows deliveries to release as pending; the filter says which of the two they are.
  const letter = (shown: StatusLetter): StatusLetter => (asked === 'L' ? 'L' : shown);
  const columns: Column<ListedDelivery>[] = [
    {
      key: 'status',
      header: t('Status', 'Status'),
      cell: ({ status_solicitacao }) => <StatusBadge status={letter(status_solicitacao)} />,
    },
    { key: 'id', header: t('Nº', 'No.'), cell: ({ id }) => <Link to={`/entregas/${id}`}>{id}</Link> },
    {
      key: 'when',
      header: t('Aberta', 'Opened'),
      cell: ({ data_hora_solicitacao_utc }) => <TimeAgo at={data_hora_solicitacao_utc} />,
    },
    { key: 'client', header: t('Cliente', 'Customer'), cell: ({ nome_cliente }) => nome_cliente },
    {
      key: 'from',
      header: t('De', 'From'),
      wideOnly: true,
      cell: ({ partida }) => partida.endereco,
    },
    {
      key: 'to',
      header: t('Para', 'To'),
      wideOnly: true,
      cell: ({ paradas }) => (
        <>
          {paradas[0]?.endereco}
          {paradas.length > 1 && <span className="soft"> +{paradas.length - 1}</span>}
        </>
      ),
    },
    {
      key: 'driver',
      header: t('Entregador', 'Driver'),
      wideOnly: true,
      cell: ({ nome_condutor }) => nome_condutor || <span className="soft">—</span>,
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
  ];
  return (
    <Table
      label={t('Entregas', 'Deliveries')}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      selected={selected}
      onSelect={onSelect}
    />
  );
}

function NoDeliveries({ isFiltered, isLaterPage }: { isFiltered: boolean; isLaterPage: boolean }) {
  const t = useWords();
  if (isFiltered || isLaterPage)
    return (
      <Empty title={t('Nenhuma entrega aqui', 'No deliveries here')}>
        <Link to="/entregas">{t('Mostrar todas', 'Show all')}</Link>
      </Empty>
    );
  return (
    <Empty title={t('Nenhuma entrega ainda', 'No deliveries yet')}>
      {t('A primeira aparece aqui. ', 'The first one appears here. ')}
      <Link to="/nova">{t('Abrir uma (n)', 'Open one (n)')}</Link>
    </Empty>
  );
}
