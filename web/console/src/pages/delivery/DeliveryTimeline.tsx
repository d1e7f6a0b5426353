import type { StatusLetter } from '../../../../shared/statuses.ts';
import { useWords } from '../../../../shared/words.ts';
import {
  type Authored,
  type DeliveryDetail,
  type Offer,
  type PastEvent,
  useHistory,
} from '../../data/deliveries.ts';
import { decisionLabel, failureReasonLabel, refusalReasonLabel } from '../../failureWords.ts';
import { StatusBadge } from '../../ui/badges.tsx';
import { Empty, Loaded } from '../../ui/Loaded.tsx';
import { AuthorName, TimeAgo } from '../../ui/texts.tsx';

/** The history of a delivery, oldest first. */
export function DeliveryTimeline({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords();
  const history = useHistory(delivery.id);
  return (
    <Loaded query={history}>
      {({ eventos, ofertas }) => {
        const entries = entriesByTime(eventos, ofertas, delivery, t);
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
          <Empty title={t('O histórico já não é guardado', 'The history is no longer kept')}>
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

interface Entry extends Partial<Authored> {
  key: string;
  at: string;
  text: string;
  status?: PastEvent['data']['status'];
}

function entriesByTime(
  events: readonly PastEvent[],
  offers: readonly Offer[],
  delivery: DeliveryDetail,
  t: Translate,
): Entry[] {
  const givenUp = new Map(events.map((event) => [event.id, givenUpBy(event, events, offers)]));
  const described = events.map((event): Entry => {
    const offer = givenUp.get(event.id);
    return {
      key: event.id,
      at: event.timestamp,
      text: offer ? gaveUp(offer.condutor.nome, t) : describeEvent(event, delivery, t),
      autor: event.autor,
      ...(event.type.startsWith('entrega.') && { status: event.data.status }),
    };
  });
  const givenBack = new Set(givenUp.values());
  const asked = offers
    .filter((offer) => offer.estado !== 'aceita' && !givenBack.has(offer))
    .map(
      (offer): Entry => ({
        key: `oferta ${offer.condutor.id} ${offer.oferecida_em} ${offer.estado}`,
        at: offer.encerrada_em ?? offer.oferecida_em,
        text: describeOffer(offer, t),
      }),
    );
  return [...described, ...asked].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Who gives a delivery back counts as having refused it from then on. The moments of offers have no milliseconds. */
function givenUpBy(
  event: PastEvent,
  events: readonly PastEvent[],
  offers: readonly Offer[],
): Offer | undefined {
  const { status, status_anterior: before } = event.data;
  if (status !== 'D' || (before !== 'A' && before !== 'S')) return undefined;
  const carried = events.slice(0, events.indexOf(event)).findLast(({ data }) => data.condutor);
  const second = (moment: string) => Math.floor(Date.parse(moment) / 1000);
  return offers.findLast(
    ({ estado, condutor, encerrada_em }) =>
      estado === 'recusada' &&
      condutor.id === carried?.data.condutor?.id &&
      encerrada_em !== null &&
      second(encerrada_em) === second(event.registrado_em),
  );
}

type Translate = (pt: string, en: string) => string;

type Described = PastEvent['data'];

/** An event as a short sentence. */
const describeEvent = ({ type, data }: PastEvent, delivery: DeliveryDetail, t: Translate): string =>
  events[type]?.(data, delivery, t) ?? type;

const events: Record<string, (data: Described, delivery: DeliveryDetail, t: Translate) => string> = {
  'entrega.status': (data, delivery, t) => (data.status ? statuses[data.status](data, delivery, t) : ''),
  'entrega.parada_chegada': ({ parada }, _delivery, t) => {
    const number = (parada?.ordem ?? 0) + 1;
    return t(`Entregador na parada ${number}`, `Driver at stop ${number}`);
  },
  'entrega.parada_concluida': (
    { parada, sem_codigo_motivo: reason, valor_recebido_motivo: more },
    _delivery,
    t,
  ) => {
    const number = (parada?.ordem ?? 0) + 1;
    const order = parada?.numero_pedido;
    return (
      t(`Parada ${number} concluída`, `Stop ${number} concluded`) +
      (order ? t(` (pedido ${order})`, ` (order ${order})`) : '') +
      (reason ? t(`, sem código: ${reason}`, `, without a code: ${reason}`) : '') +
      (more ? t(`, recebido a mais: ${more}`, `, received more: ${more}`) : '')
    );
  },
  'entrega.parada_nao_entregue': ({ parada, motivo, decisao, tentativa }, _delivery, t) => {
    const number = (parada?.ordem ?? 0) + 1;
    const reason = motivo && failureReasonLabel[motivo];
    const decision = decisao && decisionLabel[decisao];
    return [
      t(
        `Parada ${number} não entregue, tentativa ${tentativa}`,
        `Stop ${number} not delivered, attempt ${tentativa}`,
      ),
      reason && t(reason.pt, reason.en),
      decision && t(decision.pt, decision.en),
    ]
      .filter(Boolean)
      .join(': ');
  },
  'entrega.parada_retomada': ({ parada }, _delivery, t) => {
    const number = (parada?.ordem ?? 0) + 1;
    return t(`A parada ${number} voltou à corrida`, `Stop ${number} was put back into the run`);
  },
  'entrega.comprovante': ({ parada }, _delivery, t) => {
    const number = (parada?.ordem ?? 0) + 1;
    return t(`Comprovante da parada ${number} chegou`, `Proof of stop ${number} arrived`);
  },
  'entrega.agrupada': (data, _delivery, t) => {
    if (data.agrupada_em)
      return t(`Agrupada na entrega ${data.agrupada_em}`, `Grouped into delivery ${data.agrupada_em}`);
    const left = (data.entregas_retiradas ?? []).join(', ');
    if (left)
      return t(`As paradas de ${left} saíram: foi cancelada`, `The stops of ${left} left: it was cancelled`);
    const all = [...(data.entregas_agrupadas ?? []), ...(data.programadas_agrupadas ?? [])].join(', ');
    return t(`Recebeu as paradas de ${all}`, `Took over the stops of ${all}`);
  },
  'entrega.alterada': ({ mudanca }, { dispensada }, t) =>
    mudanca === 'dispensada'
      ? t('Dispensada', 'Dismissed') + (dispensada?.motivo ? `: ${dispensada.motivo}` : '')
      : t('Entrega editada', 'Delivery edited'),
  'entrega.condutor_alterado': ({ condutor }, _delivery, t) =>
    t(
      `Passou para ${condutor?.nome ?? 'outro entregador'}`,
      `Passed to ${condutor?.nome ?? 'another driver'}`,
    ),
  'entrega.parada_removida': ({ parada }, _delivery, t) =>
    t('Uma parada foi removida', 'A stop was removed') +
    (parada?.numero_pedido ? t(` (pedido ${parada.numero_pedido})`, ` (order ${parada.numero_pedido})`) : ''),
  'programada.alterada': ({ mudanca }, _delivery, t) =>
    (changes[mudanca ?? ''] ?? changes.falha_no_disparo!)(t),
  'programada.parada_removida': (_data, _delivery, t) =>
    t('Uma parada foi removida da programada', 'A stop was removed from the scheduled delivery'),
  'programada.disparada': (_data, _delivery, t) => t('A programada saiu', 'Scheduled delivery dispatched'),
  'programada.cancelada': (_data, _delivery, t) => t('Programada cancelada', 'Scheduled delivery cancelled'),
};

const driverOf = ({ condutor }: Described, t: Translate): string =>
  condutor?.nome ?? t('um entregador', 'a driver');

/** Texts of status changes, by the new status. */
const statuses: Record<StatusLetter, (data: Described, delivery: DeliveryDetail, t: Translate) => string> = {
  L: (_data, _delivery, t) =>
    t('Aberta; aguarda liberação da central', 'Opened; awaits release by the central'),
  D: ({ status_anterior }, _delivery, t) => (searches[status_anterior ?? ''] ?? searches.G!)(t),
  G: (_data, _delivery, t) => t('Oferecida; aguarda o aceite', 'Offered; awaiting acceptance'),
  P: (_data, _delivery, t) =>
    t('Nenhum entregador por perto ainda; pendente', 'No driver nearby yet; pending'),
  A: (data, _delivery, t) => {
    const driver = driverOf(data, t);
    if (data.chegou_na_coleta) return t(`${driver} chegou na coleta`, `${driver} arrived at the pickup`);
    if (data.status_anterior === 'S')
      return t(`${driver} a caminho da coleta`, `${driver} on the way to the pickup`);
    return t(`Aceita por ${driver}`, `Accepted by ${driver}`);
  },
  S: (data, _delivery, t) => {
    const driver = driverOf(data, t);
    return t(
      `Aceita por ${driver}; em espera enquanto termina outra`,
      `Accepted by ${driver}; on hold until another is finished`,
    );
  },
  E: (data, _delivery, t) => {
    const driver = driverOf(data, t);
    return t(`${driver} iniciou a entrega`, `${driver} started the delivery`);
  },
  F: (_data, _delivery, t) => t('Finalizada', 'Finished'),
  N: (_data, _delivery, t) =>
    t('Não atendida: a busca chegou ao limite', 'Not attended: the search reached its limit'),
  C: (_data, { motivo_cancelamento }, t) =>
    t('Cancelada', 'Cancelled') + (motivo_cancelamento ? `: ${motivo_cancelamento.nome}` : ''),
};

const gaveUp = (name: string, t: Translate): string =>
  t(`${name} desistiu; a busca recomeçou`, `${name} gave up; the search began again`);

const somebodyGaveUp = (t: Translate): string => gaveUp(t('O entregador', 'The driver'), t);

/** Why a driver is searched for, by the previous status, which is empty for a new delivery. */
const searches: Record<string, (t: Translate) => string> = {
  '': (t) => t('Aberta; a busca por um entregador começou', 'Opened; the search for a driver began'),
  L: (t) => t('Liberada; a busca por um entregador começou', 'Released; the search for a driver began'),
  A: somebodyGaveUp,
  S: somebodyGaveUp,
  P: (t) => t('A busca foi retomada', 'The search was resumed'),
  G: (t) => t('A oferta não foi aceita; a busca continua', 'The offer was not accepted; the search goes on'),
};

const changes: Record<string, (t: Translate) => string> = {
  criada: (t) => t('Programada', 'Scheduled'),
  editada: (t) => t('Programada editada', 'Scheduled delivery edited'),
  agrupada: (t) => t('Programada agrupada em outra', 'Scheduled delivery grouped into another'),
  paradas_recebidas: (t) =>
    t('A programada recebeu paradas de outras', 'The scheduled delivery took over stops of others'),
  paradas_retiradas: (t) => t('Paradas saíram da programada', 'Stops left the scheduled delivery'),
  separada: (t) =>
    t('De novo sozinha: a que a levava foi cancelada', 'On its own again: what carried it was cancelled'),
  falha_no_disparo: (t) => t('A saída da programada falhou', 'The dispatch of the scheduled delivery failed'),
};

const offers: Record<Offer['estado'], (name: string, t: Translate) => string> = {
  aberta: (name, t) => t(`${name} foi perguntado`, `${name} was asked`),
  recusada: (name, t) => t(`${name} recusou`, `${name} refused`),
  expirada: (name, t) => t(`${name} não respondeu a tempo`, `${name} did not answer in time`),
  aceita: (name, t) => t(`${name} aceitou`, `${name} accepted`),
  retirada: (name, t) => t(`A oferta a ${name} foi retirada`, `The offer to ${name} was withdrawn`),
};

function describeOffer(offer: Offer, t: Translate): string {
  const { condutor, estado, motivo_recusa: reason, observacao_recusa: note } = offer;
  const words = reason && refusalReasonLabel[reason];
  const why = [words && t(words.pt, words.en), note && `“${note}”`].filter(Boolean).join(' ');
  return offers[estado](condutor.nome, t) + (why && `: ${why}`);
}
