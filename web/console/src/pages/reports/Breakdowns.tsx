import { useLanguage, useWords } from '../../../../shared/words.ts';
import {
  type Part,
  type PartsBy,
  type Reason,
  type ReportQuery,
  useParts,
  useReasons,
} from '../../data/reports.ts';
import { failureReasonLabel } from '../../failureWords.ts';
import { Link, withQuery } from '../../router.tsx';
import { useIsManager } from '../../session.tsx';
import { Empty, Loaded, Loading } from '../../ui/Loaded.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { formatValue, measures, withMeans } from './measures.ts';

/** The figures by company, driver, area and reason, as far as the filters leave something to divide. */
export function Breakdowns({ asked }: { asked: ReportQuery }) {
  const isOperator = !useIsManager();
  if (asked.condutor_id || asked.area_id) return null;
  return (
    <>
      {isOperator && !asked.empresa_id && <Parts asked={asked} by="empresa" />}
      {isOperator && !asked.empresa_id && <Parts asked={asked} by="condutor" />}
      <Parts asked={asked} by="area" />
      <Reasons asked={asked} />
    </>
  );
}

const TITLES: Record<PartsBy, [pt: string, en: string]> = {
  empresa: ['Por empresa', 'By company'],
  condutor: ['Por entregador', 'By driver'],
  area: ['Por área', 'By area'],
};
const NAMES: Record<PartsBy, [pt: string, en: string]> = {
  empresa: ['Empresa', 'Company'],
  condutor: ['Entregador', 'Driver'],
  area: ['Área', 'Area'],
};
const SHOWN = ['no_prazo', 'aceite', 'coleta', 'entrega', 'total', 'canceladas'];
const WIDE = ['aceite', 'coleta', 'entrega'];

/** A link to the deliveries behind a figure, with the same days. */
const listOf = ({ de, ate }: ReportQuery, filters: Record<string, string>): string =>
  `/entregas?${new URLSearchParams({ de, ate, ...filters })}`;

function Parts({ asked, by }: { asked: ReportQuery; by: PartsBy }) {
  const t = useWords();
  const language = useLanguage();
  const parts = useParts(asked, by);
  const title = t(...TITLES[by]);
  const nameOf = ({ id, nome }: Part): string =>
    nome ??
    (id === null
      ? by === 'empresa'
        ? t('Sem empresa', 'No company')
        : t('Fora das áreas', 'Outside all areas')
      : String(id));
  const columns: Column<Part>[] = [
    {
      key: 'nome',
      header: t(...NAMES[by]),
      cell: (part) =>
        part.id === null ? nameOf(part) : <Link to={withQuery({ [by]: part.id })}>{nameOf(part)}</Link>,
    },
    {
      key: 'encerradas',
      header: t('Entregas', 'Deliveries'),
      figures: true,
      sorted: 'descending',
      cell: (part) => {
        const count = formatValue(part.encerradas, 'count', language);
        if (by === 'area' || part.id === null) return count;
        const label = t(
          `${count} ${part.encerradas === 1 ? 'entrega' : 'entregas'} de ${nameOf(part)}: ver a lista`,
          `${count} ${part.encerradas === 1 ? 'delivery' : 'deliveries'} of ${nameOf(part)}: see the list`,
        );
        return (
          <Link to={listOf(asked, { status: 'F,C,N', [by]: part.id })} aria-label={label}>
            {count}
          </Link>
        );
      },
    },
    ...measures
      .filter(({ name }) => SHOWN.includes(name))
      .map(
        ({ name, pt, en, unit, of }): Column<Part> => ({
          key: name,
          header: t(pt, en),
          figures: true,
          wideOnly: WIDE.includes(name),
          cell: (part) => formatValue(of(withMeans(part)), unit, language),
        }),
      ),
  ];
  return (
    <section className="breakdown">
      <div className="page-head">
        <h2>{title}</h2>
        <span className="soft">{t('tempos médios', 'mean times')}</span>
        <DownloadButton asked={asked} by={by} of={title} isOld={parts.isPlaceholderData} />
      </div>
      <Loaded query={parts}>
        {(rows) =>
          rows.length === 0 && parts.isPlaceholderData ? (
            <Loading />
          ) : rows.length === 0 ? (
            <Empty title={t('Nada neste período.', 'Nothing in this period.')} />
          ) : (
            <Table
              label={title}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id ?? ''}
              isOld={parts.isPlaceholderData}
            />
          )
        }
      </Loaded>
    </section>
  );
}

function Reasons({ asked }: { asked: ReportQuery }) {
  const t = useWords();
  const language = useLanguage();
  const reasons = useReasons(asked);
  const title = t(
    'Cancelamentos e paradas não entregues, por motivo',
    'Cancellations and failed stops, by reason',
  );
  const wordsOf = ({ tipo, motivo, nome }: Reason): string => {
    if (nome) return nome;
    if (motivo === '') return t('Sem motivo', 'No reason given');
    const words = failureReasonLabel[motivo as keyof typeof failureReasonLabel];
    return tipo === 'cancelada' || !words ? motivo : t(words.pt, words.en);
  };
  const largest = (rows: readonly Reason[]) => Math.max(...rows.map(({ quantidade }) => quantidade));
  const columnsOf = (rows: readonly Reason[]): Column<Reason>[] => [
    {
      key: 'tipo',
      header: t('O que houve', 'What happened'),
      cell: ({ tipo }) =>
        tipo === 'cancelada'
          ? t('Entrega cancelada', 'Cancelled')
          : t('Parada não entregue', 'Stop not delivered'),
    },
    { key: 'motivo', header: t('Motivo', 'Reason'), cell: wordsOf },
    {
      key: 'quantidade',
      header: t('Quantidade', 'Count'),
      figures: true,
      sorted: 'descending',
      cell: ({ quantidade }) => formatValue(quantidade, 'count', language),
    },
    {
      key: 'barra',
      header: <span className="unseen">{t('Proporção', 'Proportion')}</span>,
      wideOnly: true,
      cell: ({ quantidade }) => (
        <svg width="100%" height="10" aria-hidden="true" className="reason-bar">
          <rect width={`${(100 * quantidade) / largest(rows)}%`} height="10" className="plot-bar" />
        </svg>
      ),
    },
  ];
  return (
    <section className="breakdown">
      <div className="page-head">
        <h2>{title}</h2>
        <DownloadButton asked={asked} by="motivo" of={title} isOld={reasons.isPlaceholderData} />
      </div>
      <Loaded query={reasons}>
        {(rows) =>
          rows.length === 0 && reasons.isPlaceholderData ? (
            <Loading />
          ) : rows.length === 0 ? (
            <Empty
              title={t('Nenhum cancelamento nem parada não entregue.', 'No cancellation and no failed stop.')}
            />
          ) : (
            <Table
              label={title}
              columns={columnsOf(rows)}
              rows={rows}
              rowKey={({ tipo, motivo }) => `${tipo} ${motivo}`}
              isOld={reasons.isPlaceholderData}
            />
          )
        }
      </Loaded>
    </section>
  );
}
