import Type from 'typebox';
import { reportPosition } from '../../drivers/reportPosition.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';

export const reportPositionRoute = route({
  method: 'POST',
  path: '/condutores/:id/posicao',
  tag: 'Operação: condutores',
  summary: 'Informar a posição de um condutor',
  description: 'O condutor informa a própria posição; um operador, a de qualquer condutor.',
  who: operatorsAndDrivers,
  limit: 'positions',
  refusals: ['driver-not-found'],
  body: Type.Object({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  bodyExample: { lat: -30.0305, lng: -51.2303 },
  answer: Type.Object({ success: Type.Literal(true) }),
  answerExample: { success: true },
  async handle({ needs, caller, params, body }) {
    await reportPosition(needs, caller, params.id!, body);
    return {};
  },
});
