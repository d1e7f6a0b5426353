import Type from 'typebox';
import type { DeliveryChange, EventProof, EventStop } from '../../events/record/event.ts';
import { decisionCode, failureReasonCode, paymentCode, statusCode } from './codes.ts';
import {
  companyField,
  deliveryFields,
  deliveryId,
  deliveryStatus,
  deliveryStops,
  driverField,
  eventText,
  listedId,
  ownKeyField,
  priceField,
  removalFields,
  visitedStop,
} from './eventFields.ts';
import { proofLink } from './proofJson.ts';
import { formatDegrees } from './values.ts';
import { cents, code, flag, id, integer, list, text } from './view.ts';

const changeName = {
  edited: 'editada',
  stops_edited: 'paradas_editadas',
  dismissed: 'dispensada',
} as const satisfies Record<DeliveryChange, string>;

const openStops = (example: number) =>
  integer(
    ({ payload: { stops } }: { payload: { stops: readonly EventStop[] } }) =>
      stops.filter(({ concluded, notDelivered }) => !concluded && !notDelivered).length,
    example,
  );

const proofs = (description?: string) =>
  list(
    proofLink,
    ({ payload }: { payload: { proofs?: readonly EventProof[] } }) => payload.proofs ?? [],
    description === undefined ? {} : { description },
  );

export const deliveryEventTypes = {
  'delivery.status': eventText('delivery.status', {
    name: 'entrega.status',
    label: { pt: 'Uma entrega mudou de status', en: 'The status of a delivery changed' },
  })({
    ...deliveryFields,
    status_anterior: code(statusCode).orNull(({ payload }) => payload.previousStatus, 'A'),
    chegou_na_coleta: flag(
      ({ payload }) => payload.arrived ?? false,
      false,
      'este evento é a chegada do entregador ao ponto de coleta',
    ),
    motivo_id: integer.orNull(({ payload }) => payload.reasonId, null, 'motivo do cancelamento'),
    valor_corrida: priceField('18.40'),
    paradas: deliveryStops,
  }),
  'delivery.stop_arrived': eventText('delivery.stop_arrived', {
    name: 'entrega.parada_chegada',
    label: { pt: 'O entregador chegou a uma parada', en: 'The driver arrived at a stop' },
  })({ ...deliveryFields, parada: visitedStop }),
  'delivery.stop_concluded': eventText('delivery.stop_concluded', {
    name: 'entrega.parada_concluida',
    label: { pt: 'Uma parada foi concluída', en: 'A stop was concluded' },
  })({
    ...deliveryFields,
    parada: visitedStop,
    paradas_restantes: openStops(0),
    sem_codigo_motivo: text.orNull(
      ({ payload }) => payload.withoutCodeReason,
      null,
      'por que um operador a concluiu sem o código do destinatário ou sem comprovante',
    ),
    valor_recebido: cents.orNull(
      ({ payload }) => payload.receivedCents,
      '42.90',
      'decimal; o que o destinatário pagou',
    ),
    forma_recebimento: code(paymentCode).orNull(({ payload }) => payload.receivedPayment, 'D'),
    valor_recebido_motivo: text.orNull(
      ({ payload }) => payload.receivedReason,
      null,
      'por que um operador registrou mais do que a parada cobra',
    ),
    comprovantes: proofs('os que já tinham chegado'),
  }),
  'delivery.proof_received': eventText('delivery.proof_received', {
    name: 'entrega.comprovante',
    label: {
      pt: 'O comprovante de uma parada chegou depois dela',
      en: 'The proof of a stop arrived after its end',
    },
  })({ ...deliveryFields, parada: visitedStop, comprovantes: proofs() }),
  'delivery.stop_failed': eventText('delivery.stop_failed', {
    name: 'entrega.parada_nao_entregue',
    label: { pt: 'Uma tentativa de entrega falhou', en: 'An attempt to deliver failed' },
  })({
    ...deliveryFields,
    parada: visitedStop,
    motivo: code(failureReasonCode)(({ payload }) => payload.reason, 'ausente'),
    tentativa: integer(({ payload }) => payload.attempt, 2, 'qual tentativa desta parada, a partir de 1'),
    decisao: code(decisionCode)(
      ({ payload }) => payload.decision,
      'retornar',
      'tentar_depois: a parada segue aberta; as outras a encerram',
    ),
    paradas_restantes: openStops(0),
    valor_corrida: priceField('24.30'),
    comprovantes: proofs('as imagens desta tentativa que já tinham chegado'),
  }),
  'delivery.stop_reopened': eventText('delivery.stop_reopened', {
    name: 'entrega.parada_retomada',
    label: {
      pt: 'Uma parada não entregue voltou à corrida',
      en: 'A stop that had failed was put back into the run',
    },
  })({
    ...deliveryFields,
    parada: visitedStop,
    paradas_restantes: openStops(1),
    valor_corrida: priceField('18.40'),
  }),
  'delivery.position': eventText('delivery.position', {
    name: 'entrega.posicao',
    label: {
      pt: 'O entregador de uma entrega mudou de posição',
      en: 'The position of the driver of a delivery changed',
    },
  })({
    id: deliveryId,
    sequencia: {
      schema: Type.Null({ description: 'posições não têm sequência: valem pelo momento' }),
      example: null,
      show: () => null,
    },
    empresa_id: companyField,
    status: deliveryStatus,
    condutor: driverField,
    id_externo: ownKeyField,
    lat: text(({ payload }) => formatDegrees(payload.lat), '-30.0352', 'decimal'),
    lng: text(({ payload }) => formatDegrees(payload.lng), '-51.2171', 'decimal'),
  }),
  'delivery.grouped': eventText('delivery.grouped', {
    name: 'entrega.agrupada',
    label: { pt: 'Outras entregas foram agrupadas nesta', en: 'Other deliveries were grouped into this one' },
  })(
    {
      ...deliveryFields,
      entregas_agrupadas: list(listedId, ({ payload }) => payload.deliveries ?? []),
      programadas_agrupadas: list(listedId, ({ payload }) => payload.scheduled ?? [], { example: [] }),
      entregas_retiradas: list(listedId, ({ payload }) => payload.left ?? [], { example: [] }),
      valor_corrida: priceField('26.10'),
      paradas: deliveryStops,
    },
    { paradas: deliveryStops.example.map((stop) => ({ ...stop, concluida: true })) },
  ),
  'delivery.changed': eventText('delivery.changed', {
    name: 'entrega.alterada',
    label: { pt: 'Uma entrega foi editada ou dispensada', en: 'A delivery was edited or dismissed' },
  })(
    {
      ...deliveryFields,
      mudanca: code(changeName)(({ payload }) => payload.change, 'editada'),
      valor_corrida: priceField('19.90'),
      paradas: deliveryStops,
    },
    { status: 'A' },
  ),
  'delivery.driver_changed': eventText('delivery.driver_changed', {
    name: 'entrega.condutor_alterado',
    label: { pt: 'Uma entrega passou para outro entregador', en: 'A delivery passed to another driver' },
  })({
    ...deliveryFields,
    condutor_anterior_id: id(
      ({ payload }) => payload.previousDriverId,
      '3',
      'o que já concluiu segue com ele',
    ),
    paradas: deliveryStops,
  }),
  'delivery.stop_removed': eventText('delivery.stop_removed', {
    name: 'entrega.parada_removida',
    label: { pt: 'Uma parada saiu de uma entrega', en: 'A stop was removed from a delivery' },
  })({
    ...deliveryFields,
    ...removalFields({ example: '1042', description: 'a entrega com que a parada foi pedida' }),
    valor_corrida: priceField('14.20'),
    paradas: deliveryStops,
  }),
};
