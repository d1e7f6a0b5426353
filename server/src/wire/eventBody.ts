import type { Status } from '../deliveries/status.ts';
import type {
  DeliveryFacts,
  EventType,
  ScheduledFacts,
  ToldStop,
  WalletFacts,
  WantedType,
} from '../events/event.ts';
import type { Language } from '../http/envelope.ts';
import { centsToDecimal } from '../kernel/money.ts';
import type { Situation } from '../scheduled/scheduled.ts';
import type { EntryKind } from '../wallet/walletStore.ts';
import type { MessageEvent } from '../webhooks/webhook.ts';
import { entryKindCode, situationCode, statusCode } from './codes.ts';
import { describeDispatchFailure } from './scheduledJson.ts';
import { formatDegrees } from './values.ts';

/** The names that integrators know events by. */
export const eventTypeName = {
  'delivery.status': 'entrega.status',
  'delivery.stop_concluded': 'entrega.parada_concluida',
  'delivery.position': 'entrega.posicao',
  'delivery.grouped': 'entrega.agrupada',
  'delivery.changed': 'entrega.alterada',
  'delivery.stop_removed': 'entrega.parada_removida',
  'scheduled.changed': 'programada.alterada',
  'scheduled.stop_removed': 'programada.parada_removida',
  'scheduled.dispatched': 'programada.disparada',
  'scheduled.cancelled': 'programada.cancelada',
  'wallet.entry': 'credito.lancado',
  'webhook.test': 'webhook.teste',
} as const satisfies Record<EventType, string>;

export type EventTypeName = (typeof eventTypeName)[EventType];

/** Those that a webhook can be registered for. */
export type WantedTypeName = (typeof eventTypeName)[WantedType];

export const eventTypeByName = Object.fromEntries(
  Object.entries(eventTypeName)
    .filter(([type]) => type !== 'webhook.test')
    .map(([type, name]) => [name, type]),
) as Record<WantedTypeName, WantedType>;

export const WANTED_TYPE_NAMES = Object.keys(eventTypeByName) as WantedTypeName[];

/** What is sent of an event: the body of Standard Webhooks. Live updates carry the same. */
export interface EventBody {
  type: string;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

/** As much of an event as its body is made of. */
export type ToldEvent = Omit<MessageEvent, 'uid'>;

/**
 * Letters are those of the status endpoint (4.16), ids and amounts are texts as everywhere in the contract. Only
 * what is named here leaves the house: whatever else a payload holds does not. Whoever does not ask is told in
 * Portuguese.
 */
export const formatEvent = (event: ToldEvent, language: Language = 'pt'): EventBody => ({
  type: eventTypeName[event.type],
  timestamp: event.occurredAt.toString({ smallestUnit: 'millisecond' }),
  data: formatters[event.type](event, language),
});

const formatters: Record<EventType, (event: ToldEvent, language: Language) => EventBody['data']> = {
  'delivery.status': (event) => {
    const told = payloadOf<DeliveryFacts & StatusTold>(event);
    return {
      ...deliveryHead(event, told),
      status_anterior: told.previousStatus ? letter(told.previousStatus) : null,
      chegou_na_coleta: told.arrived ?? false,
      motivo_id: told.reasonId ?? null,
      valor_corrida: formatPrice(told),
      paradas: told.stops.map(formatDeliveryStop),
    };
  },
  'delivery.stop_concluded': (event) => {
    const told = payloadOf<DeliveryFacts & ConclusionTold>(event);
    const stop = told.stops.find(({ id }) => id === told.stopId);
    return {
      ...deliveryHead(event, told),
      parada: formatStop(stop ?? { id: told.stopId, order: told.order, orderNumber: null, externalId: null }),
      paradas_restantes: told.stops.filter(({ concluded }) => !concluded).length,
      sem_codigo_motivo: told.withoutCodeReason ?? null,
    };
  },
  'delivery.position': (event) => {
    const told = payloadOf<PositionTold>(event);
    return {
      id: String(event.deliveryId),
      sequencia: null,
      empresa_id: idOrNull(event.companyId),
      status: letter(told.status),
      condutor: formatDriver(told),
      lat: formatDegrees(told.lat),
      lng: formatDegrees(told.lng),
    };
  },
  'delivery.grouped': (event) => {
    const told = payloadOf<DeliveryFacts & GroupingTold>(event);
    return {
      ...deliveryHead(event, told),
      entregas_agrupadas: (told.deliveries ?? []).map(String),
      programadas_agrupadas: (told.scheduled ?? []).map(String),
      entregas_retiradas: (told.left ?? []).map(String),
      valor_corrida: formatPrice(told),
      paradas: told.stops.map(formatDeliveryStop),
    };
  },
  'delivery.changed': (event) => {
    const told = payloadOf<DeliveryFacts & { change: keyof typeof deliveryChangeName }>(event);
    return {
      ...deliveryHead(event, told),
      mudanca: deliveryChangeName[told.change],
      valor_corrida: formatPrice(told),
      paradas: told.stops.map(formatDeliveryStop),
    };
  },
  'delivery.stop_removed': (event) => {
    const told = payloadOf<DeliveryFacts & RemovalTold>(event);
    return {
      ...deliveryHead(event, told),
      ...formatRemoval(told),
      valor_corrida: formatPrice(told),
      paradas: told.stops.map(formatDeliveryStop),
    };
  },
  'scheduled.changed': (event, language) => {
    const told = payloadOf<ScheduledFacts & ChangeTold>(event);
    return {
      ...scheduledHead(event, told),
      mudanca: changeName[told.change],
      programadas_agrupadas: (told.grouped ?? []).map(String),
      falha: told.failure ? describeDispatchFailure(told.failure, language) : null,
      paradas: told.stops.map(formatStop),
    };
  },
  'scheduled.stop_removed': (event) => {
    const told = payloadOf<ScheduledFacts & RemovalTold>(event);
    return {
      ...scheduledHead(event, told),
      ...formatRemoval(told),
      paradas: told.stops.map(formatStop),
    };
  },
  'scheduled.dispatched': (event) => {
    const told = payloadOf<ScheduledFacts>(event);
    return { ...scheduledHead(event, told), paradas: told.stops.map(formatStop) };
  },
  'scheduled.cancelled': (event) => {
    const told = payloadOf<ScheduledFacts & CancellationTold>(event);
    return {
      ...scheduledHead(event, told),
      situacao_anterior: told.previousSituation ? situationCode[told.previousSituation] : null,
      paradas: told.stops.map(formatStop),
    };
  },
  'wallet.entry': (event) => {
    const told = payloadOf<WalletFacts & EntryTold>(event);
    return {
      empresa_id: idOrNull(event.companyId),
      registro_id: idOrNull(told.entryId),
      tipo: entryKindCode[told.kind],
      valor: centsToDecimal(told.amountCents),
      saldo: centsToDecimal(told.balanceCents),
      id_mch: idOrNull(told.deliveryId),
    };
  },
  'webhook.test': (event) => ({
    webhook_id: idOrNull(payloadOf<{ webhookId: number }>(event).webhookId),
    mensagem: 'Este é um evento de teste.',
  }),
};

// What the commands say of their events, beside the facts that every event of its kind has.

interface StatusTold {
  previousStatus?: string;
  arrived?: boolean;
  reasonId?: number | null;
}

interface ConclusionTold {
  stopId: number;
  order: number;
  /** Why an operator concluded it without the recipient's code. */
  withoutCodeReason?: string;
}

interface PositionTold extends Pick<DeliveryFacts, 'status' | 'driverId' | 'driverName'> {
  lat: number;
  lng: number;
}

interface GroupingTold {
  deliveries?: readonly number[];
  scheduled?: readonly number[];
  /** Those that were cancelled alone: their stops left. */
  left?: readonly number[];
}

interface ChangeTold {
  change: keyof typeof changeName;
  grouped?: readonly number[];
  failure?: string;
}

interface RemovalTold {
  stopId: number;
  orderNumber: string | null;
  externalId: string | null;
  orderedWith: number;
}

interface CancellationTold {
  previousSituation?: Situation;
}

interface EntryTold {
  entryId?: number;
  kind: EntryKind;
  amountCents: number;
  deliveryId: number | null;
}

export const deliveryChangeName = { edited: 'editada' } as const;

export const changeName = {
  created: 'criada',
  edited: 'editada',
  grouped: 'agrupada',
  stops_joined: 'paradas_recebidas',
  stops_left: 'paradas_retiradas',
  let_go: 'separada',
  dispatch_failed: 'falha_no_disparo',
} as const;

/** Written by our own commands, and read back. */
const payloadOf = <Told>({ payload }: ToldEvent): Told => payload as Told;

const deliveryHead = (event: ToldEvent, told: DeliveryFacts) => ({
  id: String(event.deliveryId),
  sequencia: event.sequence,
  empresa_id: idOrNull(event.companyId),
  id_mch_programada: idOrNull(told.scheduledId),
  agrupada_em: idOrNull(told.groupedInto),
  status: letter(told.status),
  condutor: formatDriver(told),
});

const scheduledHead = (event: ToldEvent, told: ScheduledFacts) => {
  const local = Temporal.Instant.from(told.dispatchAt).toZonedDateTimeISO(event.timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    id: String(event.scheduledId),
    sequencia: event.sequence,
    empresa_id: idOrNull(event.companyId),
    id_mch: idOrNull(told.deliveryId),
    agrupada_em: idOrNull(told.groupedInto),
    situacao: situationCode[told.situation as Situation],
    data_previsao_disparo: `${two(local.day)}/${two(local.month)}/${local.year}`,
    hora_previsao_disparo: local.toPlainTime().toString({ smallestUnit: 'second' }),
    valor_estimado: centsToDecimal(told.netCents),
  };
};

/** The price of one that was grouped has moved to the one that carries it. */
const formatPrice = ({ netCents, groupedInto }: DeliveryFacts): string =>
  centsToDecimal(groupedInto === null ? netCents : 0);

const letter = (status: string): string => statusCode[status as Status];

const formatDriver = ({ driverId, driverName }: Pick<DeliveryFacts, 'driverId' | 'driverName'>) =>
  driverId === null ? null : { id: String(driverId), nome: driverName ?? '' };

const formatStop = ({ id, order, orderNumber, externalId }: ToldStop) => ({
  id: String(id),
  ordem: order,
  numero_pedido: orderNumber ?? '',
  id_externo: externalId,
});

const formatRemoval = ({ stopId, orderNumber, externalId, orderedWith }: RemovalTold) => ({
  parada: { id: String(stopId), numero_pedido: orderNumber ?? '', id_externo: externalId ?? null },
  pedida_com: String(orderedWith),
});

const formatDeliveryStop = (stop: ToldStop) => ({
  ...formatStop(stop),
  concluida: stop.concluded ?? false,
});

const idOrNull = (id: number | null | undefined): string | null => (id == null ? null : String(id));
