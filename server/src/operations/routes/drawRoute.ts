import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { drawRoute } from '../../estimates/drawRoute.ts';
import { STOPS_MAX } from '../../estimates/stopOrder.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { optionalId } from '../wire/fields.ts';
import { formatRoadRoute, RoadRouteSchema, roadRouteExample } from '../wire/roadRoute.ts';

const position = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
});

/** A pickup, its stops, and the pickup again. */
const POINTS_MAX = STOPS_MAX + 2;

export const drawRouteRoute = route({
  method: 'POST',
  path: '/rotas',
  readOnly: true,
  tag: 'Operação: estimativas',
  summary: 'Desenhar uma rota',
  description:
    'O caminho pelos pontos, na ordem enviada. Sem mapa de ruas as linhas são retas. Nada é gravado.',
  who: watchers,
  limit: 'operations',
  body: Type.Object({
    pontos: Type.Array(position, { minItems: 2, maxItems: POINTS_MAX }),
    categoria_id: optionalId,
  }),
  bodyExample: {
    pontos: [
      { lat: -30.0305, lng: -51.2303 },
      { lat: -30.0489, lng: -51.2158 },
    ],
    categoria_id: 1,
  },
  answer: dataAnswer(RoadRouteSchema),
  answerExample: { success: true, data: roadRouteExample },
  async handle({ needs, caller, body }) {
    const { categories } = await needs.priceBooks.of(caller.centralId);
    const profile = categories.find(({ id }) => id === body.categoria_id)?.profile ?? 'motorcycle';
    return { data: formatRoadRoute(await drawRoute(needs, caller, body.pontos, profile)) };
  },
});
