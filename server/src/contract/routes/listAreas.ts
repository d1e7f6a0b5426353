import Type from 'typebox';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { AreaSchema, formatArea } from '../wire/area.ts';

/** Contract 4.13. */
export const listAreasRoute = route({
  method: 'GET',
  path: '/entregas/bandeiras/areas-atuacao',
  operation: 'listarAreasAtuacao',
  section: '4.13',
  tag: 'Áreas de atuação',
  summary: 'Listar as áreas de atuação da central',
  who: readers,
  limit: 'estimates',
  answer: dataAnswer(Type.Array(AreaSchema)),
  answerExample: { success: true, data: [{ id: 1, nome: 'Porto Alegre', padrao: true }] },
  async handle({ needs, caller }) {
    const { areas } = await needs.priceBooks.of(caller.centralId);
    return { data: areas.areas.map(formatArea) };
  },
});
