import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { EventType, WantedType } from '../events/event.ts';
import type { Language } from '../http/envelope.ts';
import { centsToDecimal } from '../kernel/money.ts';
import { entryKindCode } from './codes.ts';
import { type EventText, eventText, idOrNull, oneOf, text, type ZonedEvent } from './eventFields.ts';
import { deliveryEventTypes } from './eventTypesOfDeliveries.ts';
import { driverEventTypes } from './eventTypesOfDrivers.ts';
import { scheduledEventTypes } from './eventTypesOfScheduled.ts';
import { nullable } from './values.ts';

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
    data: Type.Object({
      empresa_id: nullable(Type.String()),
      registro_id: nullable(Type.String()),
      tipo: oneOf(entryKindCode),
      valor: text('decimal; negativo quando sai da carteira'),
      saldo: text('decimal, depois do lançamento'),
      id_mch: nullable(Type.String({ description: 'a entrega que o causou' })),
    }),
    example: {
      empresa_id: '1',
      registro_id: '87',
      tipo: 'recarga',
      valor: '250.00',
      saldo: '412.35',
      id_mch: null,
    },
    format: ({ companyId, payload }) => ({
      empresa_id: idOrNull(companyId),
      registro_id: idOrNull(payload.entryId),
      tipo: entryKindCode[payload.kind],
      valor: centsToDecimal(payload.amountCents),
      saldo: centsToDecimal(payload.balanceCents),
      id_mch: idOrNull(payload.deliveryId),
    }),
  }),
  'webhook.test': eventText('webhook.test', {
    name: 'webhook.teste',
    label: { pt: 'O evento de teste que foi pedido', en: 'The test event that was asked for' },
    data: Type.Object({ webhook_id: nullable(Type.String()), mensagem: text() }),
    example: { webhook_id: '3', mensagem: 'Este é um evento de teste.' },
    format: ({ payload }) => ({
      webhook_id: idOrNull(payload.webhookId),
      mensagem: 'Este é um evento de teste.',
    }),
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

/** The body of Standard Webhooks. Live updates carry the same. */
export interface EventBody {
  type: Name<EventType>;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

/** Letters are those of the status endpoint (4.16); ids and amounts are strings, as everywhere in the contract. */
export function formatEvent<Each extends EventType>(
  event: ZonedEvent<Each>,
  language: Language = 'pt',
): EventBody {
  // The compiler cannot relate an entry of the table to the event of its type; the type of the table ensures it.
  const { name, format } = eventTypes[event.type] as unknown as EventText<Each, Name<EventType>, TSchema>;
  return {
    type: name,
    timestamp: (event.happenedAt ?? event.occurredAt).toString({ smallestUnit: 'millisecond' }),
    data: format(event, language) as EventBody['data'],
  };
}
