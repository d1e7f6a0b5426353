import { useMemo } from 'react';
import { type Language, useLanguage, useWords } from '../../../../shared/words.ts';
import type { OpenDelivery } from '../../data/deliveries.ts';
import { Link } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Arrival } from './Arrival.tsx';
import { isOpenStop, nextStop } from './openStops.ts';

/** The table of the open deliveries. */
export function OpenTable({
  deliveries,
  selected,
  onSelect,
}: {
  deliveries: readonly OpenDelivery[];
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const columns = useMemo(() => columnsIn(language), [language]);
  return (
    <Table
      label={t('Entregas em curso', 'Open deliveries')}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      selected={selected}
      onSelect={onSelect}
      cards
    />
  );
}

function columnsIn(language: Language): Column<OpenDelivery>[] {
  const t = (pt: string, en: string) => (language === 'pt' ? pt : en);
  return [
    {
      key: 'id',
      header: t('Entrega', 'Delivery'),
      cell: ({ id, status, nome_cliente }) => (
        <>
          <StatusBadge status={status} />
          <span className="second line">
            <Link to={`/entregas/${id}`}>{id}</Link> · {nome_cliente}
          </span>
        </>
      ),
    },
    {
      key: 'to',
      header: t('Para', 'To'),
      cell: (each) => {
        const stop = nextStop(each);
        const done = each.paradas.filter((stop) => !isOpenStop(stop)).length;
        return (
          <>
            <span className="line">{stop?.endereco}</span>
            <span className="second soft line">
              {stop?.bairro}
              {each.paradas.length > 1 && ` · ${done}/${each.paradas.length}`}
            </span>
          </>
        );
      },
    },
    {
      key: 'arrival',
      header: t('Entregador e chegada', 'Driver and arrival'),
      cell: (delivery) => (
        <>
          <span className={delivery.condutor ? 'line' : 'line soft'}>
            {delivery.condutor?.nome ?? t('sem entregador', 'no driver')}
          </span>
          <Arrival delivery={delivery} />
        </>
      ),
    },
  ];
}
