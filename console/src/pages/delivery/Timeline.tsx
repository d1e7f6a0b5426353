import type { Authored } from '../../data/deliveries.ts';
import { type DeliveryDetail, type Offer, type PastEvent, useHistory } from '../../data/deliveries.ts';
import { StatusBadge } from '../../ui/badges.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { AuthorName, TimeAgo } from '../../ui/texts.tsx';
import { useWords } from '../../words.ts';
import { describeEvent, describeOffer, type Translate } from './describeEvent.ts';

/** What happened, from the first to the last. */
export function Timeline({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const history = useHistory(delivery.id);
  return (
    <Loaded query={history}>
      {({ eventos, ofertas }) => {
        const entries = inOrder(eventos, ofertas, delivery, t);
        return entries.length > 0 ? (
          <ol className="past">
            {entries.map((entry) => (
              <li key={entry.key}>
                <span className="past-sign">
                  {entry.status ? (
                    <StatusBadge status={entry.status} bare />
                  ) : (
                    <span aria-hidden="true">·</span>
                  )}
                </span>
                <span>
                  <span className={entry.status ? undefined : 'soft'}>{entry.text}</span>{' '}
                  <AuthorName of={entry} />
                </span>
                <TimeAgo at={entry.at} />
              </li>
            ))}
          </ol>
        ) : (
          <Empty title={t('A história já não é guardada', 'The story is no longer kept')}>
            {t(
              'A central guarda eventos por um tempo, que se escolhe nas configurações.',
              'The central keeps events for a time that is chosen in the settings.',
            )}
          </Empty>
        );
      }}
    </Loaded>
  );
}

interface Entry extends Authored {
  key: string;
  at: string;
  text: string;
  status?: PastEvent['data']['status'];
}

function inOrder(
  events: readonly PastEvent[],
  offers: readonly Offer[],
  delivery: DeliveryDetail,
  t: Translate,
): Entry[] {
  const told = events.map(
    (event): Entry => ({
      key: event.id,
      at: event.timestamp,
      text: describeEvent(event, delivery, t),
      ...('autor' in event && { autor: event.autor }),
      ...(event.type.startsWith('entrega.') && { status: event.data.status }),
    }),
  );
  const asked = offers
    .filter(({ estado }) => estado !== 'aceita')
    .map(
      (offer): Entry => ({
        key: `oferta ${offer.condutor.id} ${offer.oferecida_em} ${offer.estado}`,
        at: offer.encerrada_em ?? offer.oferecida_em,
        text: describeOffer(offer, t),
      }),
    );
  return [...told, ...asked].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
