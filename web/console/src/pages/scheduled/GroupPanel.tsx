import { formatKm, formatMoney } from '../../../../shared/formats.ts';
import { MapView } from '../../../../shared/map/MapView.tsx';
import type { MapPoint, Position } from '../../../../shared/map/mapPoint.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import {
  type Figures,
  type GroupPreview,
  jointLine,
  type Scheduled,
  type Side,
  useGroupPreview,
} from '../../data/scheduled.ts';
import { useAction } from '../../form.ts';
import { IfMay } from '../../session.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { Money, TimeAgo } from '../../ui/texts.tsx';

interface GroupPanelProps {
  entries: readonly Scheduled[];
  /** The chosen ids. The first delivery keeps its id. */
  ids: readonly string[];
  /** True while a delivery is dragged over another and not dropped yet. */
  tentative: boolean;
  onChange: (ids: string[]) => void;
}

/** A preview of the grouping, or the rule that forbids it. Nothing changes before the button is pressed. */
export function GroupPanel({ entries, ids, tentative, onChange }: GroupPanelProps) {
  const t = useWords();
  const known = ids.flatMap((id) => entries.find((entry) => entry.id_mch_programada === id) ?? []);
  const preview = useGroupPreview(known);
  const group = useAction(
    () =>
      call('integracao', 'POST /entregas/programadas/{id}/agrupar', {
        id: ids[0]!,
        body: { programadas_agrupadas: ids.slice(1).map(Number) },
      }),
    {
      done: t(
        `Agrupadas: a #${ids[0]} leva agora todas as paradas.`,
        `Grouped: #${ids[0]} now carries all stops.`,
      ),
      refresh: ['scheduled'],
      leave: () => onChange([]),
    },
  );
  const plan = ids.length > 1 ? preview.data : undefined;
  const isRefused = ids.length > 1 && preview.error !== null;

  return (
    <aside className="group-panel" aria-label={t('Agrupamento', 'Grouping')}>
      <GroupMap entries={ids.length ? known : entries} plan={isRefused ? undefined : plan} />
      {ids.length === 0 ? (
        <p className="soft">
          {t(
            'Escolha duas ou mais programadas, ou arraste uma sobre a outra, para ver se podem ser agrupadas e o que isso economiza.',
            'Choose two or more scheduled deliveries, or drag one onto another, to see whether they may be grouped and what it saves.',
          )}
        </p>
      ) : (
        <>
          <ChosenList entries={known} onChange={onChange} ids={ids} />
          <div aria-live="polite">
            {ids.length === 1 && (
              <p className="soft">{t('Escolha mais uma para agrupar.', 'Choose one more to group.')}</p>
            )}
            {preview.isFetching && !plan && !isRefused && (
              <p className="loading">{t('Calculando a rota conjunta…', 'Computing the joint route…')}</p>
            )}
            {isRefused && (
              <>
                <h3 className="verdict no">
                  <Icon shape="no" /> {t('Não podem ser agrupadas', 'They may not be grouped')}
                </h3>
                <ErrorBox error={preview.error} />
              </>
            )}
            {plan && !isRefused && (
              <>
                <h3 className="verdict yes">
                  <Icon shape="yes" /> {t('Podem ser agrupadas', 'They may be grouped')}
                </h3>
                <BeforeAfter before={plan.antes} after={plan.depois} />
                <p className="soft">
                  {t(
                    `Empresa, categoria, pagamento, retorno e saída são os da #${plan.id_mch_programada}: `,
                    `Company, category, payment, return and dispatch are those of #${plan.id_mch_programada}: `,
                  )}
                  <TimeAgo at={plan.disparo_em} />
                </p>
              </>
            )}
          </div>
          <ErrorBox error={group.error} />
          {!tentative && (
            <div className="actions">
              <IfMay permission="order">
                <button
                  type="button"
                  className="primary"
                  disabled={!plan || isRefused || group.isPending}
                  onClick={() => group.mutate()}
                >
                  {group.isPending
                    ? t('Agrupando…', 'Grouping…')
                    : ids.length < 2
                      ? t('Agrupar', 'Group')
                      : t(`Agrupar ${ids.length} programadas`, `Group ${ids.length} scheduled deliveries`)}
                </button>
              </IfMay>
              <button type="button" onClick={() => onChange([])}>
                {t('Limpar escolha', 'Clear choice')}
              </button>
            </div>
          )}
        </>
      )}
    </aside>
  );
}

function ChosenList({
  entries,
  ids,
  onChange,
}: {
  entries: readonly Scheduled[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const t = useWords();
  return (
    <ol className="chosen-list">
      {entries.map((entry, index) => {
        const id = entry.id_mch_programada;
        return (
          <li key={id}>
            <span>
              <strong>#{id}</strong> {entry.empresa?.nome ?? entry.nome_cliente}{' '}
              <span className="soft">
                <Money value={entry.valor} />
              </span>
            </span>
            {index === 0 ? (
              <span className="soft">{t('principal', 'main')}</span>
            ) : (
              <button
                type="button"
                className="plain"
                onClick={() => onChange([id, ...ids.filter((each) => each !== id)])}
              >
                {t('tornar principal', 'make it the main one')}
              </button>
            )}
            <button
              type="button"
              className="icon"
              aria-label={t(`Tirar a #${id} da escolha`, `Take #${id} out of the choice`)}
              onClick={() => onChange(ids.filter((each) => each !== id))}
            >
              ×
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The joint route if there is one, otherwise all stops. */
function GroupMap({ entries, plan }: { entries: readonly Scheduled[]; plan: GroupPreview | undefined }) {
  const t = useWords();
  const points: MapPoint[] = entries.flatMap((entry) => [
    {
      id: `coleta ${entry.id_mch_programada}`,
      shape: 'pickup' as const,
      letter: t('C', 'P'),
      label: `${t('Coleta', 'Pickup')}: ${entry.coleta.endereco}`,
      lat: entry.coleta.lat,
      lng: entry.coleta.lng,
    },
    ...entry.paradas.map((stop) => {
      const place = plan?.paradas.findIndex(({ id }) => id === stop.id) ?? -1;
      return {
        id: stop.id,
        shape: 'stop' as const,
        letter: place === -1 ? '•' : String(place + 1),
        label: `#${entry.id_mch_programada}: ${stop.endereco}`,
        lat: stop.lat,
        lng: stop.lng,
      };
    }),
  ]);
  const around: Position[] = points;
  const drawn = jointLine(plan);
  return (
    <MapView
      label={
        plan
          ? t('Mapa da rota conjunta', 'Map of the joint route')
          : t('Mapa das programadas', 'Map of scheduled deliveries')
      }
      points={points}
      lines={drawn.length ? [{ id: 'joint', line: drawn }] : []}
      around={around}
      aroundKey={points.map(({ id }) => id).join()}
    />
  );
}

/** The figures before and after grouping, and the difference. */
export function BeforeAfter({ before, after }: { before: Figures | Side; after: Figures | Side }) {
  const t = useWords();
  const language = useLanguage();
  const whole = (value: number) => String(value);
  const minutes = (value: number) => `${value} min`;
  const km = (value: number) => formatKm(value, language);
  const rows: [what: string, before: number, after: number, format: (value: number) => string][] = [
    ...('viagens' in before && 'viagens' in after
      ? ([
          [t('Viagens', 'Trips'), before.viagens, after.viagens, whole],
          [t('Paradas', 'Stops'), before.paradas, after.paradas, whole],
        ] as [string, number, number, (value: number) => string][])
      : []),
    [t('Distância', 'Distance'), before.km, after.km, km],
    [t('Tempo', 'Time'), before.minutos, after.minutos, minutes],
    [t('Valor', 'Price'), Number(before.valor), Number(after.valor), formatMoney],
  ];
  return (
    <table className="before-after">
      <caption className="unseen">{t('Antes e depois do agrupamento', 'Before and after grouping')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('Antes', 'Before')}</th>
          <th scope="col">{t('Depois', 'After')}</th>
          <th scope="col">{t('Diferença', 'Difference')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, before, after, format]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{format(before)}</td>
            <td>{format(after)}</td>
            <td>{difference(before, after, format)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function difference(before: number, after: number, format: (value: number) => string): string {
  const by = Math.round((after - before) * 100) / 100;
  if (by === 0) return '=';
  return `${by < 0 ? '−' : '+'}${format(Math.abs(by))}`;
}
