import { formatKm, formatMoney } from '../../formats.ts';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { PriceLines } from '../../ui/PriceLines.tsx';
import { useLanguage, useWords } from '../../words.ts';
import type { OrderDraft } from './order.ts';
import { useEstimate } from './useEstimate.ts';

/** What it would cost, with the reasons; the server's word when it cannot be said. */
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
            'Aparece assim que a partida e uma parada tiverem lugar: clique no mapa ou digite as coordenadas.',
            'Appears as soon as the pickup and one stop have a place: click on the map or type coordinates.',
          )}
        </p>
      )}
    </section>
  );
}
