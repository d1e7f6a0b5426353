import { formatKm, formatMoney } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { useCompanies } from '../../data/registers.ts';
import { type Merge, useMerges } from '../../data/scheduled.ts';
import { Link } from '../../router.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { type Column, Pager, Table, usePage } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/texts.tsx';

const LIMIT = 50;

/** The list of automatic merges, with the figures before and after. */
export function MergesPage() {
  const t = useWords();
  const language = useLanguage();
  const merges = useMerges(usePage(), LIMIT);
  const companies = useCompanies();
  const columns: Column<Merge>[] = [
    { key: 'when', header: t('Quando', 'When'), cell: (each) => <TimeAgo at={each.data_hora_utc} /> },
    {
      key: 'grouper',
      header: t('Principal', 'Main delivery'),
      cell: ({ id_mch_programada: id }) => <Link to={`/programadas/${id}`}>#{id}</Link>,
    },
    {
      key: 'company',
      header: t('Empresa', 'Company'),
      cell: (each) => companies.data?.find(({ id }) => id === each.empresa_id)?.nome ?? each.empresa_id,
    },
    { key: 'orders', header: t('Pedidos', 'Orders'), figures: true, cell: (each) => each.pedidos },
    {
      key: 'stops',
      header: t('Paradas', 'Stops'),
      figures: true,
      wideOnly: true,
      cell: (each) => each.paradas,
    },
    {
      key: 'km',
      header: t('Distância', 'Distance'),
      figures: true,
      cell: (each) => `${formatKm(each.antes.km, language)} › ${formatKm(each.depois.km, language)}`,
    },
    {
      key: 'minutes',
      header: t('Tempo', 'Time'),
      figures: true,
      cell: (each) => `${each.antes.minutos} › ${each.depois.minutos} min`,
    },
    {
      key: 'price',
      header: t('Valor', 'Price'),
      figures: true,
      cell: (each) => `${formatMoney(each.antes.valor)} › ${formatMoney(each.depois.valor)}`,
    },
  ];
  return (
    <>
      <p>
        <Link to="/programadas">‹ {t('Programadas', 'Scheduled')}</Link>
      </p>
      <h1>{t('Agrupamentos automáticos', 'Automatic merges')}</h1>
      <Loaded query={merges}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t('Nenhum agrupamento automático ainda', 'No automatic merge yet')}>
              {t(
                'Ligue o agrupamento automático em Configurações: as programadas da mesma empresa e coleta são agrupadas antes da saída, e o que isso economizou aparece aqui.',
                'Turn on automatic merging in Settings: scheduled deliveries of one company and pickup are merged before dispatch, and what it saved appears here.',
              )}
            </Empty>
          ) : (
            <>
              <Table
                label={t('Agrupamentos automáticos', 'Automatic merges')}
                columns={columns}
                rows={rows}
                rowKey={(each) => `${each.id_mch_programada} ${each.data_hora_utc}`}
              />
              <Pager shown={rows.length} limit={LIMIT} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
