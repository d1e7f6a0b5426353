import Type, { type Static } from 'typebox';
import { nullable } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import type { Participant } from '../../grouping/grouping.ts';
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

export const GroupPreviewSchema = Type.Object({
  id_mch_programada: Type.String({ description: 'a agrupadora, que mantém o id' }),
  disparo_em: Type.String({ description: 'ISO 8601 em UTC; o disparo da agrupadora' }),
  antes: SideSchema,
  depois: SideSchema,
  paradas: Type.Array(
    Type.Object({
      id: Type.String(),
      ordem: Type.Integer(),
      id_mch_programada: Type.String({ description: 'a programada que hoje leva a parada' }),
      lat: Type.Number(),
      lng: Type.Number(),
    }),
  ),
  coleta: Type.Object({ lat: Type.Number(), lng: Type.Number() }),
  com_retorno: Type.Boolean(),
  trajeto: nullable(
    Type.Object(
      { type: Type.Literal('LineString'), coordinates: Type.Array(Type.Array(Type.Number())) },
      { description: 'GeoJSON do caminho conjunto; nulo quando não pôde ser desenhado' },
    ),
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

/** Of scheduled deliveries only: those in progress have no planned trip of their own any more. */
export function formatGroupPreview({
  grouper,
  others,
  estimate,
  stops,
  geometry,
}: GroupPreview): Static<typeof GroupPreviewSchema> {
  const apart = [grouper, ...others].map(({ request }) => request as ScheduledRequest);
  const sum = (of: (request: ScheduledRequest) => number) => apart.reduce((total, one) => total + of(one), 0);
  const request = grouper.request as ScheduledRequest;
  return {
    id_mch_programada: String(request.id),
    disparo_em: formatUtc(request.dispatchAt),
    antes: {
      viagens: apart.length,
      paradas: stops.length,
      ...formatFigures(
        sum(({ plannedMetres }) => plannedMetres),
        sum(({ plannedSeconds }) => plannedSeconds),
        sum(({ netCents }) => netCents),
      ),
    },
    depois: {
      viagens: 1,
      paradas: stops.length,
      ...formatFigures(estimate.metres, estimate.seconds, estimate.netCents),
    },
    paradas: stops.map(({ id, comesFrom, position }, order) => ({
      id: String(id),
      ordem: order,
      id_mch_programada: String(comesFrom),
      ...position,
    })),
    coleta: { ...request.pickup.position },
    com_retorno: request.returning,
    trajeto: geometry && { type: 'LineString', coordinates: geometry },
  };
}

type ScheduledRequest = Extract<Participant, { noun: 'scheduled' }>['request'];
