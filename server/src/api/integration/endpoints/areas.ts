import Type from 'typebox';
import type { NamedArea } from '../../areas/area.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dataAnswer } from '../../wire/values.ts';

/** Contract 2.6. */
export const AreaSchema = Type.Object({ id: Type.Integer(), nome: Type.String(), padrao: Type.Boolean() });

export const formatArea = ({ id, name, isDefault }: NamedArea) => ({ id, nome: name, padrao: isDefault });

/** Contract 4.13. */
export const listAreasEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/bandeiras/areas-atuacao',
  operation: 'listarAreasAtuacao',
  section: '4.13',
  tag: 'Áreas de atuação',
  summary: 'Listar as áreas de atuação da central',
  permission: 'watch',
  limit: 'estimates',
  answer: dataAnswer(Type.Array(AreaSchema)),
  answerExample: { success: true, data: [{ id: 1, nome: 'Porto Alegre', padrao: true }] },
  async handle({ deps, caller }) {
    const { areas } = await deps.priceBooks.of(caller.centralId);
    return { data: areas.areas.map(formatArea) };
  },
});
