import { serverNow } from '../../../shared/clock.ts';
import { equipmentWords, loadWords, priorityWords, windowWords } from '../../../shared/demandWords.ts';
import { formatMoment } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { DeliveryDetail, DetailStop } from '../data/deliveries.ts';
import { useSession } from '../session.tsx';
import { Fact, TimeAgo } from './texts.tsx';

/** What a delivery demands at its pickup and of the driver, as facts; nothing where nothing is demanded. */
export function DemandFacts({ demands }: { demands: DeliveryDetail['exigencias'] }) {
  const t = useWords();
  const language = useLanguage();
  if (!demands) return null;
  return (
    <>
      <Fact name={t('Pronto', 'Ready')}>{demands.pronto_em && <TimeAgo at={demands.pronto_em} />}</Fact>
      <Fact name={t('Carga', 'Load')}>{loadWords(demands, t, language)}</Fact>
      <Fact name={t('Precisa de', 'Needs')}>{equipmentWords(demands.equipamentos, language)}</Fact>
      <Fact name={t('Prioridade', 'Priority')}>{priorityWords(demands, t)}</Fact>
      <Fact name={t('Na coleta', 'At the pickup')}>
        {demands.minutos_coleta !== null && `${demands.minutos_coleta} min`}
      </Fact>
    </>
  );
}

/** What a stop demands, in one line; empty where nothing is demanded. */
export function useStopDemandWords(): (demands: DetailStop['exigencias']) => string {
  const t = useWords();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  return (demands) => {
    if (!demands) return '';
    const clock = (at: string) => formatMoment(Date.parse(at), serverNow(), zone, language);
    const when = windowWords(demands, t, clock);
    return [
      when && `${t('entregar', 'deliver')} ${when}`,
      loadWords(demands, t, language),
      demands.minutos_parada !== null && `${demands.minutos_parada} min ${t('na parada', 'at the stop')}`,
    ]
      .filter(Boolean)
      .join(' · ');
  };
}
