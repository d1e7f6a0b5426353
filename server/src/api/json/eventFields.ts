import type { Static, TSchema } from 'typebox';
import type {
  DeliveryFacts,
  EventStop,
  EventType,
  RecordedEvent,
  StopRemoval,
} from '../../events/record/event.ts';
import type { Language } from '../http/envelope.ts';
import { situationCode, statusCode } from './codes.ts';
import {
  cents,
  code,
  flag,
  id,
  integer,
  list,
  type ObjectOf,
  one,
  text,
  textIfAny,
  type View,
  view,
} from './view.ts';

/** An event and the time zone of its central, in which its local times are written. */
export type ZonedEvent<Type extends EventType = EventType> = RecordedEvent<Type> & { timeZone: string };

/** Who reads an event. */
export interface EventReader {
  language: Language;
  /** Begins the links. Empty for webhooks of a service without a configured address: their links are paths. */
  publicUrl: string;
}

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
  format(event: ZonedEvent<Type>, reader: EventReader): Static<Data>;
}

/** Called twice, because TypeScript infers all type parameters of a call or none. */
export const eventText =
  <Type extends EventType, const Name extends string>(
    _type: Type,
    words: { name: Name; label: EventText<Type, Name, TSchema>['label'] },
  ) =>
  <Fields extends Record<string, View<ZonedEvent<Type>, EventReader, TSchema>>>(
    fields: Fields,
    example: Partial<Static<ObjectOf<Fields>>> = {},
  ): EventText<Type, Name, ObjectOf<Fields>> => {
    const data = view<ZonedEvent<Type>, EventReader>()(fields);
    return { ...words, data: data.schema, example: { ...data.example, ...example }, format: data.show };
  };

/** An item of a list of ids. */
export const listedId = id((id: number) => id, '1043');

interface OfCompany {
  companyId: number | null;
}
export const companyField = id.orNull((event: OfCompany) => event.companyId, '1');

const sequence = (example: number) =>
  integer(
    (event: { sequence: number | null }) => event.sequence!,
    example,
    'cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado',
  );

export const ownKeyField = textIfAny(
  ({ payload }: { payload: { ownKey?: string } }) => payload.ownKey,
  'PED-1042',
  'a chave dada na criação; ausente sem ela',
);

// Stops

const orderNumber = (example: string) =>
  text(
    (stop: { orderNumber: string | null }) => stop.orderNumber ?? '',
    example,
    'vazio quando não foi informado',
  );

const stopFields = {
  id: id((stop: EventStop) => stop.id, '2077'),
  ordem: integer((stop: EventStop) => stop.order, 0),
  numero_pedido: orderNumber('P-1'),
  id_externo: text.orNull((stop: EventStop) => stop.externalId, 'erp-991'),
};
const stop = view<EventStop>()(stopFields);
const deliveryStop = view<EventStop>()({
  ...stopFields,
  concluida: flag(({ concluded }) => concluded ?? false, false),
  nao_entregue: flag(({ notDelivered }) => notDelivered ?? false, false),
});

interface OfVisit {
  payload: { stopId: number; order: number; stops: readonly EventStop[] };
}

/** The stop as listed in the event; only its order and id if it is no longer there. */
export const visitedStop = one(
  stop,
  ({ payload: { stopId, order, stops } }: OfVisit) =>
    stops.find(({ id }) => id === stopId) ?? { id: stopId, order, orderNumber: null, externalId: null },
);

const removedStop = view<StopRemoval>()({
  id: id((removal) => removal.stopId, '2078'),
  numero_pedido: orderNumber('P-2'),
  id_externo: text.orNull((removal) => removal.externalId, null),
});

export const removalFields = (orderedWith: { example: string; description: string }) => ({
  parada: one(removedStop, ({ payload }: { payload: StopRemoval }) => payload),
  pedida_com: id(
    ({ payload }: { payload: StopRemoval }) => payload.orderedWith,
    orderedWith.example,
    orderedWith.description,
  ),
});

// Deliveries

const driver = view<{ id: number; name: string }>()({
  id: id((each) => each.id, '7'),
  nome: text((each) => each.name, 'João Souza'),
});

export const driverField = one.orNull(
  driver,
  ({ payload: { driverId, driverName } }: { payload: Pick<DeliveryFacts, 'driverId' | 'driverName'> }) =>
    driverId === null ? null : { id: driverId, name: driverName ?? '' },
);

type DeliveryType = Exclude<Extract<EventType, `delivery.${string}`>, 'delivery.position'>;
type OfDelivery = ZonedEvent<DeliveryType>;

export const deliveryId = id(
  (event: { deliveryId: number | null }) => event.deliveryId!,
  '1042',
  'id da entrega (id_mch)',
);
export const deliveryStatus = code(statusCode)(
  ({ payload }: { payload: Pick<DeliveryFacts, 'status'> }) => payload.status,
  'E',
  'como em GET /entregas/{id}/status',
);

export const deliveryFields = {
  id: deliveryId,
  sequencia: sequence(4),
  empresa_id: companyField,
  id_mch_programada: id.orNull(
    ({ payload }: OfDelivery) => payload.scheduledId,
    null,
    'a programada que a gerou',
  ),
  agrupada_em: id.orNull(
    ({ payload }: OfDelivery) => payload.groupedInto,
    null,
    'a entrega que a leva, se foi agrupada',
  ),
  status: deliveryStatus,
  condutor: driverField,
  id_externo: ownKeyField,
};

/** The price of a grouped delivery is part of its carrier's. */
export const priceField = (example: string) =>
  cents(
    ({ payload: { netCents, groupedInto } }: OfDelivery) => (groupedInto === null ? netCents : 0),
    example,
    'decimal',
  );

export const deliveryStops = list(deliveryStop, ({ payload }: OfDelivery) => payload.stops);

// Scheduled deliveries

type OfScheduled = ZonedEvent<Extract<EventType, `scheduled.${string}`>>;

const dispatchTime = ({ payload, timeZone }: OfScheduled) =>
  Temporal.Instant.from(payload.dispatchAt).toZonedDateTimeISO(timeZone);

const two = (value: number) => String(value).padStart(2, '0');

export const scheduledFields = {
  id: id((event: OfScheduled) => event.scheduledId!, '312', 'id da programada (id_mch_programada)'),
  sequencia: sequence(2),
  empresa_id: companyField,
  id_mch: id.orNull(({ payload }: OfScheduled) => payload.deliveryId, null, 'a entrega gerada no disparo'),
  agrupada_em: id.orNull(
    ({ payload }: OfScheduled) => payload.groupedInto,
    null,
    'a programada que recebeu as paradas, se foi agrupada',
  ),
  situacao: code(situationCode)(({ payload }: OfScheduled) => payload.situation, 'A'),
  data_previsao_disparo: text(
    (event: OfScheduled) => {
      const { day, month, year } = dispatchTime(event);
      return `${two(day)}/${two(month)}/${year}`;
    },
    '16/11/2026',
    'DD/MM/AAAA',
  ),
  hora_previsao_disparo: text(
    (event: OfScheduled) => dispatchTime(event).toPlainTime().toString({ smallestUnit: 'second' }),
    '13:00:00',
    'HH:MM:SS',
  ),
  valor_estimado: cents(({ payload }: OfScheduled) => payload.netCents, '18.40', 'decimal'),
  id_externo: ownKeyField,
};

export const scheduledStops = list(stop, ({ payload }: OfScheduled) => payload.stops);
