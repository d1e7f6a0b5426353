import Type from 'typebox';
import type { DeliveryChange, EventStop } from '../events/event.ts';
import { centsToDecimal } from '../kernel/money.ts';
import { decisionCode, failureReasonCode, paymentCode, statusCode } from './codes.ts';
import {
  deliveryExample,
  deliveryFields,
  deliveryStops,
  driver,
  driverExample,
  eventText,
  formatDelivery,
  formatDeliveryStop,
  formatDriver,
  formatPrice,
  formatRemoval,
  formatStop,
  idOrNull,
  oneOf,
  removedStop,
  removedStopExample,
  stop,
  stopExample,
  text,
} from './eventFields.ts';
import { formatEventProof, ProofLinkSchema, proofLinkExample } from './proof.ts';
import { formatDegrees, nullable } from './values.ts';

const changeName = {
  edited: 'editada',
  stops_edited: 'paradas_editadas',
  dismissed: 'dispensada',
} as const satisfies Record<DeliveryChange, string>;

const isOpenStop = ({ concluded, notDelivered }: EventStop): boolean => !concluded && !notDelivered;

/** The stop as listed in the event; only its order and id if it is no longer there. */
const visitedStop = ({
  stopId,
  order,
  stops,
}: {
  stopId: number;
  order: number;
  stops: readonly EventStop[];
}) =>
  formatStop(
    stops.find(({ id }) => id === stopId) ?? { id: stopId, order, orderNumber: null, externalId: null },
  );

export const deliveryEventTypes = {
  'delivery.status': eventText('delivery.status', {
    name: 'entrega.status',
    label: { pt: 'Uma entrega mudou de status', en: 'The status of a delivery changed' },
    data: Type.Object({
      ...deliveryFields,
      status_anterior: nullable(oneOf(statusCode)),
      chegou_na_coleta: Type.Boolean({
        description: 'este evento é a chegada do entregador ao ponto de coleta',
      }),
      motivo_id: nullable(Type.Integer({ description: 'motivo do cancelamento' })),
      valor_corrida: text('decimal'),
      paradas: deliveryStops,
    }),
    example: {
      ...deliveryExample,
      status_anterior: 'A',
      chegou_na_coleta: false,
      motivo_id: null,
      valor_corrida: '18.40',
      paradas: [{ ...stopExample, concluida: false, nao_entregue: false }],
    },
    format: (event) => ({
      ...formatDelivery(event),
      status_anterior: event.payload.previousStatus ? statusCode[event.payload.previousStatus] : null,
      chegou_na_coleta: event.payload.arrived ?? false,
      motivo_id: event.payload.reasonId ?? null,
      valor_corrida: formatPrice(event.payload),
      paradas: event.payload.stops.map(formatDeliveryStop),
    }),
  }),
  'delivery.stop_arrived': eventText('delivery.stop_arrived', {
    name: 'entrega.parada_chegada',
    label: { pt: 'O entregador chegou a uma parada', en: 'The driver arrived at a stop' },
    data: Type.Object({ ...deliveryFields, parada: stop }),
    example: { ...deliveryExample, parada: stopExample },
    format: (event) => ({ ...formatDelivery(event), parada: visitedStop(event.payload) }),
  }),
  'delivery.stop_concluded': eventText('delivery.stop_concluded', {
    name: 'entrega.parada_concluida',
    label: { pt: 'Uma parada foi concluída', en: 'A stop was concluded' },
    data: Type.Object({
      ...deliveryFields,
      parada: stop,
      paradas_restantes: Type.Integer(),
      sem_codigo_motivo: nullable(
        Type.String({
          description: 'por que um operador a concluiu sem o código do destinatário ou sem comprovante',
        }),
      ),
      valor_recebido: nullable(Type.String({ description: 'decimal; o que o destinatário pagou' })),
      forma_recebimento: nullable(oneOf(paymentCode)),
      comprovantes: Type.Array(ProofLinkSchema, { description: 'os que já tinham chegado' }),
    }),
    example: {
      ...deliveryExample,
      parada: stopExample,
      paradas_restantes: 0,
      sem_codigo_motivo: null,
      valor_recebido: '42.90',
      forma_recebimento: 'D',
      comprovantes: [proofLinkExample],
    },
    format(event) {
      const { stops, withoutCodeReason, receivedCents, receivedPayment } = event.payload;
      return {
        ...formatDelivery(event),
        parada: visitedStop(event.payload),
        paradas_restantes: stops.filter(isOpenStop).length,
        sem_codigo_motivo: withoutCodeReason ?? null,
        valor_recebido: receivedCents === undefined ? null : centsToDecimal(receivedCents),
        forma_recebimento: receivedPayment ? paymentCode[receivedPayment] : null,
        comprovantes: (event.payload.proofs ?? []).map(formatEventProof),
      };
    },
  }),
  'delivery.proof_received': eventText('delivery.proof_received', {
    name: 'entrega.comprovante',
    label: {
      pt: 'O comprovante de uma parada chegou depois dela',
      en: 'The proof of a stop arrived after its end',
    },
    data: Type.Object({ ...deliveryFields, parada: stop, comprovantes: Type.Array(ProofLinkSchema) }),
    example: { ...deliveryExample, parada: stopExample, comprovantes: [proofLinkExample] },
    format(event) {
      const { stopId, order, stops, proofs } = event.payload;
      const proved = stops.find(({ id }) => id === stopId);
      return {
        ...formatDelivery(event),
        parada: formatStop(proved ?? { id: stopId, order, orderNumber: null, externalId: null }),
        comprovantes: proofs.map(formatEventProof),
      };
    },
  }),
  'delivery.stop_failed': eventText('delivery.stop_failed', {
    name: 'entrega.parada_nao_entregue',
    label: { pt: 'Uma tentativa de entrega falhou', en: 'An attempt to deliver failed' },
    data: Type.Object({
      ...deliveryFields,
      parada: stop,
      motivo: oneOf(failureReasonCode),
      tentativa: Type.Integer({ description: 'qual tentativa desta parada, a partir de 1' }),
      decisao: oneOf(decisionCode, 'tentar_depois: a parada segue aberta; as outras a encerram'),
      paradas_restantes: Type.Integer(),
      valor_corrida: text('decimal'),
      comprovantes: Type.Array(ProofLinkSchema, {
        description: 'as imagens desta tentativa que já tinham chegado',
      }),
    }),
    example: {
      ...deliveryExample,
      parada: stopExample,
      motivo: 'ausente',
      tentativa: 2,
      decisao: 'retornar',
      paradas_restantes: 0,
      valor_corrida: '24.30',
      comprovantes: [proofLinkExample],
    },
    format(event) {
      const { reason, attempt, decision, stops, proofs = [] } = event.payload;
      return {
        ...formatDelivery(event),
        parada: visitedStop(event.payload),
        motivo: failureReasonCode[reason],
        tentativa: attempt,
        decisao: decisionCode[decision],
        paradas_restantes: stops.filter(isOpenStop).length,
        valor_corrida: formatPrice(event.payload),
        comprovantes: proofs.map(formatEventProof),
      };
    },
  }),
  'delivery.stop_reopened': eventText('delivery.stop_reopened', {
    name: 'entrega.parada_retomada',
    label: {
      pt: 'Uma parada não entregue voltou à corrida',
      en: 'A stop that had failed was put back into the run',
    },
    data: Type.Object({
      ...deliveryFields,
      parada: stop,
      paradas_restantes: Type.Integer(),
      valor_corrida: text('decimal'),
    }),
    example: { ...deliveryExample, parada: stopExample, paradas_restantes: 1, valor_corrida: '18.40' },
    format: (event) => ({
      ...formatDelivery(event),
      parada: visitedStop(event.payload),
      paradas_restantes: event.payload.stops.filter(isOpenStop).length,
      valor_corrida: formatPrice(event.payload),
    }),
  }),
  'delivery.position': eventText('delivery.position', {
    name: 'entrega.posicao',
    label: {
      pt: 'O entregador de uma entrega mudou de posição',
      en: 'The position of the driver of a delivery changed',
    },
    data: Type.Object({
      id: deliveryFields.id,
      sequencia: Type.Null({ description: 'posições não têm sequência: valem pelo momento' }),
      empresa_id: deliveryFields.empresa_id,
      status: deliveryFields.status,
      condutor: driver,
      lat: text('decimal'),
      lng: text('decimal'),
    }),
    example: {
      id: '1042',
      sequencia: null,
      empresa_id: '1',
      status: 'E',
      condutor: driverExample,
      lat: '-30.0352',
      lng: '-51.2171',
    },
    format: ({ deliveryId, companyId, payload }) => ({
      id: String(deliveryId),
      sequencia: null,
      empresa_id: idOrNull(companyId),
      status: statusCode[payload.status],
      condutor: formatDriver(payload),
      lat: formatDegrees(payload.lat),
      lng: formatDegrees(payload.lng),
    }),
  }),
  'delivery.grouped': eventText('delivery.grouped', {
    name: 'entrega.agrupada',
    label: { pt: 'Outras entregas foram agrupadas nesta', en: 'Other deliveries were grouped into this one' },
    data: Type.Object({
      ...deliveryFields,
      entregas_agrupadas: Type.Array(Type.String()),
      programadas_agrupadas: Type.Array(Type.String()),
      entregas_retiradas: Type.Array(Type.String()),
      valor_corrida: text('decimal'),
      paradas: deliveryStops,
    }),
    example: {
      ...deliveryExample,
      entregas_agrupadas: ['1043'],
      programadas_agrupadas: [],
      entregas_retiradas: [],
      valor_corrida: '26.10',
      paradas: [{ ...stopExample, concluida: true, nao_entregue: false }],
    },
    format: (event) => ({
      ...formatDelivery(event),
      entregas_agrupadas: (event.payload.deliveries ?? []).map(String),
      programadas_agrupadas: (event.payload.scheduled ?? []).map(String),
      entregas_retiradas: (event.payload.left ?? []).map(String),
      valor_corrida: formatPrice(event.payload),
      paradas: event.payload.stops.map(formatDeliveryStop),
    }),
  }),
  'delivery.changed': eventText('delivery.changed', {
    name: 'entrega.alterada',
    label: { pt: 'Uma entrega foi editada ou dispensada', en: 'A delivery was edited or dismissed' },
    data: Type.Object({
      ...deliveryFields,
      mudanca: oneOf(changeName),
      valor_corrida: text('decimal'),
      paradas: deliveryStops,
    }),
    example: {
      ...deliveryExample,
      status: 'A',
      mudanca: 'editada',
      valor_corrida: '19.90',
      paradas: [{ ...stopExample, concluida: false, nao_entregue: false }],
    },
    format: (event) => ({
      ...formatDelivery(event),
      mudanca: changeName[event.payload.change],
      valor_corrida: formatPrice(event.payload),
      paradas: event.payload.stops.map(formatDeliveryStop),
    }),
  }),
  'delivery.driver_changed': eventText('delivery.driver_changed', {
    name: 'entrega.condutor_alterado',
    label: { pt: 'Uma entrega passou para outro entregador', en: 'A delivery passed to another driver' },
    data: Type.Object({
      ...deliveryFields,
      condutor_anterior_id: text('o que já concluiu segue com ele'),
      paradas: deliveryStops,
    }),
    example: {
      ...deliveryExample,
      condutor_anterior_id: '3',
      paradas: [{ ...stopExample, concluida: false, nao_entregue: false }],
    },
    format: (event) => ({
      ...formatDelivery(event),
      condutor_anterior_id: String(event.payload.previousDriverId),
      paradas: event.payload.stops.map(formatDeliveryStop),
    }),
  }),
  'delivery.stop_removed': eventText('delivery.stop_removed', {
    name: 'entrega.parada_removida',
    label: { pt: 'Uma parada saiu de uma entrega', en: 'A stop was removed from a delivery' },
    data: Type.Object({
      ...deliveryFields,
      parada: removedStop,
      pedida_com: text('a entrega com que a parada foi pedida'),
      valor_corrida: text('decimal'),
      paradas: deliveryStops,
    }),
    example: {
      ...deliveryExample,
      parada: removedStopExample,
      pedida_com: '1042',
      valor_corrida: '14.20',
      paradas: [{ ...stopExample, concluida: false, nao_entregue: false }],
    },
    format: (event) => ({
      ...formatDelivery(event),
      ...formatRemoval(event.payload),
      valor_corrida: formatPrice(event.payload),
      paradas: event.payload.stops.map(formatDeliveryStop),
    }),
  }),
};
