import Type from 'typebox';
import { plainName } from '../../../platform/kernel/plainName.ts';
import type { AreaValues, OperatingArea } from '../../../registers/areas/area.ts';
import { findArea, listAreas } from '../../../registers/areas/areaStore.ts';
import { addArea, changeArea, removeArea } from '../../../registers/areas/changeArea.ts';
import { readShapes } from '../../../registers/areas/readShape.ts';
import { flag, id, kind, text, view } from '../../json/view.ts';
import { AREAS_BYTES_MAX, GeometrySchema, geometryExample } from '../endpoints/areaFiles.ts';
import { register } from '../register.ts';
import { nameText } from '../wire/fields.ts';

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
    nome: nameText(100),
    padrao: Type.Optional(Type.Boolean({ description: 'ausente: fica como está' })),
    geometria: GeometrySchema,
  }),
  bodyBytesMax: AREAS_BYTES_MAX,
  bodyExample: example,
  shown: view<OperatingArea>()({
    id: id((area) => area.id, '3'),
    nome: text((area) => area.name, example.nome),
    padrao: flag((area) => area.isDefault, example.padrao),
    geometria: kind(
      () => GeometrySchema,
      (shape: OperatingArea['shape']) => shape,
    )((area) => area.shape, geometryExample),
  }),
  parse: async ({ nome, padrao, geometria }): Promise<AreaValues> => {
    const [shape] = await readShapes([{ name: nome, input: geometria }]);
    return { name: plainName(nome), isDefault: padrao, shape: shape! };
  },
  uniqueFields: { name: 'nome' },
  store: { list: listAreas, find: findArea, insert: addArea, update: changeArea, remove: removeArea },
});
