import Type from 'typebox';
import { type GroupPreview, previewGroup } from '../../../dispatch/grouping/previewGroup.ts';
import { listMerges } from '../../../dispatch/rounds/mergeStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import {
  alsoGroupedDeliveries,
  alsoGroupedScheduled,
  groupedScheduled,
  mixedGroupingRefusals,
  scheduledGroupingRefusals,
} from '../../integration/endpoints/grouping.ts';
import { answerWith, answerWithList, formatUtc, pageFields, parsePage } from '../../json/values.ts';
import {
  flag,
  id,
  instant,
  integer,
  kind,
  lastInExample,
  list,
  number,
  one,
  text,
  view,
} from '../../json/view.ts';
import { position, type Trip, tripFields } from '../wire/commonFields.ts';

interface Side extends Trip {
  trips: number;
  stops: number;
}
const side = view<Side>()({
  viagens: integer((each) => each.trips, 2),
  paradas: integer((each) => each.stops, 2),
  ...tripFields({ minutos: 39, km: 14.21, valor: '47.70' }),
});

const line = kind(
  () =>
    Type.Object(
      {
        type: Type.Literal('LineString'),
        coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
      },
      { description: 'GeoJSON do caminho conjunto; nulo quando não pôde ser desenhado' },
    ),
  (coordinates: number[][]) => ({ type: 'LineString' as const, coordinates }),
);

/** Before: the sum of the separate plans, each from the pickup over its stops. After: the joint plan. */
const jointTripFields = {
  antes: one(side, ({ grouper, others, stops }: GroupPreview) => {
    const apart = [grouper, ...others].map(({ request }) => request);
    const sum = (of: 'plannedMetres' | 'plannedSeconds' | 'netCents') =>
      apart.reduce((total, each) => total + each[of], 0);
    return {
      trips: apart.length,
      stops: stops.length,
      plannedMetres: sum('plannedMetres'),
      plannedSeconds: sum('plannedSeconds'),
      netCents: sum('netCents'),
    };
  }),
  depois: one(
    side,
    ({ estimate, stops }: GroupPreview) => ({
      trips: 1,
      stops: stops.length,
      plannedMetres: estimate.metres,
      plannedSeconds: estimate.seconds,
      netCents: estimate.netCents,
    }),
    { example: { viagens: 1, paradas: 2, minutos: 22, km: 8.06, valor: '29.35' } },
  ),
  coleta: one(position, ({ grouper }: GroupPreview) => grouper.request.pickup.position),
  com_retorno: flag((preview: GroupPreview) => preview.returning, false),
  trajeto: line.orNull((preview: GroupPreview) => preview.geometry, {
    type: 'LineString',
    coordinates: [
      [-51.2303, -30.0305],
      [-51.2287, -30.0277],
      [-51.2158, -30.0489],
    ],
  }),
};

type PreviewedStop = GroupPreview['stops'][number] & { order: number };
const stopFields = {
  id: id((stop: PreviewedStop) => stop.id, '902'),
  ordem: integer((stop: PreviewedStop) => stop.order, 0),
  lat: number((stop: PreviewedStop) => stop.position.lat, -30.0277),
  lng: number((stop: PreviewedStop) => stop.position.lng, -51.2287),
};
const stopsOf = ({ stops }: GroupPreview): PreviewedStop[] =>
  stops.map((stop, order) => ({ ...stop, order }));

const scheduledStop = view<PreviewedStop>()({
  ...stopFields,
  id_mch_programada: id((stop) => stop.comesFrom.id, '312', 'a programada que hoje leva a parada'),
});
const groupPreview = lastInExample(
  view<GroupPreview>()({
    id_mch_programada: id((preview) => preview.grouper.request.id, '311', 'a agrupadora, que mantém o id'),
    disparo_em: instant(
      ({ grouper }) => {
        if (grouper.noun !== 'scheduled')
          throw new Error('a scheduled delivery is grouped into a scheduled one');
        return grouper.request.dispatchAt;
      },
      '2026-11-16T16:00:00Z',
      'ISO 8601 em UTC; o disparo da agrupadora',
    ),
    ...jointTripFields,
    paradas: list(scheduledStop, stopsOf, {
      example: [
        { id: '902', ordem: 0, id_mch_programada: '312', lat: -30.0277, lng: -51.2287 },
        { id: '901', ordem: 1, id_mch_programada: '311', lat: -30.0489, lng: -51.2158 },
      ],
    }),
  }),
  'coleta',
  'com_retorno',
  'trajeto',
);

const mixedStop = view<PreviewedStop>()({
  ...stopFields,
  concluida: flag((stop) => stop.concludedAt !== null, false),
  id_mch: id.orNull(
    ({ comesFrom }) => (comesFrom.noun === 'delivery' ? comesFrom.id : null),
    null,
    'a entrega que hoje leva a parada',
  ),
  id_mch_programada: id.orNull(
    ({ comesFrom }) => (comesFrom.noun === 'scheduled' ? comesFrom.id : null),
    '311',
    'ou a programada que a leva',
  ),
});
const deliveryGroupPreview = lastInExample(
  view<GroupPreview>()({
    id_mch: id((preview) => preview.grouper.request.id, '1042', 'a agrupadora, que mantém o id'),
    ...jointTripFields,
    paradas: list(mixedStop, stopsOf, {
      example: [
        {
          id: '802',
          ordem: 0,
          concluida: true,
          id_mch: '1042',
          id_mch_programada: null,
          lat: -30.0277,
          lng: -51.2287,
        },
        {
          id: '901',
          ordem: 1,
          concluida: false,
          id_mch: null,
          id_mch_programada: '311',
          lat: -30.0489,
          lng: -51.2158,
        },
      ],
    }),
  }),
  'paradas',
  'coleta',
  'com_retorno',
  'trajeto',
  'id_mch',
);

type Merge = Awaited<ReturnType<typeof listMerges>>[number];
const merge = view<Merge>()({
  id_mch_programada: id((each) => each.grouperId, '311'),
  empresa_id: id((each) => each.companyId, '1'),
  pedidos: integer((each) => each.orders, 3),
  paradas: integer((each) => each.stops, 3),
  antes: one(view<Trip>()(tripFields({ minutos: 58, km: 22.4, valor: '74.10' })), (each) => ({
    plannedMetres: each.metresBefore,
    plannedSeconds: each.secondsBefore,
    netCents: each.netCentsBefore,
  })),
  depois: one(view<Trip>()(tripFields({ minutos: 31, km: 11.9, valor: '41.75' })), (each) => ({
    plannedMetres: each.metresAfter,
    plannedSeconds: each.secondsAfter,
    netCents: each.netCentsAfter,
  })),
  data_hora_utc: text((each) => formatUtc(each.mergedAt), '2026-11-16T14:55:02Z'),
});

/** A preview of contract 4.2. */
export const previewGroupingEndpoint = endpoint({
  method: 'POST',
  path: '/programadas/:id/simular-agrupamento',
  readOnly: true,
  tag: 'Operação: programadas',
  summary: 'Simular um agrupamento de programadas',
  description:
    'Nada muda. Responde com as mesmas recusas do agrupamento ou com o antes e o depois: paradas, km, minutos e ' +
    'valor, a nova ordem das paradas e o caminho conjunto. Um gerente simula com as programadas da própria empresa.',
  permission: 'watch',
  limit: 'operations',
  refusals: scheduledGroupingRefusals.filter((kind) => kind !== 'not-saved'),
  body: Type.Object({ programadas_agrupadas: groupedScheduled }),
  bodyExample: { programadas_agrupadas: [312] },
  ...answerWith(groupPreview),
  async handle({ deps, caller, params, body }) {
    const preview = await previewGroup(deps, caller, {
      grouper: { noun: 'scheduled', id: params.id! },
      scheduledIds: body.programadas_agrupadas,
    });
    return { data: groupPreview.show(preview, undefined) };
  },
});

/** A preview of contract 4.6 and 4.7. */
export const previewDeliveryGroupingEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/simular-agrupamento',
  readOnly: true,
  tag: 'Operação: ao vivo',
  summary: 'Simular um agrupamento em uma entrega em andamento',
  description:
    'Nada muda. Responde com as mesmas recusas do agrupamento ou com o antes e o depois: viagens, km, minutos e ' +
    'valor do caminho inteiro desde a coleta, a nova ordem das paradas (as já concluídas ficam no início) e o ' +
    'caminho conjunto. Um gerente simula com as entregas e programadas da própria empresa.',
  permission: 'watch',
  limit: 'operations',
  refusals: mixedGroupingRefusals.filter((kind) => kind !== 'not-saved'),
  body: Type.Object({
    programadas_agrupadas: alsoGroupedScheduled,
    solicitacoes_agrupadas: alsoGroupedDeliveries,
  }),
  bodyExample: { programadas_agrupadas: [311], solicitacoes_agrupadas: [1043] },
  ...answerWith(deliveryGroupPreview),
  async handle({ deps, caller, params, body }) {
    const preview = await previewGroup(deps, caller, {
      grouper: { noun: 'delivery', id: params.id! },
      scheduledIds: body.programadas_agrupadas ?? [],
      deliveryIds: body.solicitacoes_agrupadas ?? [],
    });
    return { data: deliveryGroupPreview.show(preview, undefined) };
  },
});

export const listMergesEndpoint = endpoint({
  method: 'GET',
  path: '/agrupamentos-automaticos',
  tag: 'Operação: programadas',
  summary: 'Ver o que o agrupamento automático fez e economizou',
  description: 'Do mais novo para o mais antigo; antes e depois em minutos, km e valor.',
  permission: 'internals',
  limit: 'operations',
  query: Type.Object(pageFields),
  ...answerWithList(merge),
  async handle({ deps, caller, query }) {
    const merges = await listMerges(deps.db, caller.centralId, parsePage(query));
    return { data: merges.map((each) => merge.show(each, undefined)) };
  },
});
