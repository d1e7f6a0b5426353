import type { NamedArea } from '../../../registers/areas/area.ts';
import { endpoint } from '../../http/endpoint.ts';
import { answerWithList } from '../../json/values.ts';
import { flag, integer, text, view } from '../../json/view.ts';

/** Contract 2.6. */
const area = view<NamedArea>()({
  id: integer((each) => each.id, 1),
  nome: text((each) => each.name, 'Porto Alegre'),
  padrao: flag((each) => each.isDefault, true),
});

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
  ...answerWithList(area),
  async handle({ deps, caller }) {
    const { areas } = await deps.priceBooks.of(caller.centralId);
    return { data: areas.areas.map((each) => area.show(each, undefined)) };
  },
});
