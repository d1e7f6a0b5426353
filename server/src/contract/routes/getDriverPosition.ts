import Type from 'typebox';
import { findCarrierPosition } from '../../deliveries/carrierPositionStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer, nullable } from '../wire/answers.ts';
import { formatDegrees } from '../wire/measures.ts';

/**
 * Completions: where the driver is. Coordinates are decimal strings, as those of a delivery's pickup and stops
 * are (contract 2.1, 2.3): an integrator reads all points of one delivery in one way.
 */
export const getDriverPositionRoute = route({
  method: 'GET',
  path: '/entregas/:id/condutor/posicao',
  operation: 'obterPosicaoCondutor',
  tag: 'Entregas',
  summary: 'Consultar a posição do condutor',
  description:
    'A última posição conhecida, enquanto a entrega está aceita, em espera ou em andamento; senão, nulos.',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Object({ lat_condutor: nullable(Type.String()), lng_condutor: nullable(Type.String()) }),
  ),
  answerExample: { success: true, data: { lat_condutor: '-30.0312', lng_condutor: '-51.2289' } },
  async handle({ needs, caller, params }) {
    const position = await findCarrierPosition(needs.db, caller, params.id!);
    return {
      data: {
        lat_condutor: position && formatDegrees(position.lat),
        lng_condutor: position && formatDegrees(position.lng),
      },
    };
  },
});
