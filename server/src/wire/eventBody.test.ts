import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Clean, Clone } from 'typebox/value';
import type { EventPayload, EventType } from '../events/event.ts';
import { type EventBody, formatEvent, type ToldEvent } from './eventBody.ts';
import { eventExamples, eventSchemas } from './eventSchemas.ts';

const stops = [
  { id: 11, order: 0, orderNumber: 'P-1', externalId: 'erp-1', concluded: true },
  { id: 12, order: 1, orderNumber: null, externalId: null, concluded: false },
];
const shownStops = [
  { id: '11', ordem: 0, numero_pedido: 'P-1', id_externo: 'erp-1' },
  { id: '12', ordem: 1, numero_pedido: '', id_externo: null },
];
const shownDeliveryStops = [
  { ...shownStops[0], concluida: true },
  { ...shownStops[1], concluida: false },
];
const ofDelivery: Partial<ToldEvent> = { deliveryId: 7, sequence: 3 };
const ofScheduled: Partial<ToldEvent> = { scheduledId: 5, sequence: 2 };

/** What no event may pass on, even if a command were to record it. */
const PRIVATE = { recipientName: 'Ana', cpf: '52998224725', phone: '51999990000', offeredTo: 9 };

const delivery = (told: EventPayload): EventPayload => ({
  status: 'in_progress',
  driverId: 4,
  driverName: 'João',
  netCents: 1250,
  scheduledId: 5,
  groupedInto: null,
  stops,
  ...PRIVATE,
  ...told,
});
const scheduled = (told: EventPayload): EventPayload => ({
  situation: 'awaiting',
  dispatchAt: '2026-11-17T02:30:00+00:00',
  netCents: 990,
  deliveryId: null,
  groupedInto: null,
  stops,
  ...PRIVATE,
  ...told,
});
const deliveryHead = {
  id: '7',
  sequencia: 3,
  empresa_id: '1',
  id_mch_programada: '5',
  agrupada_em: null,
  status: 'E',
  condutor: { id: '4', nome: 'João' },
};
const scheduledHead = {
  id: '5',
  sequencia: 2,
  empresa_id: '1',
  id_mch: null,
  agrupada_em: null,
  situacao: 'A',
  // The central's clock, as in contract 2.2.
  data_previsao_disparo: '16/11/2026',
  hora_previsao_disparo: '23:30:00',
  valor_estimado: '9.90',
};

/** For each type: where it belongs, what was recorded, and the whole of what is sent. */
const told: Record<
  EventType,
  [of: Partial<ToldEvent>, payload: EventPayload, name: string, data: EventBody['data']]
> = {
  'delivery.status': [
    ofDelivery,
    delivery({ previousStatus: 'on_hold', status: 'cancelled', reasonId: 2, arrived: true }),
    'entrega.status',
    {
      ...deliveryHead,
      status: 'C',
      status_anterior: 'S',
      chegou_na_coleta: true,
      motivo_id: 2,
      valor_corrida: '12.50',
      paradas: shownDeliveryStops,
    },
  ],
  'delivery.stop_concluded': [
    ofDelivery,
    delivery({ stopId: 11, order: 0, carriedBy: 7 }),
    'entrega.parada_concluida',
    { ...deliveryHead, parada: shownStops[0], paradas_restantes: 1, sem_codigo_motivo: null },
  ],
  'delivery.position': [
    { deliveryId: 7 },
    { status: 'in_progress', driverId: 4, driverName: 'João', lat: -30.0305, lng: -51.23, ...PRIVATE },
    'entrega.posicao',
    {
      id: '7',
      sequencia: null,
      empresa_id: '1',
      status: 'E',
      condutor: { id: '4', nome: 'João' },
      lat: '-30.0305',
      lng: '-51.23',
    },
  ],
  'delivery.grouped': [
    ofDelivery,
    delivery({ deliveries: [8], scheduled: [6], stopIds: [11, 12] }),
    'entrega.agrupada',
    {
      ...deliveryHead,
      entregas_agrupadas: ['8'],
      programadas_agrupadas: ['6'],
      entregas_retiradas: [],
      valor_corrida: '12.50',
      paradas: shownDeliveryStops,
    },
  ],
  'delivery.changed': [
    ofDelivery,
    delivery({ change: 'edited' }),
    'entrega.alterada',
    { ...deliveryHead, mudanca: 'editada', valor_corrida: '12.50', paradas: shownDeliveryStops },
  ],
  'delivery.stop_removed': [
    ofDelivery,
    delivery({ stopId: 13, orderNumber: null, externalId: 'erp-3', orderedWith: 7 }),
    'entrega.parada_removida',
    {
      ...deliveryHead,
      parada: { id: '13', numero_pedido: '', id_externo: 'erp-3' },
      pedida_com: '7',
      valor_corrida: '12.50',
      paradas: shownDeliveryStops,
    },
  ],
  'scheduled.changed': [
    ofScheduled,
    scheduled({ change: 'stops_joined', grouped: [6] }),
    'programada.alterada',
    {
      ...scheduledHead,
      mudanca: 'paradas_recebidas',
      programadas_agrupadas: ['6'],
      falha: null,
      paradas: shownStops,
    },
  ],
  'scheduled.stop_removed': [
    ofScheduled,
    scheduled({ stopId: 13, orderNumber: 'P-9', externalId: 'erp-9', orderedWith: 6 }),
    'programada.parada_removida',
    {
      ...scheduledHead,
      parada: { id: '13', numero_pedido: 'P-9', id_externo: 'erp-9' },
      pedida_com: '6',
      paradas: shownStops,
    },
  ],
  'scheduled.dispatched': [
    ofScheduled,
    scheduled({ situation: 'dispatched', deliveryId: 7 }),
    'programada.disparada',
    { ...scheduledHead, situacao: 'D', id_mch: '7', paradas: shownStops },
  ],
  'scheduled.cancelled': [
    ofScheduled,
    scheduled({ situation: 'cancelled', previousSituation: 'grouped' }),
    'programada.cancelada',
    { ...scheduledHead, situacao: 'C', situacao_anterior: 'agrupado', paradas: shownStops },
  ],
  'wallet.entry': [
    {},
    { entryId: 87, kind: 'settlement', amountCents: -1250, balanceCents: 5, deliveryId: 7, ...PRIVATE },
    'credito.lancado',
    { empresa_id: '1', registro_id: '87', tipo: 'cobranca', valor: '-12.50', saldo: '0.05', id_mch: '7' },
  ],
  'webhook.test': [
    {},
    { webhookId: 3 },
    'webhook.teste',
    { webhook_id: '3', mensagem: 'Este é um evento de teste.' },
  ],
};

const event = (type: EventType, of: Partial<ToldEvent>, payload: EventPayload): ToldEvent => ({
  type,
  companyId: 1,
  deliveryId: null,
  scheduledId: null,
  sequence: null,
  payload,
  occurredAt: Temporal.Instant.from('2026-11-16T15:00:00.1234Z'),
  timeZone: 'America/Sao_Paulo',
  ...of,
});

for (const [type, [of, payload, name, data]] of Object.entries(told) as [
  EventType,
  (typeof told)[EventType],
][])
  test(`${name} says enough to act on, and nothing more`, () => {
    const body = formatEvent(event(type, of, payload));
    assert.deepEqual(body, { type: name, timestamp: '2026-11-16T15:00:00.123Z', data });
    assertTold(eventSchemas[body.type as keyof typeof eventSchemas], body.data);
  });

for (const [name, example] of Object.entries(eventExamples))
  test(`the reference shows ${name} as it is`, () =>
    assertTold(eventSchemas[name as keyof typeof eventSchemas], example));

/** The schema tells of every field, and of none that is not there. */
function assertTold(schema: TSchema, data: unknown): void {
  assert.ok(Check(schema, data), JSON.stringify(data));
  assert.deepEqual(Clean(schema, Clone(data)), data);
}

test('before anybody has accepted there is no driver', () => {
  const { data } = formatEvent(
    event('delivery.status', ofDelivery, delivery({ status: 'offered', driverId: null, driverName: null })),
  );
  assert.equal(data.condutor, null);
  assert.equal(data.status, 'G');
  assert.equal(data.status_anterior, null);
});

test('one that was grouped names who carries it', () => {
  const grouped = formatEvent(event('delivery.grouped', ofDelivery, delivery({ groupedInto: 9 })));
  assert.equal(grouped.data.agrupada_em, '9');
  assert.deepEqual(grouped.data.entregas_agrupadas, []);
  const change = scheduled({ situation: 'grouped', change: 'grouped', groupedInto: 6 });
  const { data } = formatEvent(event('scheduled.changed', ofScheduled, change));
  assert.partialDeepStrictEqual(data, { situacao: 'agrupado', mudanca: 'agrupada', agrupada_em: '6' });
});

test('a dispatch that failed says why', () => {
  const failed = scheduled({
    situation: 'failed',
    change: 'dispatch_failed',
    failure: 'insufficient-balance',
  });
  const { data } = formatEvent(event('scheduled.changed', ofScheduled, failed));
  assert.partialDeepStrictEqual(data, {
    situacao: 'X',
    mudanca: 'falha_no_disparo',
    falha: 'saldo insuficiente na carteira de créditos da empresa',
  });
  const english = formatEvent(event('scheduled.changed', ofScheduled, failed), 'en');
  assert.equal(english.data.falha, 'insufficient balance in the credit wallet of the company');
});
