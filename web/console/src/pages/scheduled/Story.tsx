import { useWords } from '../../../../shared/words.ts';
import type { StoryEvent } from '../../data/scheduled.ts';
import { AuthorName, TimeAgo } from '../../ui/texts.tsx';

const words: Record<string, { pt: string; en: string }> = {
  criada: { pt: 'Programada', en: 'Scheduled' },
  editada: { pt: 'Editada', en: 'Edited' },
  agrupada: { pt: 'Agrupada', en: 'Grouped' },
  paradas_recebidas: { pt: 'Recebeu paradas', en: 'Received stops' },
  paradas_retiradas: { pt: 'Paradas saíram', en: 'Stops left' },
  separada: {
    pt: 'De novo sozinha: a que a levava foi cancelada',
    en: 'On its own again: what carried it was cancelled',
  },
  falha_no_disparo: { pt: 'A saída falhou', en: 'The dispatch failed' },
  'programada.parada_removida': { pt: 'Parada removida', en: 'Stop removed' },
  'programada.disparada': { pt: 'Saiu', en: 'Dispatched' },
  'programada.cancelada': { pt: 'Cancelada', en: 'Cancelled' },
};

/** The history of a scheduled delivery, newest first. */
export function Story({ events }: { events: readonly StoryEvent[] }) {
  const t = useWords();
  if (events.length === 0)
    return (
      <p className="soft">
        {t('Os eventos desta programada já foram descartados.', 'The events of this one are no longer kept.')}
      </p>
    );
  return (
    <ol className="story">
      {events.toReversed().map((event) => {
        const known = words[String(event.data.mudanca ?? event.type)];
        return (
          <li key={`${event.timestamp} ${event.type} ${event.data.sequencia}`}>
            <strong>{known ? t(known.pt, known.en) : event.type}</strong> <Details event={event} />
            <br />
            <TimeAgo at={event.timestamp} /> <AuthorName of={event} />
          </li>
        );
      })}
    </ol>
  );
}

function Details({ event: { data } }: { event: StoryEvent }) {
  const t = useWords();
  const others = data.programadas_agrupadas as string[] | undefined;
  if (data.falha) return <>· {String(data.falha)}</>;
  if (data.mudanca === 'agrupada' && data.agrupada_em)
    return (
      <>
        {t('na', 'into')} #{String(data.agrupada_em)}
      </>
    );
  if (others?.length) return <>{t('de', 'of') + others.map((id) => ` #${id}`).join(',')}</>;
  if (data.id_mch)
    return (
      <>
        {t('como entrega', 'as delivery')} #{String(data.id_mch)}
      </>
    );
  return null;
}
