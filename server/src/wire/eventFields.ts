import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type {
  DeliveryFacts,
  EventStop,
  EventType,
  RecordedEvent,
  ScheduledFacts,
  StopRemoval,
} from '../events/event.ts';
import type { Language } from '../http/envelope.ts';
import { centsToDecimal } from '../kernel/money.ts';
import { situationCode, statusCode } from './codes.ts';
import { nullable } from './values.ts';

/** An event and the time zone of its central, in which its local times are written. */
export type ZonedEvent<Type extends EventType = EventType> = RecordedEvent<Type> & { timeZone: string };

/** Everything that integrators and people see of an event type. */
export interface EventText<Type extends EventType, Name extends string, Data extends TSchema> {
  /** The external name of the type. */
  name: Name;
  /** The type as a sentence for people. */
  label: { pt: string; en: string };
  /** The schema of `data`, for the reference and for the types of clients. */
  data: Data;
  example: Static<Data>;
  /** Only the fields named here are sent; other fields of a payload are not. */
  format(event: ZonedEvent<Type>, language: Language): Static<Data>;
}

/** The type is the first parameter, so that the compiler infers the event of `format`. */
export const eventText = <Type extends EventType, const Name extends string, Data extends TSchema>(
  _type: Type,
  text: EventText<Type, Name, Data>,
): EventText<Type, Name, Data> => text;

export const oneOf = (values: Readonly<Record<string, string>>, description?: string) =>
  Type.Enum([...new Set(Object.values(values))], description ? { description } : {});
export const text = (description?: string) => Type.String(description ? { description } : {});
export const idOrNull = (id: number | null | undefined): string | null => (id == null ? null : String(id));

const sequence = Type.Integer({
  description: 'cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado',
});

// Stops

const stopFields = {
  id: text(),
  ordem: Type.Integer(),
  numero_pedido: text('vazio quando não foi informado'),
  id_externo: nullable(Type.String()),
};
export const stop = Type.Object(stopFields);
export const stops = Type.Array(stop);
export const deliveryStops = Type.Array(
  Type.Object({ ...stopFields, concluida: Type.Boolean(), nao_entregue: Type.Boolean() }),
);
export const stopExample = { id: '2077', ordem: 0, numero_pedido: 'P-1', id_externo: 'erp-991' };

export const formatStop = ({ id, order, orderNumber, externalId }: EventStop) => ({
  id: String(id),
  ordem: order,
  numero_pedido: orderNumber ?? '',
  id_externo: externalId,
});

export const formatDeliveryStop = (given: EventStop) => ({
  ...formatStop(given),
  concluida: given.concluded ?? false,
  nao_entregue: given.notDelivered ?? false,
});

export const removedStop = Type.Object({
  id: text(),
  numero_pedido: stopFields.numero_pedido,
  id_externo: stopFields.id_externo,
});
export const removedStopExample = { id: '2078', numero_pedido: 'P-2', id_externo: null };

export const formatRemoval = ({ stopId, orderNumber, externalId, orderedWith }: StopRemoval) => ({
  parada: { id: String(stopId), numero_pedido: orderNumber ?? '', id_externo: externalId ?? null },
  pedida_com: String(orderedWith),
});

// Deliveries

export const driver = nullable(Type.Object({ id: text(), nome: text() }));
export const driverExample = { id: '7', nome: 'João Souza' };

export const formatDriver = ({ driverId, driverName }: Pick<DeliveryFacts, 'driverId' | 'driverName'>) =>
  driverId === null ? null : { id: String(driverId), nome: driverName ?? '' };

export const deliveryFields = {
  id: text('id da entrega (id_mch)'),
  sequencia: sequence,
  empresa_id: nullable(Type.String()),
  id_mch_programada: nullable(Type.String({ description: 'a programada que a gerou' })),
  agrupada_em: nullable(Type.String({ description: 'a entrega que a leva, se foi agrupada' })),
  status: oneOf(statusCode, 'como em GET /entregas/{id}/status'),
  condutor: driver,
};

export const deliveryExample = {
  id: '1042',
  sequencia: 4,
  empresa_id: '1',
  id_mch_programada: null,
  agrupada_em: null,
  status: 'E',
  condutor: driverExample,
};

type DeliveryType = Exclude<Extract<EventType, `delivery.${string}`>, 'delivery.position'>;

export const formatDelivery = (event: ZonedEvent<DeliveryType>) => ({
  id: String(event.deliveryId),
  sequencia: event.sequence!,
  empresa_id: idOrNull(event.companyId),
  id_mch_programada: idOrNull(event.payload.scheduledId),
  agrupada_em: idOrNull(event.payload.groupedInto),
  status: statusCode[event.payload.status],
  condutor: formatDriver(event.payload),
});

/** The price of a grouped delivery is part of its carrier's. */
export const formatPrice = ({ netCents, groupedInto }: DeliveryFacts): string =>
  centsToDecimal(groupedInto === null ? netCents : 0);

// Scheduled deliveries

export const scheduledFields = {
  id: text('id da programada (id_mch_programada)'),
  sequencia: sequence,
  empresa_id: nullable(Type.String()),
  id_mch: nullable(Type.String({ description: 'a entrega gerada no disparo' })),
  agrupada_em: nullable(Type.String({ description: 'a programada que recebeu as paradas, se foi agrupada' })),
  situacao: oneOf(situationCode),
  data_previsao_disparo: text('DD/MM/AAAA'),
  hora_previsao_disparo: text('HH:MM:SS'),
  valor_estimado: text('decimal'),
};

export const scheduledExample = {
  id: '312',
  sequencia: 2,
  empresa_id: '1',
  id_mch: null,
  agrupada_em: null,
  situacao: 'A',
  data_previsao_disparo: '16/11/2026',
  hora_previsao_disparo: '13:00:00',
  valor_estimado: '18.40',
};

type ScheduledType = Extract<EventType, `scheduled.${string}`>;

export const formatScheduled = (event: ZonedEvent<ScheduledType>) => {
  const facts: ScheduledFacts = event.payload;
  const local = Temporal.Instant.from(facts.dispatchAt).toZonedDateTimeISO(event.timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    id: String(event.scheduledId),
    sequencia: event.sequence!,
    empresa_id: idOrNull(event.companyId),
    id_mch: idOrNull(facts.deliveryId),
    agrupada_em: idOrNull(facts.groupedInto),
    situacao: situationCode[facts.situation],
    data_previsao_disparo: `${two(local.day)}/${two(local.month)}/${local.year}`,
    hora_previsao_disparo: local.toPlainTime().toString({ smallestUnit: 'second' }),
    valor_estimado: centsToDecimal(facts.netCents),
  };
};
