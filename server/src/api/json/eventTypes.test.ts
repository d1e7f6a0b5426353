import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Clean, Clone } from 'typebox/value';
import type { DeliveryFacts, EventType, RecordedEvent, ScheduledFacts } from '../../events/record/event.ts';
import type { ZonedEvent } from './eventFields.ts';
import { type EventBody, eventTypes, formatEvent } from './eventTypes.ts';

const stops = [
  { id: 11, order: 0, orderNumber: 'P-1', externalId: 'erp-1', concluded: true },
  { id: 12, order: 1, orderNumber: null, externalId: null, concluded: false },
];
const shownStops = [
  { id: '11', ordem: 0, numero_pedido: 'P-1', id_externo: 'erp-1' },
  { id: '12', ordem: 1, numero_pedido: '', id_externo: null },
];
const shownDeliveryStops = [
  { ...shownStops[0], concluida: true, nao_entregue: false },
  { ...shownStops[1], concluida: false, nao_entregue: false },
];
type Head = Partial<Pick<RecordedEvent, 'deliveryId' | 'scheduledId' | 'sequence'>>;
const ofDelivery: Head = { deliveryId: 7, sequence: 3 };
const ofScheduled: Head = { scheduledId: 5, sequence: 2 };

/** Data that no event may contain, even if a command recorded it. */
const PRIVATE = { recipientName: 'Ana', cpf: '52998224725', phone: '51999990000', offeredTo: 9 };

const delivery = <const More extends object>(
  more: More,
): Omit<Required<DeliveryFacts>, keyof More> & More => ({
  status: 'in_progress',
  driverId: 4,
  driverName: 'João',
  netCents: 1250,
  scheduledId: 5,
  groupedInto: null,
  ownKey: 'PED-7',
  stops,
  ...PRIVATE,
  ...more,
});
/** Without an external id, which no event then shows. */
const scheduled = <const More extends object>(
  more: More,
): Omit<ScheduledFacts, keyof More | 'ownKey'> & More => ({
  situation: 'awaiting',
  dispatchAt: '2026-11-17T02:30:00+00:00',
  netCents: 990,
  deliveryId: null,
  groupedInto: null,
  stops,
  ...PRIVATE,
  ...more,
});
const deliveryHead = {
  id: '7',
  sequencia: 3,
  empresa_id: '1',
  id_mch_programada: '5',
  agrupada_em: null,
  status: 'E',
  condutor: { id: '4', nome: 'João' },
  id_externo: 'PED-7',
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

/** For each type: its subject, the recorded payload, and the complete data sent. */
const expected: {
  [Type in EventType]: [
    of: Head,
    payload: RecordedEvent<Type>['payload'],
    name: string,
    data: EventBody['data'],
  ];
} = {
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
  'delivery.stop_arrived': [
    ofDelivery,
    delivery({ stopId: 12, order: 1, carriedBy: 7 }),
    'entrega.parada_chegada',
    { ...deliveryHead, parada: shownStops[1] },
  ],
  'delivery.stop_concluded': [
    ofDelivery,
    delivery({ stopId: 11, order: 0, carriedBy: 7 }),
    'entrega.parada_concluida',
    {
      ...deliveryHead,
      parada: shownStops[0],
      paradas_restantes: 1,
      sem_codigo_motivo: null,
      valor_recebido: null,
      forma_recebimento: null,
      valor_recebido_motivo: null,
      comprovantes: [],
    },
  ],
  'delivery.proof_received': [
    ofDelivery,
    delivery({
      stopId: 11,
      order: 0,
      carriedBy: 7,
      proofs: [{ kind: 'photo', token: '1.x', expiresAt: '2026-11-23T16:00:00Z' }],
    }),
    'entrega.comprovante',
    {
      ...deliveryHead,
      parada: shownStops[0],
      comprovantes: [
        { tipo: 'foto', url: 'https://m.example/comprovantes/1.x', expira_em: '2026-11-23T16:00:00Z' },
      ],
    },
  ],
  'delivery.stop_failed': [
    ofDelivery,
    delivery({
      stopId: 12,
      order: 1,
      carriedBy: 7,
      reason: 'absent',
      attempt: 2,
      decision: 'return',
      proofs: [{ kind: 'photo', token: '1.x', expiresAt: '2026-11-23T16:00:00Z' }],
    }),
    'entrega.parada_nao_entregue',
    {
      ...deliveryHead,
      parada: shownStops[1],
      motivo: 'ausente',
      tentativa: 2,
      decisao: 'retornar',
      paradas_restantes: 1,
      valor_corrida: '12.50',
      comprovantes: [
        { tipo: 'foto', url: 'https://m.example/comprovantes/1.x', expira_em: '2026-11-23T16:00:00Z' },
      ],
    },
  ],
  'delivery.stop_reopened': [
    ofDelivery,
    delivery({ stopId: 12, order: 1, carriedBy: 7 }),
    'entrega.parada_retomada',
    { ...deliveryHead, parada: shownStops[1], paradas_restantes: 1, valor_corrida: '12.50' },
  ],
  'delivery.driver_changed': [
    ofDelivery,
    delivery({ previousDriverId: 3 }),
    'entrega.condutor_alterado',
    { ...deliveryHead, condutor_anterior_id: '3', paradas: shownDeliveryStops },
  ],
  'driver.availability': [
    { sequence: 3 },
    { driverId: 4, driverName: 'João', available: true, ...PRIVATE },
    'condutor.disponibilidade',
    { condutor: { id: '4', nome: 'João' }, sequencia: 3, disponivel: true },
  ],
  'driver.help': [
    { sequence: 4 },
    { driverId: 4, driverName: 'João', deliveryId: 7, ...PRIVATE },
    'condutor.ajuda',
    { condutor: { id: '4', nome: 'João' }, sequencia: 4, id_mch: '7' },
  ],
  'driver.entry': [
    { sequence: 9 },
    {
      driverId: 4,
      driverName: 'João',
      entryId: 21,
      kind: 'collected',
      amountCents: -4290,
      deliveryId: 7,
      reversesId: null,
      balanceCents: -1290,
      cashCents: 4290,
      ...PRIVATE,
    },
    'condutor.lancamento',
    {
      condutor: { id: '4', nome: 'João' },
      numero: 9,
      registro_id: '21',
      tipo: 'dinheiro_recebido',
      valor: '-42.90',
      saldo: '-12.90',
      dinheiro_a_entregar: '42.90',
      id_mch: '7',
    },
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

const event = <Type extends EventType>(
  type: Type,
  of: Head,
  payload: RecordedEvent<Type>['payload'],
): ZonedEvent<Type> =>
  ({
    type,
    companyId: 1,
    deliveryId: null,
    scheduledId: null,
    sequence: null,
    payload,
    occurredAt: Temporal.Instant.from('2026-11-16T15:00:00.1234Z'),
    timeZone: 'America/Sao_Paulo',
    ...of,
  }) as unknown as ZonedEvent<Type>;

const READER = { publicUrl: 'https://m.example' };

for (const type of Object.keys(expected) as EventType[]) {
  const [of, payload, name, data] = expected[type];
  test(`${name} contains what a reader needs to act on it, and nothing more`, () => {
    const body = formatEvent(event(type, of, payload), READER);
    assert.deepEqual(body, { type: name, timestamp: '2026-11-16T15:00:00.123Z', data });
    assertDescribed(eventTypes[type].data, body.data);
  });
}

for (const { name, data, example } of Object.values(eventTypes))
  test(`the example of ${name} matches its schema`, () => assertDescribed(data, example));

test('each event type has a label in Portuguese and in English', () => {
  for (const { label } of Object.values(eventTypes)) assert.ok(label.pt && label.en && label.pt !== label.en);
});

/** The schema has every field of the data, and no other. */
function assertDescribed(schema: TSchema, data: unknown): void {
  assert.ok(Check(schema, data), JSON.stringify(data));
  assert.deepEqual(Clean(schema, Clone(data)), data);
}

test('an event has no driver before a driver has accepted', () => {
  const { data } = formatEvent(
    event('delivery.status', ofDelivery, delivery({ status: 'offered', driverId: null, driverName: null })),
    READER,
  );
  assert.equal(data.condutor, null);
  assert.equal(data.status, 'G');
  assert.equal(data.status_anterior, null);
});

test('an event of a grouped delivery names the delivery that carries it', () => {
  const grouped = formatEvent(event('delivery.grouped', ofDelivery, delivery({ groupedInto: 9 })), READER);
  assert.equal(grouped.data.agrupada_em, '9');
  assert.deepEqual(grouped.data.entregas_agrupadas, []);
  const change = scheduled({ situation: 'grouped', change: 'grouped', groupedInto: 6 });
  const { data } = formatEvent(event('scheduled.changed', ofScheduled, change), READER);
  assert.partialDeepStrictEqual(data, { situacao: 'agrupado', mudanca: 'agrupada', agrupada_em: '6' });
});

test('the event of a failed dispatch says why it failed', () => {
  const failed = scheduled({
    situation: 'failed',
    change: 'dispatch_failed',
    failure: 'insufficient-balance',
  });
  const { data } = formatEvent(event('scheduled.changed', ofScheduled, failed), READER);
  assert.partialDeepStrictEqual(data, {
    situacao: 'X',
    mudanca: 'falha_no_disparo',
    falha: 'saldo insuficiente na carteira de créditos da empresa',
  });
  const english = formatEvent(event('scheduled.changed', ofScheduled, failed), { ...READER, language: 'en' });
  assert.equal(english.data.falha, 'insufficient balance in the credit wallet of the company');
});

test('the link of an event that an earlier version stored leads to the address that its reader uses', () => {
  const proofs = [
    { kind: 'photo', url: 'http://evil.example/comprovantes/1.x', expiresAt: '2026-11-23T16:00:00Z' },
  ] as const;
  const stored = delivery({ stopId: 8, order: 0, carriedBy: 5, driverId: 1, stops: [], proofs });
  const { data } = formatEvent(event('delivery.proof_received', ofDelivery, stored), READER);
  assert.partialDeepStrictEqual(data, { comprovantes: [{ url: 'https://m.example/comprovantes/1.x' }] });
});
