import type { Static } from 'typebox';
import Type from 'typebox';
import {
  alsoGroupedDeliveries,
  alsoGroupedScheduled,
  groupedScheduled,
  mixedGroupingRefusals,
  scheduledGroupingRefusals,
} from '../../contract/endpoints/grouping.ts';
import { listMerges } from '../../dispatcher/mergeStore.ts';
import { type GroupPreview, previewGroup } from '../../grouping/previewGroup.ts';
import { endpoint } from '../../http/endpoint.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { dataAnswer, formatUtc, nullable, pageFields, parsePage } from '../../wire/values.ts';

const km = (metres: number): number => Math.round(metres / 10) / 100;
const minutes = (seconds: number): number => Math.ceil(seconds / 60);

export const FiguresSchema = Type.Object({
  minutos: Type.Integer(),
  km: Type.Number(),
  valor: Type.String(),
});

export const formatFigures = (metres: number, seconds: number, cents: number) => ({
  minutos: minutes(seconds),
  km: km(metres),
  valor: centsToDecimal(cents),
});

const SideSchema = Type.Object({
  viagens: Type.Integer(),
  paradas: Type.Integer(),
  ...FiguresSchema.properties,
});

const jointTripFields = {
  antes: SideSchema,
  depois: SideSchema,
  coleta: Type.Object({ lat: Type.Number(), lng: Type.Number() }),
  com_retorno: Type.Boolean(),
  trajeto: nullable(
    Type.Object(
      {
        type: Type.Literal('LineString'),
        coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
      },
      { description: 'GeoJSON do caminho conjunto; nulo quando não pôde ser desenhado' },
    ),
  ),
};

const stopFields = { id: Type.String(), ordem: Type.Integer(), lat: Type.Number(), lng: Type.Number() };

export const GroupPreviewSchema = Type.Object({
  id_mch_programada: Type.String({ description: 'a agrupadora, que mantém o id' }),
  disparo_em: Type.String({ description: 'ISO 8601 em UTC; o disparo da agrupadora' }),
  ...jointTripFields,
  paradas: Type.Array(
    Type.Object({
      ...stopFields,
      id_mch_programada: Type.String({ description: 'a programada que hoje leva a parada' }),
    }),
  ),
});

export const DeliveryGroupPreviewSchema = Type.Object({
  id_mch: Type.String({ description: 'a agrupadora, que mantém o id' }),
  ...jointTripFields,
  paradas: Type.Array(
    Type.Object({
      ...stopFields,
      concluida: Type.Boolean(),
      id_mch: nullable(Type.String({ description: 'a entrega que hoje leva a parada' })),
      id_mch_programada: nullable(Type.String({ description: 'ou a programada que a leva' })),
    }),
  ),
});

const groupPreviewExample = {
  id_mch_programada: '311',
  disparo_em: '2026-11-16T16:00:00Z',
  antes: { viagens: 2, paradas: 2, minutos: 39, km: 14.21, valor: '47.70' },
  depois: { viagens: 1, paradas: 2, minutos: 22, km: 8.06, valor: '29.35' },
  paradas: [
    { id: '902', ordem: 0, id_mch_programada: '312', lat: -30.0277, lng: -51.2287 },
    { id: '901', ordem: 1, id_mch_programada: '311', lat: -30.0489, lng: -51.2158 },
  ],
  coleta: { lat: -30.0305, lng: -51.2303 },
  com_retorno: false,
  trajeto: {
    type: 'LineString',
    coordinates: [
      [-51.2303, -30.0305],
      [-51.2287, -30.0277],
      [-51.2158, -30.0489],
    ],
  },
};

const { id_mch_programada: _id, disparo_em: _dispatch, ...jointTripExample } = groupPreviewExample;

const deliveryGroupPreviewExample = {
  ...jointTripExample,
  id_mch: '1042',
  paradas: [
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
};

/** Before: the sum of the separate plans, each from the pickup over its stops. After: the joint plan. */
function formatJointTrip({ grouper, others, estimate, returning, stops, geometry }: GroupPreview) {
  const apart = [grouper, ...others].map(({ request }) => request);
  const sum = (of: 'plannedMetres' | 'plannedSeconds' | 'netCents') =>
    apart.reduce((total, each) => total + each[of], 0);
  return {
    antes: {
      viagens: apart.length,
      paradas: stops.length,
      ...formatFigures(sum('plannedMetres'), sum('plannedSeconds'), sum('netCents')),
    },
    depois: {
      viagens: 1,
      paradas: stops.length,
      ...formatFigures(estimate.metres, estimate.seconds, estimate.netCents),
    },
    coleta: { ...grouper.request.pickup.position },
    com_retorno: returning,
    trajeto: geometry && { type: 'LineString' as const, coordinates: geometry },
  };
}

function formatGroupPreview(preview: GroupPreview): Static<typeof GroupPreviewSchema> {
  const { grouper, stops } = preview;
  if (grouper.noun !== 'scheduled') throw new Error('a scheduled delivery is grouped into a scheduled one');
  return {
    id_mch_programada: String(grouper.request.id),
    disparo_em: formatUtc(grouper.request.dispatchAt),
    ...formatJointTrip(preview),
    paradas: stops.map(({ id, comesFrom, position }, order) => ({
      id: String(id),
      ordem: order,
      id_mch_programada: String(comesFrom.id),
      ...position,
    })),
  };
}

const formatDeliveryGroupPreview = (preview: GroupPreview): Static<typeof DeliveryGroupPreviewSchema> => ({
  id_mch: String(preview.grouper.request.id),
  ...formatJointTrip(preview),
  paradas: preview.stops.map(({ id, concludedAt, comesFrom, position }, order) => ({
    id: String(id),
    ordem: order,
    concluida: concludedAt !== null,
    id_mch: comesFrom.noun === 'delivery' ? String(comesFrom.id) : null,
    id_mch_programada: comesFrom.noun === 'scheduled' ? String(comesFrom.id) : null,
    ...position,
  })),
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
  answer: dataAnswer(GroupPreviewSchema),
  answerExample: { success: true, data: groupPreviewExample },
  async handle({ deps, caller, params, body }) {
    const preview = await previewGroup(deps, caller, {
      grouper: { noun: 'scheduled', id: params.id! },
      scheduledIds: body.programadas_agrupadas,
    });
    return { data: formatGroupPreview(preview) };
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
  answer: dataAnswer(DeliveryGroupPreviewSchema),
  answerExample: { success: true, data: deliveryGroupPreviewExample },
  async handle({ deps, caller, params, body }) {
    const preview = await previewGroup(deps, caller, {
      grouper: { noun: 'delivery', id: params.id! },
      scheduledIds: body.programadas_agrupadas ?? [],
      deliveryIds: body.solicitacoes_agrupadas ?? [],
    });
    return { data: formatDeliveryGroupPreview(preview) };
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
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        id_mch_programada: Type.String(),
        empresa_id: Type.String(),
        pedidos: Type.Integer(),
        paradas: Type.Integer(),
        antes: FiguresSchema,
        depois: FiguresSchema,
        data_hora_utc: Type.String(),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        id_mch_programada: '311',
        empresa_id: '1',
        pedidos: 3,
        paradas: 3,
        antes: { minutos: 58, km: 22.4, valor: '74.10' },
        depois: { minutos: 31, km: 11.9, valor: '41.75' },
        data_hora_utc: '2026-11-16T14:55:02Z',
      },
    ],
  },
  async handle({ deps, caller, query }) {
    const merges = await listMerges(deps.db, caller.centralId, parsePage(query));
    return {
      data: merges.map((merge) => ({
        id_mch_programada: String(merge.grouperId),
        empresa_id: String(merge.companyId),
        pedidos: merge.orders,
        paradas: merge.stops,
        antes: formatFigures(merge.metresBefore, merge.secondsBefore, merge.netCentsBefore),
        depois: formatFigures(merge.metresAfter, merge.secondsAfter, merge.netCentsAfter),
        data_hora_utc: formatUtc(merge.mergedAt),
      })),
    };
  },
});
