import type { TSchema } from 'typebox';
import type { EventType, WantedType } from '../../events/record/event.ts';
import { entryKindCode } from './codes.ts';
import { companyField, type EventReader, type EventText, eventText, type ZonedEvent } from './eventFields.ts';
import { deliveryEventTypes } from './eventTypesOfDeliveries.ts';
import { driverEventTypes } from './eventTypesOfDrivers.ts';
import { scheduledEventTypes } from './eventTypesOfScheduled.ts';
import { cents, code, id, text } from './view.ts';

/**
 * Everything that integrators and people see of each event type: its name, label, schema, example and format.
 * Webhooks, live updates, histories, the reference and the console use this table.
 */
export const eventTypes = {
  ...deliveryEventTypes,
  ...scheduledEventTypes,
  ...driverEventTypes,
  'wallet.entry': eventText('wallet.entry', {
    name: 'credito.lancado',
    label: {
      pt: 'Houve um lançamento na carteira de créditos',
      en: 'An entry was made in the credit wallet',
    },
  })({
    empresa_id: companyField,
    registro_id: id.orNull(({ payload }) => payload.entryId, '87'),
    tipo: code(entryKindCode)(({ payload }) => payload.kind, 'recarga'),
    valor: cents(({ payload }) => payload.amountCents, '250.00', 'decimal; negativo quando sai da carteira'),
    saldo: cents(({ payload }) => payload.balanceCents, '412.35', 'decimal, depois do lançamento'),
    id_mch: id.orNull(({ payload }) => payload.deliveryId, null, 'a entrega que o causou'),
  }),
  'webhook.test': eventText('webhook.test', {
    name: 'webhook.teste',
    label: { pt: 'O evento de teste que foi pedido', en: 'The test event that was asked for' },
  })({
    webhook_id: id.orNull(({ payload }) => payload.webhookId, '3'),
    mensagem: text(() => 'Este é um evento de teste.', 'Este é um evento de teste.'),
  }),
} satisfies { [Each in EventType]: EventText<Each, string, TSchema> };

type Name<Each extends EventType> = (typeof eventTypes)[Each]['name'];

/** The names of the types that a webhook can subscribe to. */
export type WantedTypeName = Name<WantedType>;

export const EVENT_TYPE_NAMES: readonly Name<EventType>[] = Object.values(eventTypes).map(({ name }) => name);

export const eventTypeByName = Object.fromEntries(
  Object.entries(eventTypes)
    .filter(([type]) => type !== 'webhook.test')
    .map(([type, { name }]) => [name, type]),
) as Record<WantedTypeName, WantedType>;

export const WANTED_TYPE_NAMES = Object.keys(eventTypeByName) as WantedTypeName[];

/** The type of a test event by its name; undefined for the plain test event. */
export const parseSampledType = (name: Name<EventType> | undefined): WantedType | undefined =>
  name === undefined || name === 'webhook.teste' ? undefined : eventTypeByName[name];

/** The body of Standard Webhooks. Live updates carry the same. */
export interface EventBody {
  type: Name<EventType>;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
  /** Only in a test event of another type than the plain test: its data is an example. */
  test?: true;
}

/** Letters are those of the status endpoint (4.16); ids and amounts are strings, as everywhere in the contract. */
export function formatEvent<Each extends EventType>(
  event: ZonedEvent<Each>,
  reader: Pick<EventReader, 'publicUrl'> & Partial<EventReader>,
): EventBody {
  const body = formatByType(event, reader);
  const sampled = sampledType(event as ZonedEvent);
  if (!sampled) return body;
  const { name, example } = eventTypes[sampled];
  return { ...body, type: name, data: example, test: true };
}

/** The type whose example a test event carries. */
const sampledType = (event: ZonedEvent): WantedType | undefined =>
  event.type === 'webhook.test' ? event.payload.sampleOf : undefined;

function formatByType<Each extends EventType>(
  event: ZonedEvent<Each>,
  { language = 'pt', publicUrl }: Pick<EventReader, 'publicUrl'> & Partial<EventReader>,
): EventBody {
  // The compiler cannot relate an entry of the table to the event of its type; the type of the table ensures it.
  const { name, format } = eventTypes[event.type] as unknown as EventText<Each, Name<EventType>, TSchema>;
  return {
    type: name,
    timestamp: (event.happenedAt ?? event.occurredAt).toString({ smallestUnit: 'millisecond' }),
    data: format(event, { language, publicUrl }) as EventBody['data'],
  };
}
