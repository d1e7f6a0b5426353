import Type from 'typebox';
import { dataAnswer, nullable } from '../../contract/wire/answers.ts';
import { findCarrierPosition } from '../../deliveries/carrierPositionStore.ts';
import { findSheet } from '../../deliveries/deliverySheetStore.ts';
import { drawRoute } from '../../estimates/drawRoute.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { formatRoadRoute, RoadRouteSchema, roadRouteExample } from '../wire/roadRoute.ts';

export const getDeliveryRouteRoute = route({
  method: 'GET',
  path: '/entregas/:id/rota',
  tag: 'Operação: ao vivo',
  summary: 'Desenhar a rota de uma entrega',
  description:
    'A rota inteira, da partida por todas as paradas e de volta quando há retorno, e o que falta dela a partir do condutor enquanto alguém a leva. Sem mapa de ruas as linhas são retas.',
  who: watchers,
  limit: 'operations',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(Type.Object({ rota: RoadRouteSchema, restante: nullable(RoadRouteSchema) })),
  answerExample: { success: true, data: { rota: roadRouteExample, restante: roadRouteExample } },
  async handle({ needs, caller, params }) {
    const sheet = await findSheet(needs.db, caller, params.id!);
    const { categories } = await needs.priceBooks.of(caller.centralId);
    const profile = categories.find(({ id }) => id === sheet.categoryId)?.profile ?? 'motorcycle';
    const end = sheet.returning ? [sheet.pickup] : [];
    const whole = await drawRoute(needs, caller, [sheet.pickup, ...sheet.stops, ...end], profile);
    const driver = await findCarrierPosition(needs.db, caller, params.id!);
    const ahead = [
      ...(sheet.startedAt ? [] : [sheet.pickup]),
      ...sheet.stops.filter(({ concludedAt }) => concludedAt === null),
      ...end,
    ];
    const left = driver && ahead.length ? await drawRoute(needs, caller, [driver, ...ahead], profile) : null;
    return { data: { rota: formatRoadRoute(whole), restante: left && formatRoadRoute(left) } };
  },
});
