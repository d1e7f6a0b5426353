import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { findDeliveryDetail } from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import { listOffers, type OfferMade } from '../../../deliveries/deliveries/offerStore.ts';
import { listHistory, type PastEvent } from '../../../events/record/historyStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fullStatusCode, offerStateCode, refusalReasonCode } from '../../json/codes.ts';
import { formatEvent } from '../../json/eventTypes.ts';
import { dataAnswer, longPageFields, parseLongPage } from '../../json/values.ts';
import { code, instant, one, text, view } from '../../json/view.ts';
import { named } from '../wire/commonFields.ts';
import { authorField, authorText, formatAuthor } from '../wire/fields.ts';

const offer = view<OfferMade>()({
  condutor: one(named, ({ driverId, driverName }) => ({ id: driverId, name: driverName }), {
    example: { id: '1', nome: 'João Silva' },
  }),
  estado: code(offerStateCode)((each) => each.state, 'aceita'),
  oferecida_em: instant((each) => each.offeredAt, '2026-11-16T15:01:50Z'),
  expira_em: instant.orNull((each) => each.expiresAt, '2026-11-16T15:02:20Z'),
  encerrada_em: instant.orNull((each) => each.closedAt, '2026-11-16T15:02:10Z'),
  motivo_recusa: code(refusalReasonCode, 'se o entregador o informou').orNull(
    (each) => each.refusalReason,
    null,
  ),
  observacao_recusa: text.orNull((each) => each.refusalNote, null),
});

export const getHistoryEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/historico',
  tag: 'Operação: ao vivo',
  summary: 'Ler a história de uma entrega',
  description: [
    'Os eventos da entrega e da programada de que veio, em ordem, como nos webhooks mas com L e S distinguidos de P e A; e, para a central, a quem foi oferecida. Eventos mais antigos que o prazo da central já não existem.',
    'Até 100 eventos e 100 ofertas por página; uma página com menos do que `limite` de ambos é a última.',
    authorText,
  ].join('\n\n'),
  permission: 'watch',
  limit: 'operations',
  refusals: ['delivery-not-found'],
  query: Type.Object(longPageFields),
  answer: dataAnswer(
    Type.Object({
      eventos: Type.Array(
        Type.Object({
          id: Type.String(),
          type: Type.String(),
          timestamp: Type.String({ description: 'quando aconteceu' }),
          registrado_em: Type.String({
            description: 'quando o serviço soube: depois, se o telefone do entregador estava sem rede',
          }),
          ...authorField,
          data: Type.Object({}, { additionalProperties: true }),
        }),
      ),
      ofertas: Type.Array(offer.schema),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      eventos: [
        {
          id: '0b9f4c3e-5a0c-4f0c-9a55-5d7f3c8f1c11',
          type: 'entrega.status',
          timestamp: '2026-11-16T15:02:10.000Z',
          registrado_em: '2026-11-16T15:02:10.000Z',
          autor: { nome: 'João Silva', perfil: 'condutor' },
          data: {
            id: '1042',
            sequencia: 3,
            status: 'A',
            status_anterior: 'G',
            condutor: { id: '1', nome: 'João Silva' },
          },
        },
      ],
      ofertas: [offer.example],
    },
  },
  async handle({ deps: { db }, caller, params, query, publicUrl }) {
    const { id, scheduledId } = await findDeliveryDetail(db, caller, params.id!);
    const page = parseLongPage(query);
    const events = await listHistory(db, caller.centralId, id, scheduledId, page);
    // Only the central sees which drivers got offers and refused.
    const offers = caller.companyId === null ? await listOffers(db, caller.centralId, id, page) : [];
    return {
      data: {
        eventos: events.map((event) => formatPast(event, caller, publicUrl)),
        ofertas: offers.map((each) => offer.show(each, undefined)),
      },
    };
  },
});

function formatPast(event: PastEvent, reader: Caller, publicUrl: string) {
  const zoned = { ...event, timeZone: reader.central.timeZone };
  const { type, timestamp, data } = formatEvent(zoned, { publicUrl });
  const status = 'status' in event.payload ? event.payload.status : null;
  const previousStatus = event.type === 'delivery.status' ? event.payload.previousStatus : null;
  return {
    id: event.uid,
    type,
    timestamp,
    registrado_em: event.occurredAt.toString({ smallestUnit: 'millisecond' }),
    ...formatAuthor(event, reader),
    data: {
      ...data,
      ...(status && { status: fullStatusCode[status] }),
      ...(previousStatus && { status_anterior: fullStatusCode[previousStatus] }),
    },
  };
}
