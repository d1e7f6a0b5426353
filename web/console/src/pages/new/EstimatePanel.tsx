import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatKm, formatMoney } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import { useMay, useSession } from '../../session.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { PriceLines } from '../../ui/texts.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { type OrderDraft, positionOf, toEstimate } from './order.ts';

/** The estimated price with its components, or the server's reason if there is no estimate. */
export function EstimatePanel({ draft }: { draft: OrderDraft }) {
  const t = useWords();
  const language = useLanguage();
  const estimate = useEstimate(draft);
  const { data } = estimate;
  return (
    <section className="panel estimate" aria-labelledby="estimate" aria-live="polite">
      <h2 id="estimate">{t('Estimativa', 'Estimate')}</h2>
      {estimate.error ? (
        <ErrorBox error={estimate.error} />
      ) : data ? (
        <div className={estimate.isPlaceholderData ? 'soft' : undefined}>
          <p className="estimate-total">
            <strong>{formatMoney(data.estimativa_valor)}</strong>
            <span>
              {formatKm(data.estimativa_km, language)} · {data.estimativa_minutos} min
            </span>
          </p>
          <p className="soft">
            {[data.categoria_nome, data.tarifa_nome, data.area?.nome].filter(Boolean).join(' · ')}
          </p>
          {data.linhas && (
            <table className="dense">
              <caption className="unseen">{t('Como se chega ao valor', 'How the price is made')}</caption>
              <tbody>
                <PriceLines lines={data.linhas} />
              </tbody>
            </table>
          )}
        </div>
      ) : (
        <p className="soft">
          {t(
            'Aparece assim que a coleta e uma parada tiverem lugar: digite os endereços ou clique no mapa.',
            'Appears as soon as the pickup and one stop have a place: type the addresses or click on the map.',
          )}
        </p>
      )}
    </section>
  );
}

type Explained = Answer<'operacao', 'POST /estimativas'>;
/** Operators also get the components of the price. */
type EstimateAnswer = Answer<'integracao', 'POST /entregas/empresas/{id}/estimativas'> &
  Partial<Pick<Explained, 'area' | 'linhas'>>;

const PAUSE_MS = 400;

/** The estimate of the draft: with its components for users of the central, otherwise as integrators get it. */
function useEstimate(draft: OrderDraft) {
  const { empresa_id, central } = useSession();
  const companyId =
    empresa_id !== null ? empresa_id : draft.quem === 'empresa' ? draft.empresa_id || null : null;
  const isStaff = useMay('internals');
  const wanted = useDebounced(
    {
      body: toEstimate(draft, central.fuso_horario),
      companyId,
      coupon: draft.codigo_cupom.trim() || null,
    },
    PAUSE_MS,
  );
  return useQuery({
    queryKey: ['estimate', wanted],
    queryFn: (): Promise<EstimateAnswer> => {
      const { instante, ...body } = wanted.body!;
      return isStaff
        ? call('operacao', 'POST /estimativas', {
            body: {
              ...body,
              empresa_id: wanted.companyId,
              codigo_cupom: wanted.coupon,
              ...(instante && { instante }),
            },
          })
        : call('integracao', 'POST /entregas/empresas/{id}/estimativas', { id: wanted.companyId!, body });
    },
    enabled: wanted.body !== null && (isStaff || wanted.companyId !== null),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The route through the places entered so far. */
export function useDraftRoute({ partida, paradas, com_retorno, categoria_id }: OrderDraft) {
  const pickup = positionOf(partida);
  const stops = paradas.map(positionOf).filter((each) => each !== null);
  const points = pickup ? [pickup, ...stops, ...(com_retorno && stops.length ? [pickup] : [])] : [];
  const wanted = useDebounced({ pontos: points, categoria_id: Number(categoria_id) || null }, PAUSE_MS);
  return useQuery({
    queryKey: ['draft-route', wanted],
    queryFn: () => call('operacao', 'POST /rotas', { body: wanted }),
    enabled: wanted.pontos.length > 1,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
