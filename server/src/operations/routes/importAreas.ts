import Type from 'typebox';
import { importAreas } from '../../areas/importAreas.ts';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { AreaSchema, formatArea } from '../../contract/wire/area.ts';
import { route } from '../../http/route.ts';
import { writeRegister } from '../register.ts';
import { operators } from '../who.ts';
import { CollectionBody, collectionExample, parseCollection } from '../wire/geojson.ts';

export const importAreasRoute = route({
  method: 'POST',
  path: '/areas-atuacao/importar',
  tag: 'Operação: áreas de atuação',
  summary: 'Importar áreas de atuação de um arquivo GeoJSON',
  description:
    'Áreas com o mesmo nome são substituídas, as outras são criadas, e as que não estão no arquivo ficam como estão. ' +
    'Ou o arquivo inteiro vale, ou nada muda.',
  who: operators,
  limit: 'operations',
  refusals: ['invalid-shape', 'areas-too-large', 'default-area-needed', 'too-many-records'],
  body: CollectionBody,
  bodyExample: collectionExample,
  answer: dataAnswer(Type.Array(AreaSchema)),
  answerExample: { success: true, data: [{ id: 1, nome: 'Porto Alegre', padrao: true }] },
  async handle({ needs, caller, body }) {
    const values = await parseCollection(body);
    const areas = await writeRegister(needs, (tx) => importAreas(tx, caller.centralId, values));
    return { data: areas.map(formatArea) };
  },
});
