import { useWords } from '../../../../shared/words.ts';
import { type ReportQuery, useSeries } from '../../data/reports.ts';
import { go, usePlace, withQuery } from '../../router.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { type Bar, BarPlot } from './BarPlot.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { isByHour, type Measure, measures } from './measures.ts';
import { brDay, listDays } from './period.ts';

const WEEKDAYS: [pt: string, en: string][] = [
  ['segunda', 'Monday'],
  ['terça', 'Tuesday'],
  ['quarta', 'Wednesday'],
  ['quinta', 'Thursday'],
  ['sexta', 'Friday'],
  ['sábado', 'Saturday'],
  ['domingo', 'Sunday'],
];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

/** One measure by day, by hour and by weekday. */
export function Plots({ asked }: { asked: ReportQuery }) {
  const t = useWords();
  const { query } = usePlace();
  const measure = measures.find(({ name }) => name === query.get('medida')) ?? measures[0]!;
  const hasHours = isByHour(measure) && !asked.condutor_id && !asked.area_id;
  const title = t(measure.pt, measure.en);
  const isTime = measure.unit === 'seconds';
  return (
    <section aria-label={t('Gráficos', 'Plots')}>
      <div className="filters no-print">
        <SelectField
          label={t('Gráficos de', 'Plots of')}
          value={measure.name}
          onChange={({ currentTarget: { value } }) => go(withQuery({ medida: value }), { replace: true })}
        >
          {measures.map(({ name, pt, en }) => (
            <option key={name} value={name}>
              {t(pt, en)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="plots">
        {asked.de !== asked.ate && (
          <Series asked={asked} by="dia" measure={measure} title={t(`${title} por dia`, `${title} by day`)} />
        )}
        {hasHours && (
          <Series
            asked={asked}
            by="hora"
            measure={measure}
            title={t(
              `${title} por hora do pedido${isTime ? ' (média)' : ''}`,
              `${title} by hour${isTime ? ' (mean)' : ''}`,
            )}
          />
        )}
        {asked.de !== asked.ate && (
          <Series
            asked={asked}
            by="dia_semana"
            measure={measure}
            title={t(`${title} por dia da semana`, `${title} by weekday`)}
          />
        )}
      </div>
    </section>
  );
}

function Series({
  asked,
  by,
  measure,
  title,
}: {
  asked: ReportQuery;
  by: 'dia' | 'hora' | 'dia_semana';
  measure: Measure;
  title: string;
}) {
  const t = useWords();
  const series = useSeries(asked, by);
  const places: Omit<Bar, 'value'>[] =
    by === 'dia'
      ? listDays(asked).map((day) => ({ key: day, label: brDay(day).slice(0, 5), name: brDay(day) }))
      : by === 'hora'
        ? HOURS.map((hour) => ({ key: hour, label: `${hour}h`, name: `${hour}h` }))
        : WEEKDAYS.map(([pt, en], index) => ({
            key: String(index + 1),
            label: t(pt, en).slice(0, 3),
            name: t(pt, en),
          }));
  return (
    <Loaded query={series}>
      {(points) => (
        <div className="plot-frame panel" aria-busy={series.isPlaceholderData}>
          <BarPlot
            title={title}
            unit={measure.unit}
            bars={places.map((place) => {
              const point = points.find(({ chave }) => chave === place.key);
              const isCounted = measure.unit === 'count' || measure.unit === 'km';
              const none = isCounted && !series.isPlaceholderData ? 0 : null;
              return { ...place, value: point ? measure.of(point) : none };
            })}
          />
          <DownloadButton asked={asked} by={by} of={title} isOld={series.isPlaceholderData} />
        </div>
      )}
    </Loaded>
  );
}
