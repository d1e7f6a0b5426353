import Type from 'typebox';
import type { ScheduledChange } from '../events/event.ts';
import { situationCode } from './codes.ts';
import {
  eventText,
  formatRemoval,
  formatScheduled,
  formatStop,
  oneOf,
  removedStop,
  removedStopExample,
  scheduledExample,
  scheduledFields,
  stopExample,
  stops,
  text,
} from './eventFields.ts';
import { describeDispatchFailure } from './scheduledJson.ts';
import { nullable } from './values.ts';

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
    data: Type.Object({
      ...scheduledFields,
      mudanca: oneOf(changeName),
      programadas_agrupadas: Type.Array(Type.String()),
      falha: nullable(Type.String({ description: 'por que o disparo falhou, em palavras' })),
      paradas: stops,
    }),
    example: {
      ...scheduledExample,
      mudanca: 'editada',
      programadas_agrupadas: [],
      falha: null,
      paradas: [stopExample],
    },
    format(event, language) {
      const { change, grouped, failure } = event.payload;
      return {
        ...formatScheduled(event),
        mudanca: changeName[change],
        programadas_agrupadas: (grouped ?? []).map(String),
        falha: failure ? describeDispatchFailure(failure, language) : null,
        paradas: event.payload.stops.map(formatStop),
      };
    },
  }),
  'scheduled.stop_removed': eventText('scheduled.stop_removed', {
    name: 'programada.parada_removida',
    label: {
      pt: 'Uma parada saiu de uma entrega programada',
      en: 'A stop was removed from a scheduled delivery',
    },
    data: Type.Object({
      ...scheduledFields,
      parada: removedStop,
      pedida_com: text('a programada com que a parada foi pedida'),
      paradas: stops,
    }),
    example: { ...scheduledExample, parada: removedStopExample, pedida_com: '312', paradas: [stopExample] },
    format: (event) => ({
      ...formatScheduled(event),
      ...formatRemoval(event.payload),
      paradas: event.payload.stops.map(formatStop),
    }),
  }),
  'scheduled.dispatched': eventText('scheduled.dispatched', {
    name: 'programada.disparada',
    label: { pt: 'Uma entrega programada foi disparada', en: 'A scheduled delivery was dispatched' },
    data: Type.Object({ ...scheduledFields, paradas: stops }),
    example: { ...scheduledExample, situacao: 'D', id_mch: '1042', paradas: [stopExample] },
    format: (event) => ({ ...formatScheduled(event), paradas: event.payload.stops.map(formatStop) }),
  }),
  'scheduled.cancelled': eventText('scheduled.cancelled', {
    name: 'programada.cancelada',
    label: { pt: 'Uma entrega programada foi cancelada', en: 'A scheduled delivery was cancelled' },
    data: Type.Object({
      ...scheduledFields,
      situacao_anterior: nullable(oneOf(situationCode)),
      paradas: stops,
    }),
    example: { ...scheduledExample, situacao: 'C', situacao_anterior: 'A', paradas: [stopExample] },
    format: (event) => ({
      ...formatScheduled(event),
      situacao_anterior: event.payload.previousSituation
        ? situationCode[event.payload.previousSituation]
        : null,
      paradas: event.payload.stops.map(formatStop),
    }),
  }),
};
