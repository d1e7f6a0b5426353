import Type from 'typebox';
import { findDeliveryDetail } from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import { findCarrierPosition } from '../../../deliveries/deliveries/driverWorkStore.ts';
import type { RoadRoute } from '../../../geo/routing/router.ts';
import { estimatorFor } from '../../../geo/routing/routers.ts';
import { drawRoute } from '../../../money/pricing/estimateTrip.ts';
import { STOPS_MAX } from '../../../money/pricing/stopOrder.ts';
import { endpoint } from '../../http/endpoint.ts';
import { answerWith } from '../../json/values.ts';
import { kind, km, minutes, one, view } from '../../json/view.ts';
import { optionalId } from '../wire/fields.ts';

const line = kind(
  () =>
    Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      description: 'pares [lng, lat], como no GeoJSON',
    }),
  (geometry: RoadRoute['geometry']) => geometry,
);

const roadRoute = view<RoadRoute>()({
  linha: line(
    (route) => route.geometry,
    [
      [-51.2303, -30.0305],
      [-51.2158, -30.0489],
    ],
  ),
  km: km((route) => route.metres, 4.1),
  minutos: minutes((route) => route.seconds, 10),
});
const routes = view<{ whole: RoadRoute; left: RoadRoute | null }>()({
  rota: one(roadRoute, ({ whole }) => whole),
  restante: one.orNull(roadRoute, ({ left }) => left),
});

const position = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
});

/** A pickup, its stops, and the pickup again. */
const POINTS_MAX = STOPS_MAX + 2;

export const drawRouteEndpoint = endpoint({
  method: 'POST',
  path: '/rotas',
  readOnly: true,
  tag: 'Operação: estimativas',
  summary: 'Desenhar uma rota',
  description:
    'O caminho pelos pontos, na ordem enviada. Sem mapa de ruas, ou com um ponto fora das áreas de atuação, as linhas são retas. Nada é gravado.',
  permission: 'watch',
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
  ...answerWith(roadRoute),
  async handle({ deps, caller, body }) {
    const { categories, areas } = await deps.priceBooks.of(caller.centralId);
    const profile = categories.find(({ id }) => id === body.categoria_id)?.profile ?? 'motorcycle';
    // All centrals share the routing engine, so routes outside the operating areas are not requested.
    const isServed = body.pontos.every((point) => areas.areaAt(point) !== undefined);
    const route = isServed
      ? await drawRoute(deps, caller, body.pontos, profile)
      : await estimatorFor(caller.central.settings).route(body.pontos, profile);
    return { data: roadRoute.show(route, undefined) };
  },
});

export const getDeliveryRouteEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/rota',
  tag: 'Operação: ao vivo',
  summary: 'Desenhar a rota de uma entrega',
  description:
    'A rota inteira, da partida por todas as paradas e de volta quando há retorno, e o que falta dela a partir do entregador enquanto alguém a leva. Sem mapa de ruas as linhas são retas.',
  permission: 'watch',
  limit: 'operations',
  refusals: ['delivery-not-found'],
  ...answerWith(routes),
  async handle({ deps, caller, params }) {
    const detail = await findDeliveryDetail(deps.db, caller, params.id!);
    const { categories } = await deps.priceBooks.of(caller.centralId);
    const profile = categories.find(({ id }) => id === detail.categoryId)?.profile ?? 'motorcycle';
    const end = detail.returning ? [detail.pickup] : [];
    const whole = await drawRoute(deps, caller, [detail.pickup, ...detail.stops, ...end], profile);
    const driver = await findCarrierPosition(deps.db, caller, params.id!);
    const ahead = [
      ...(detail.startedAt ? [] : [detail.pickup]),
      ...detail.stops.filter(({ concludedAt }) => concludedAt === null),
      ...end,
    ];
    const left = driver && ahead.length ? await drawRoute(deps, caller, [driver, ...ahead], profile) : null;
    return { data: routes.show({ whole, left }, undefined) };
  },
});
