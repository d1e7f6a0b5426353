import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { counted, formatKm } from '../../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import { type Answer, call } from '../../../api.ts';
import { useAction } from '../../../form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Empty, ErrorBox } from '../../../ui/Loaded.tsx';
import { TimeAgo } from '../../../ui/texts.tsx';
import type { ManyProps } from './ManyDialog.tsx';
import { useTellPlan } from './planCalls.ts';

type Plan = NonNullable<Answer<'operacao', 'GET /planos/{id}'>['plano']>;
type Route = Plan['rotas'][number];

const AGAIN_MS = 400;
const MINUTE = 60;

/** Plans which driver gets which of the marked deliveries, shows the plan, and applies all or some of its routes. */
export function DistributeDialog({ deliveries, markRefused, onClose }: ManyProps) {
  const t = useWords();
  const tell = useTellPlan();
  const [id, setId] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const start = useAction(
    () => call('operacao', 'POST /planos', { body: { entregas: deliveries.map(({ id }) => Number(id)) } }),
    { onDone: (started) => setId(started.id) },
  );
  // The dialog plans what was marked when it was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => start.mutate(), []);
  const read = useQuery({
    queryKey: ['plan', id],
    queryFn: () => call('operacao', 'GET /planos/{id}', { id: id! }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && state.data.estado !== 'calculando' ? false : AGAIN_MS),
  });
  const plan = read.data?.plano ?? null;
  const routes = plan?.rotas.filter(({ entregas }) => entregas.length > 0) ?? [];
  const chosen = routes.filter(({ condutor }) => !left.has(condutor.id));
  const count = chosen.flatMap(({ entregas }) => entregas).length;
  const apply = useAction(
    () =>
      call('operacao', 'POST /planos/{id}/aplicar', {
        id: id!,
        body: { entregadores: chosen.map(({ condutor }) => condutor.id) },
      }),
    {
      onDone: (applied) => {
        const leftOut = plan?.fora ?? [];
        markRefused([...applied.recusadas, ...leftOut].map(({ entrega }) => entrega));
        void tell(applied, leftOut);
      },
      leave: onClose,
    },
  );
  return (
    <Dialog
      wide
      title={t(`Distribuir ${deliveries.length} entregas`, `Distribute ${deliveries.length} deliveries`)}
      onClose={onClose}
    >
      <form
        className="distribute"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) apply.mutate();
        }}
      >
        <div aria-live="polite">
          {plan ? (
            <Summary plan={plan} />
          ) : (
            !start.error &&
            !read.error && (
              <p>
                {read.data?.estado === 'falhou' ? (
                  t(
                    'O plano não pôde ser calculado. Tente de novo.',
                    'The plan could not be made. Try again.',
                  )
                ) : (
                  <>
                    {t('Calculando o plano…', 'Planning…')}{' '}
                    <progress max={100} value={read.data?.progresso ?? 0} />
                  </>
                )}
              </p>
            )
          )}
        </div>
        {plan && (
          <Routes
            routes={routes}
            left={left}
            onToggle={(driverId) => {
              const next = new Set(left);
              if (!next.delete(driverId)) next.add(driverId);
              setLeft(next);
            }}
          />
        )}
        {plan && plan.fora.length > 0 && <LeftOut plan={plan} />}
        <ErrorBox error={start.error ?? read.error ?? apply.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className="primary" disabled={count === 0 || apply.isPending}>
            {apply.isPending
              ? t('Um momento…', 'One moment…')
              : count === 0
                ? t('Aplicar', 'Apply')
                : t(
                    `Aplicar ${counted(chosen.length, 'rota', 'rotas')} (${counted(count, 'entrega', 'entregas')})`,
                    `Apply ${counted(chosen.length, 'route', 'routes')} (${counted(count, 'delivery', 'deliveries')})`,
                  )}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const minutes = (seconds: number): string => `${Math.round(seconds / MINUTE)} min`;

/** The plan beside what would happen without it. */
function Summary({ plan: { antes, depois } }: { plan: Plan }) {
  const t = useWords();
  const language = useLanguage();
  const km = (metres: number) => formatKm(metres / 1000, language);
  const rows: [what: string, before: string, after: string][] = [
    [t('Atrasadas', 'Late'), String(antes.atrasadas), String(depois.atrasadas)],
    [t('Atraso somado', 'Lateness in all'), minutes(antes.atraso), minutes(depois.atraso)],
    [t('Tempo de entregadores', 'Driver time'), minutes(antes.segundos), minutes(depois.segundos)],
    [t('Distância', 'Distance'), km(antes.metros), km(depois.metros)],
    [t('Entregadores', 'Drivers'), String(antes.entregadores), String(depois.entregadores)],
    [t('Ficam de fora', 'Left out'), String(antes.fora), String(depois.fora)],
  ];
  return (
    <table className="times">
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">{t('Medida', 'Measure')}</span>
          </th>
          <th scope="col">{t('Uma a uma, como agora', 'One by one, as now')}</th>
          <th scope="col">{t('Com o plano', 'With the plan')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, before, after]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{before}</td>
            <td>
              <strong>{after}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Routes({
  routes,
  left,
  onToggle,
}: {
  routes: readonly Route[];
  left: ReadonlySet<string>;
  onToggle: (driverId: string) => void;
}) {
  const t = useWords();
  const language = useLanguage();
  if (routes.length === 0)
    return (
      <Empty title={t('Nenhuma rota', 'No route')}>
        {t('Ninguém em serviço pode levar estas entregas.', 'Nobody on duty can take these deliveries.')}
      </Empty>
    );
  return (
    <fieldset className="choice distribute-routes">
      <legend className="unseen">{t('Rotas a aplicar', 'Routes to apply')}</legend>
      {routes.map(({ condutor, entregas, sai_em, termina_em, metros, atraso }) => (
        <label key={condutor.id}>
          <input type="checkbox" checked={!left.has(condutor.id)} onChange={() => onToggle(condutor.id)} />
          <span>
            <strong>{condutor.nome}</strong>{' '}
            {t(
              counted(entregas.length, 'entrega', 'entregas'),
              counted(entregas.length, 'delivery', 'deliveries'),
            )}
            <span className="second soft">{entregas.join(', ')}</span>
          </span>
          <span className="number">
            <TimeAgo at={sai_em} only="clock" />–<TimeAgo at={termina_em} only="clock" /> ·{' '}
            {formatKm(metros / 1000, language)}
            {atraso > 0 && (
              <span className="second late">
                ! {t(`${minutes(atraso)} de atraso`, `${minutes(atraso)} late`)}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What no driver gets, by reason. */
function LeftOut({ plan: { fora } }: { plan: Plan }) {
  const t = useWords();
  return (
    <>
      <h3>
        {t(
          `${counted(fora.length, 'entrega fica', 'entregas ficam')} de fora`,
          `${counted(fora.length, 'delivery', 'deliveries')} left out`,
        )}
      </h3>
      <ul className="many-words">
        {[...Map.groupBy(fora, ({ texto }) => texto)].map(([text, all]) => (
          <li key={text}>
            {text} <span className="soft">({all.map(({ entrega }) => entrega).join(', ')})</span>
          </li>
        ))}
      </ul>
    </>
  );
}
