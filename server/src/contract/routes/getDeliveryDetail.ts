import { findSheet } from '../../deliveries/deliverySheetStore.ts';
import { listHistory } from '../../events/historyStore.ts';
import { route } from '../../http/route.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../kernel/retryOnConflict.ts';
import { readTracking } from '../../tracking/readTracking.ts';
import { findDeliveryDocument } from '../deliveryJsonStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { DeliveryDetailSchema, deliveryDetailExample, formatDeliveryDetail } from '../wire/deliveryDetail.ts';

/** More than any delivery of a day has. */
const EVENTS_MAX = 500;
const firstEvents = { limit: EVENTS_MAX, offset: 0 };

/** Completions: one delivery with all that an integrator may know of it. */
export const getDeliveryDetailRoute = route({
  method: 'GET',
  path: '/entregas/:id/detalhes',
  operation: 'obterDetalhesEntrega',
  tag: 'Entregas',
  summary: 'Ler os detalhes de uma entrega',
  description:
    'Os campos da consulta (2.1) e ainda: quem recebe em cada parada, quando foi concluída, o link de rastreio e o ' +
    'código de confirmação (gerado como em links-rastreio), e os eventos da entrega e da programada de que veio (até ' +
    `${EVENTS_MAX}). De ` +
    'uma entrega agrupada em outra, as paradas são as pedidas com ela.',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(DeliveryDetailSchema),
  answerExample: { success: true, data: deliveryDetailExample },
  async handle({ needs, caller, params, language, publicUrl }) {
    const id = params.id!;
    const { centralId, central } = caller;
    const detail = await retryOnConflict(async () => {
      const tracked = await readTracking(needs, caller, id);
      // One moment for all of it: what is read later must not tell of a change that the rest does not know.
      const read = await needs.db.beginAside(async (tx) => {
        await tx`set transaction isolation level repeatable read read only`;
        const document = await findDeliveryDocument(tx, caller, central.timeZone, id);
        if (document === undefined) throw new Refusal('delivery-not-found');
        const sheet = await findSheet(tx, caller, id);
        const events = await listHistory(tx, centralId, id, sheet.scheduledId, firstEvents);
        return { document, sheet, events };
      });
      const known = new Set(tracked.map((stop) => stop.id));
      if (!read.sheet.stops.every((stop) => known.has(stop.id))) throw new ChangedMeanwhile();
      return { ...read, tracked };
    });
    return { data: formatDeliveryDetail(detail, { timeZone: central.timeZone, language, publicUrl }) };
  },
});
