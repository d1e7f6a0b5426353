import type { OpenDelivery } from '../../data/deliveries.ts';
import { Link } from '../../router.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { isOpenStop, nextStop } from './dayView.ts';

/** The deliveries of the day as rows. */
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
  const columns: Column<OpenDelivery>[] = [
    {
      key: 'id',
      header: t('Entrega', 'Delivery'),
      cell: ({ id, status, nome_cliente }) => (
        <>
          <StatusBadge status={status} />
          <span className="second cut">
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
            <span className="cut">{stop?.endereco}</span>
            <span className="second soft cut">
              {stop?.bairro}
              {each.paradas.length > 1 && ` · ${done}/${each.paradas.length}`}
            </span>
          </>
        );
      },
    },
    {
      key: 'driver',
      header: t('Entregador', 'Driver'),
      wideOnly: true,
      cell: ({ condutor }) =>
        condutor ? <span className="cut">{condutor.nome}</span> : <span className="soft">—</span>,
    },
    {
      key: 'due',
      header: t('Prazo', 'Due'),
      cell: ({ atrasada, previsao }) => (
        <span className={atrasada ? 'late' : undefined}>
          <TimeAgo at={previsao} only="clock" />
          <span className={atrasada ? 'second' : 'second soft'}>
            {atrasada && '! '}
            <TimeAgo at={previsao} only="age" />
          </span>
        </span>
      ),
    },
  ];
  return (
    <Table
      label={t('Entregas em curso', 'Open deliveries')}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
