import type { Offer, PastEvent, Sheet } from '../../data/deliveries.ts';

export type Translate = (pt: string, en: string) => string;

/** One thing that happened, as a short sentence. */
export function describeEvent({ type, data }: PastEvent, delivery: Sheet, t: Translate): string {
  switch (type) {
    case 'entrega.status':
      return describeStatus(data, delivery, t);
    case 'entrega.parada_concluida': {
      const number = (data.parada?.ordem ?? 0) + 1;
      const order = data.parada?.numero_pedido;
      return (
        t(`Parada ${number} concluída`, `Stop ${number} concluded`) +
        (order ? t(` (pedido ${order})`, ` (order ${order})`) : '')
      );
    }
    case 'entrega.agrupada': {
      if (data.agrupada_em)
        return t(`Agrupada na entrega ${data.agrupada_em}`, `Grouped into delivery ${data.agrupada_em}`);
      const all = [...(data.entregas_agrupadas ?? []), ...(data.programadas_agrupadas ?? [])].join(', ');
      return t(`Recebeu as paradas de ${all}`, `Took over the stops of ${all}`);
    }
    case 'programada.alterada':
      return describeChange(data.mudanca, t);
    case 'programada.parada_removida':
      return t('Uma parada foi removida da programada', 'A stop was removed from the scheduled delivery');
    case 'programada.disparada':
      return t('Programada disparada', 'Scheduled delivery dispatched');
    case 'programada.cancelada':
      return t('Programada cancelada', 'Scheduled delivery cancelled');
    default:
      return type;
  }
}

function describeStatus(data: PastEvent['data'], delivery: Sheet, t: Translate): string {
  const driver = data.condutor?.nome ?? t('um condutor', 'a driver');
  const before = data.status_anterior ?? null;
  switch (data.status) {
    case 'L':
      return t('Aberta; aguarda liberação da central', 'Opened; awaits release by the central');
    case 'D':
      return describeSearch(before, t);
    case 'G':
      return t('Oferecida; aguarda o aceite', 'Offered; awaiting acceptance');
    case 'P':
      return t('Nenhum condutor por perto ainda; pendente', 'No driver nearby yet; pending');
    case 'A':
      if (data.chegou_na_coleta) return t(`${driver} chegou na coleta`, `${driver} arrived at the pickup`);
      if (before === 'S') return t(`${driver} a caminho da coleta`, `${driver} on the way to the pickup`);
      return t(`Aceita por ${driver}`, `Accepted by ${driver}`);
    case 'S':
      return t(
        `Aceita por ${driver}; em espera enquanto termina outra`,
        `Accepted by ${driver}; on hold until another is finished`,
      );
    case 'E':
      return t(`${driver} iniciou a entrega`, `${driver} started the delivery`);
    case 'F':
      return t('Finalizada', 'Finished');
    case 'N':
      return t('Não atendida: a busca chegou ao limite', 'Not attended: the search reached its limit');
    case 'C': {
      const reason = delivery.motivo_cancelamento?.nome;
      return t('Cancelada', 'Cancelled') + (reason ? `: ${reason}` : '');
    }
    default:
      return '';
  }
}

function describeSearch(before: PastEvent['data']['status'] | null, t: Translate): string {
  switch (before) {
    case null:
      return t('Aberta; a busca por um condutor começou', 'Opened; the search for a driver began');
    case 'L':
      return t('Liberada; a busca por um condutor começou', 'Released; the search for a driver began');
    case 'A':
    case 'S':
      return t('O condutor desistiu; a busca recomeçou', 'The driver gave up; the search began again');
    case 'P':
      return t('A busca foi retomada', 'The search was resumed');
    default:
      return t('A oferta não foi aceita; a busca continua', 'The offer was not accepted; the search goes on');
  }
}

function describeChange(change: string | undefined, t: Translate): string {
  switch (change) {
    case 'criada':
      return t('Programada', 'Scheduled');
    case 'editada':
      return t('Programada editada', 'Scheduled delivery edited');
    case 'agrupada':
      return t('Programada agrupada em outra', 'Scheduled delivery grouped into another');
    case 'paradas_recebidas':
      return t('A programada recebeu paradas de outras', 'The scheduled delivery took over stops of others');
    case 'paradas_retiradas':
      return t('Paradas saíram da programada', 'Stops left the scheduled delivery');
    default:
      return t('O disparo da programada falhou', 'The dispatch of the scheduled delivery failed');
  }
}

export function describeOffer({ condutor: { nome }, estado }: Offer, t: Translate): string {
  switch (estado) {
    case 'aberta':
      return t(`${nome} foi perguntado`, `${nome} was asked`);
    case 'recusada':
      return t(`${nome} recusou`, `${nome} refused`);
    case 'expirada':
      return t(`${nome} não respondeu a tempo`, `${nome} did not answer in time`);
    default:
      return t(`A oferta a ${nome} foi retirada`, `The offer to ${nome} was withdrawn`);
  }
}
