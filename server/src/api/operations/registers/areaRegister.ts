import Type from 'typebox';
import type { AreaValues, OperatingArea } from '../../areas/area.ts';
import { findArea, listAreas } from '../../areas/areaStore.ts';
import { addArea, changeArea, removeArea } from '../../areas/changeArea.ts';
import { readShapes } from '../../areas/readShape.ts';
import { AreaSchema, formatArea } from '../../contract/endpoints/areas.ts';
import { GeometrySchema, geometryExample } from '../endpoints/areas.ts';
import { register } from '../register.ts';
import { requiredText } from '../wire/fields.ts';

const example = { nome: 'Região metropolitana', padrao: false, geometria: geometryExample };

export const areaEndpoints = register({
  path: '/areas-atuacao',
  permissions: { read: 'registers-read', write: 'tariffs' },
  audit: { subject: 'area', nameOf: ({ name }) => name },
  records: 'areas',
  tag: 'Operação: áreas de atuação',
  nouns: { one: 'uma área de atuação', all: 'as áreas de atuação' },
  description:
    'A área da partida decide a tarifa. Onde áreas se sobrepõem, a padrão vale por último e, entre as demais, a mais ' +
    'antiga. Uma central com áreas tem sempre uma padrão: a primeira o é, e tornar outra a padrão a transfere; ' +
    'enquanto houver outras, a padrão não pode ser excluída nem deixar de ser a padrão.',
  notFound: 'area-not-found',
  refusals: ['invalid-shape', 'areas-too-large', 'default-area-needed'],
  removalRefusals: ['default-area-needed'],
  body: Type.Object({
    nome: requiredText(100),
    padrao: Type.Optional(Type.Boolean({ description: 'ausente: fica como está' })),
    geometria: GeometrySchema,
  }),
  bodyExample: example,
  shown: Type.Object({ ...AreaSchema.properties, geometria: GeometrySchema }),
  shownExample: { id: 3, ...example },
  parse: async ({ nome, padrao, geometria }): Promise<AreaValues> => {
    const [shape] = await readShapes([{ name: nome, input: geometria }]);
    return { name: nome.trim(), isDefault: padrao, shape: shape! };
  },
  format: (area: OperatingArea) => ({ ...formatArea(area), geometria: area.shape }),
  uniqueFields: { name: 'nome' },
  store: { list: listAreas, find: findArea, insert: addArea, update: changeArea, remove: removeArea },
});
