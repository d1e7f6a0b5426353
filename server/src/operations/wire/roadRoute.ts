import Type from 'typebox';
import type { RoadRoute } from '../../routing/router.ts';

const line = Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
  description: 'pares [lng, lat], como no GeoJSON',
});

export const RoadRouteSchema = Type.Object({ linha: line, km: Type.Number(), minutos: Type.Integer() });

export const roadRouteExample = {
  linha: [
    [-51.2303, -30.0305],
    [-51.2158, -30.0489],
  ],
  km: 4.1,
  minutos: 10,
};

export const formatRoadRoute = ({ geometry, metres, seconds }: RoadRoute) => ({
  linha: geometry,
  km: Math.round(metres / 10) / 100,
  minutos: Math.ceil(seconds / 60),
});
