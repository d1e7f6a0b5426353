import Type, { type Static } from 'typebox';
import { nullable } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import type { GroupPreview } from '../../grouping/previewGroup.ts';
import { centsToDecimal } from '../../kernel/money.ts';

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
      { type: Type.Literal('LineString'), coordinates: Type.Array(Type.Array(Type.Number())) },
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

export const groupPreviewExample = {
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

export const deliveryGroupPreviewExample = {
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

/** Before is what each was planned with alone, from the pickup over all its stops; after is the same of all of them. */
function formatJointTrip({ grouper, others, estimate, stops, geometry }: GroupPreview) {
  const apart = [grouper, ...others].map(({ request }) => request);
  const sum = (of: 'plannedMetres' | 'plannedSeconds' | 'netCents') =>
    apart.reduce((total, one) => total + one[of], 0);
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
    com_retorno: grouper.request.returning,
    trajeto: geometry && { type: 'LineString' as const, coordinates: geometry },
  };
}

export function formatGroupPreview(preview: GroupPreview): Static<typeof GroupPreviewSchema> {
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

export const formatDeliveryGroupPreview = (
  preview: GroupPreview,
): Static<typeof DeliveryGroupPreviewSchema> => ({
  id_mch: String(preview.grouper.request.id),
  ...formatJointTrip(preview),
  paradas: preview.stops.map(({ id, concluded, comesFrom, position }, order) => ({
    id: String(id),
    ordem: order,
    concluida: concluded,
    id_mch: comesFrom.noun === 'delivery' ? String(comesFrom.id) : null,
    id_mch_programada: comesFrom.noun === 'scheduled' ? String(comesFrom.id) : null,
    ...position,
  })),
});
