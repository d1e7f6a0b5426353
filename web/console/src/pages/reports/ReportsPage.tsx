import { useNow } from '../../../../shared/clock.ts';
import { counted, localInputs } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { useCompanies, useDrivers } from '../../data/registers.ts';
import { type Report, type ReportQuery, useIsReportLoading, useReport } from '../../data/reports.ts';
import { go, Link, usePlace, withQuery } from '../../router.tsx';
import { useIsManager, useSession } from '../../session.tsx';
import { DateField, isWholeDay } from '../../ui/BrazilianFields.tsx';
import { Choices, SelectField } from '../../ui/Field.tsx';
import { Empty, Loaded, Loading } from '../../ui/Loaded.tsx';
import { ProgressLine } from '../../ui/Toasts.tsx';
import { Breakdowns } from './Breakdowns.tsx';
import { formatDelta, formatValue, type Measure, measures } from './measures.ts';
import { Plots } from './Plots.tsx';
import { brDay, comparedOf, type Days, PERIODS, type PeriodName, periodOf } from './period.ts';
import './reports.css';

/** A report of a period compared with another one: figures, plots of one measure, and breakdowns. */
export function ReportsPage() {
  const t = useWords();
  const { query } = usePlace();
  const { central } = useSession();
  const today = localInputs(useNow(), central.fuso_horario).date;
  const period = periodOf(query, today);
  const compared = comparedOf(query, period.days);
  const idOf = (name: string) => Number(query.get(name)) || undefined;
  const [company, driver, area] = [idOf('empresa'), idOf('condutor'), idOf('area')];
  const asked: ReportQuery = {
    ...period.days,
    ...(company && !driver && { empresa_id: company }),
    ...(driver && { condutor_id: driver }),
    ...(area && !driver && { area_id: area }),
  };
  const report = useReport(asked, compared.days);
  const isLoading = useIsReportLoading();
  return (
    <div className="reports">
      <div className="page-head">
        <h1>{t('Relatórios', 'Reports')}</h1>
        <p className="soft">
          {brDay(period.days.de)}
          {period.days.ate !== period.days.de && ` ${t('a', 'to')} ${brDay(period.days.ate)}`}
          {compared.days &&
            ` · ${t('comparado a', 'compared with')} ${brDay(compared.days.de)}${
              compared.days.ate === compared.days.de ? '' : ` ${t('a', 'to')} ${brDay(compared.days.ate)}`
            }`}
        </p>
        <div className="actions">
          <button type="button" disabled={isLoading} onClick={() => window.print()}>
            {t('Imprimir', 'Print')}
          </button>
        </div>
      </div>
      <Filters
        period={period.name}
        days={period.days}
        compared={compared}
        company={company}
        driver={driver}
        area={area}
      />
      {isLoading && <ProgressLine label={t('Carregando…', 'Loading…')} />}
      <Loaded query={report}>
        {(data) =>
          data.periodo.encerradas > 0 || data.comparacao?.encerradas ? (
            <>
              <FigureCards report={data} isOld={report.isPlaceholderData} />
              <Plots asked={asked} />
              <Breakdowns asked={asked} />
            </>
          ) : report.isPlaceholderData ? (
            <Loading />
          ) : (
            <Empty title={t('Nada foi encerrado neste período.', 'Nothing ended in this period.')}>
              {t(
                'Uma entrega aparece aqui alguns segundos depois de terminar, no dia em que foi pedida. Escolha outro período ou retire um filtro.',
                'A delivery appears here some seconds after it has ended, on the day on which it was ordered. Choose another period or remove a filter.',
              )}
              {!!data.em_aberto && (
                <p>
                  <Link to="/">
                    {t(`${data.em_aberto} ainda em andamento`, `${data.em_aberto} still under way`)}
                  </Link>
                </p>
              )}
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}

const PERIOD_WORDS: Record<PeriodName, [pt: string, en: string]> = {
  hoje: ['Hoje', 'Today'],
  7: ['7 dias', '7 days'],
  30: ['30 dias', '30 days'],
  mes: ['Este mês', 'This month'],
  outro: ['Outro período', 'Other period'],
};

interface FiltersProps {
  period: PeriodName;
  days: Days;
  compared: ReturnType<typeof comparedOf>;
  company: number | undefined;
  driver: number | undefined;
  area: number | undefined;
}

function Filters({ period, days, compared, company, driver, area }: FiltersProps) {
  const t = useWords();
  const isOperator = !useIsManager();
  const companies = useCompanies();
  const drivers = useDrivers(isOperator);
  const change = (changes: Record<string, string | null>) => go(withQuery(changes), { replace: true });
  return (
    <div className="filters no-print">
      <fieldset className="actions segments" aria-label={t('Período', 'Period')}>
        {PERIODS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === period}
            className={name === period ? 'primary' : ''}
            onClick={() =>
              change(
                name === 'outro'
                  ? { periodo: name, de: days.de, ate: days.ate }
                  : { periodo: name, de: null, ate: null },
              )
            }
          >
            {t(...PERIOD_WORDS[name])}
          </button>
        ))}
      </fieldset>
      {period === 'outro' && (
        <DaysFields days={days} names={['de', 'ate']} labels={[t('De', 'From'), t('Até', 'To')]} />
      )}
      <SelectField
        label={t('Comparar com', 'Compare with')}
        value={compared.name}
        onChange={({ currentTarget: { value } }) =>
          change({
            comparar: value === 'anterior' ? null : value,
            comparar_de: value === 'outro' ? compared.days!.de : null,
            comparar_ate: value === 'outro' ? compared.days!.ate : null,
          })
        }
      >
        <option value="anterior">{t('o período anterior', 'the period before')}</option>
        {compared.days && <option value="outro">{t('outro período', 'another period')}</option>}
        <option value="nada">{t('nada', 'nothing')}</option>
      </SelectField>
      {compared.name === 'outro' && compared.days && (
        <DaysFields
          days={compared.days}
          names={['comparar_de', 'comparar_ate']}
          labels={[t('Comparar de', 'Compare from'), t('Comparar até', 'Compare to')]}
        />
      )}
      {isOperator && (
        <>
          <SelectField
            label={t('Empresa', 'Company')}
            value={company ?? ''}
            onChange={({ currentTarget: { value } }) => change({ empresa: value, condutor: null })}
          >
            <option value="">{t('Todas', 'All')}</option>
            <Choices of={companies.data} />
          </SelectField>
          <SelectField
            label={t('Entregador', 'Driver')}
            value={driver ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ condutor: value, ...(value && { empresa: null, area: null }) })
            }
          >
            <option value="">{t('Todos', 'All')}</option>
            <Choices of={drivers.data} />
          </SelectField>
        </>
      )}
      {area && (
        <button type="button" onClick={() => change({ area: null })}>
          {t('Retirar o filtro de área ✕', 'Remove the area filter ✕')}
        </button>
      )}
    </div>
  );
}

function DaysFields({
  days,
  names,
  labels,
}: {
  days: Days;
  names: readonly [string, string];
  labels: readonly [string, string];
}) {
  const values = [days.de, days.ate];
  return names.map((name, index) => (
    <DateField
      key={name}
      label={labels[index]!}
      value={values[index]!}
      onValue={(value) =>
        value !== '' && isWholeDay(value) && go(withQuery({ [name]: value }), { replace: true })
      }
    />
  ));
}

function FigureCards({
  report: { periodo, comparacao, em_aberto },
  isOld,
}: {
  report: Report;
  isOld: boolean;
}) {
  const t = useWords();
  const language = useLanguage();
  return (
    <dl className="figure-cards" aria-busy={isOld}>
      {measures.map((measure) => {
        const { name, pt, en, unit, of } = measure;
        const before = comparacao && of(comparacao);
        const delta = comparacao && formatDelta(of(periodo), before, unit, language);
        return (
          <div key={name} className="panel">
            <dt>{t(pt, en)}</dt>
            <dd>
              <strong>{formatValue(of(periodo), unit, language)}</strong>
              {delta && (
                <span className={`delta ${verdict(measure, of(periodo), before)}`}>
                  {delta}{' '}
                  <span className="soft">
                    · {t('antes', 'before')} {formatValue(before, unit, language)}
                  </span>
                </span>
              )}
              <span className="soft">
                <Note measure={measure} periodo={periodo} em_aberto={em_aberto} />
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function verdict({ up }: Measure, value: number | null, before: number | null): string {
  if (value === null || before === null || value === before || up === 'neutral') return '';
  return value > before === (up === 'good') ? 'better' : 'worse';
}

/** How those that ended did so, and how many are not among them yet. */
function endedNote(
  t: ReturnType<typeof useWords>,
  { finalizadas, canceladas, nao_atendidas }: Report['periodo'],
  open: number,
): string {
  const parts = [
    t(counted(finalizadas, 'finalizada', 'finalizadas'), `${finalizadas} finished`),
    canceladas > 0 && t(counted(canceladas, 'cancelada', 'canceladas'), `${canceladas} cancelled`),
    nao_atendidas > 0 &&
      t(counted(nao_atendidas, 'não atendida', 'não atendidas'), `${nao_atendidas} not served`),
  ].filter((part) => part !== false);
  const ended = parts.join(', ');
  return open ? t(`${ended}; fora destas, ${open} em aberto`, `${ended}; besides, ${open} open`) : ended;
}

/** An explanation beside a figure, for the measures that have one. */
function Note({
  measure: { name },
  periodo,
  em_aberto,
}: { measure: Measure } & Pick<Report, 'periodo' | 'em_aberto'>): string {
  const t = useWords();
  const language = useLanguage();
  const most = (seconds: number | null) =>
    seconds === null
      ? ''
      : t(
          `mediana; 9 de 10 em até ${formatValue(seconds, 'seconds', language)}`,
          `median; 9 of 10 within ${formatValue(seconds, 'seconds', language)}`,
        );
  switch (name) {
    case 'encerradas':
      return endedNote(t, periodo, em_aberto ?? 0);
    case 'no_prazo':
      return t(`${periodo.no_prazo} de ${periodo.com_prazo}`, `${periodo.no_prazo} of ${periodo.com_prazo}`);
    case 'aceite':
    case 'coleta':
    case 'entrega':
    case 'total':
      return most(periodo.tempos[name].p90);
    case 'km':
      return t(
        `em ${counted(periodo.agrupamentos, 'agrupamento', 'agrupamentos')}`,
        `in ${counted(periodo.agrupamentos, 'grouping', 'groupings')}`,
      );
    case 'paradas_nao_entregues':
      return t(
        counted(periodo.paradas_entregues, 'entregue', 'entregues'),
        `${periodo.paradas_entregues} delivered`,
      );
    default:
      return '';
  }
}
