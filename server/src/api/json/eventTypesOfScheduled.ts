import type { ScheduledChange } from '../../events/record/event.ts';
import { situationCode } from './codes.ts';
import { eventText, listedId, removalFields, scheduledFields, scheduledStops } from './eventFields.ts';
import { describeDispatchFailure } from './scheduledJson.ts';
import { code, list, text } from './view.ts';

const changeName = {
  created: 'criada',
  edited: 'editada',
  grouped: 'agrupada',
  stops_joined: 'paradas_recebidas',
  stops_left: 'paradas_retiradas',
  let_go: 'separada',
  dispatch_failed: 'falha_no_disparo',
} as const satisfies Record<ScheduledChange, string>;

export const scheduledEventTypes = {
  'scheduled.changed': eventText('scheduled.changed', {
    name: 'programada.alterada',
    label: { pt: 'Uma entrega programada foi alterada', en: 'A scheduled delivery was changed' },
  })({
    ...scheduledFields,
    mudanca: code(changeName)(({ payload }) => payload.change, 'editada'),
    programadas_agrupadas: list(listedId, ({ payload }) => payload.grouped ?? [], { example: [] }),
    falha: text.orNull(
      ({ payload: { failure } }, { language }) => failure && describeDispatchFailure(failure, language),
      null,
      'por que o disparo falhou, em palavras',
    ),
    paradas: scheduledStops,
  }),
  'scheduled.stop_removed': eventText('scheduled.stop_removed', {
    name: 'programada.parada_removida',
    label: {
      pt: 'Uma parada saiu de uma entrega programada',
      en: 'A stop was removed from a scheduled delivery',
    },
  })({
    ...scheduledFields,
    ...removalFields({ example: '312', description: 'a programada com que a parada foi pedida' }),
    paradas: scheduledStops,
  }),
  'scheduled.dispatched': eventText('scheduled.dispatched', {
    name: 'programada.disparada',
    label: { pt: 'Uma entrega programada foi disparada', en: 'A scheduled delivery was dispatched' },
  })({ ...scheduledFields, paradas: scheduledStops }, { situacao: 'D', id_mch: '1042' }),
  'scheduled.cancelled': eventText('scheduled.cancelled', {
    name: 'programada.cancelada',
    label: { pt: 'Uma entrega programada foi cancelada', en: 'A scheduled delivery was cancelled' },
  })(
    {
      ...scheduledFields,
      situacao_anterior: code(situationCode).orNull(({ payload }) => payload.previousSituation, 'A'),
      paradas: scheduledStops,
    },
    { situacao: 'C' },
  ),
};
