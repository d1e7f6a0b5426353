import type { Static } from 'typebox';
import Type from 'typebox';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import type { AreaValues, NamedArea, OperatingArea } from '../../../registers/areas/area.ts';
import { listAreas } from '../../../registers/areas/areaStore.ts';
import { importAreas } from '../../../registers/areas/changeArea.ts';
import { POSITIONS_MAX, readShapes } from '../../../registers/areas/readShape.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { answerWithList, longPageFields, parseLongPage } from '../../json/values.ts';
import { flag, id, text, view } from '../../json/view.ts';
import { writeRegister } from '../register.ts';
import { requiredText } from '../wire/fields.ts';

const FEATURES_MAX = 500;

/** Checks the outer structure only: registers/areas/readShape.ts checks the positions and gives the reason. */
export const GeometrySchema = Type.Object(
  {
    type: Type.String({ maxLength: 100 }),
    coordinates: Type.Array(Type.Unknown(), { maxItems: POSITIONS_MAX }),
  },
  {
    description:
      'GeoJSON Polygon ou MultiPolygon; posições [longitude, latitude]; anéis internos são buracos',
  },
);

/** Some 42,000 positions. */
export const AREAS_BYTES_MAX = 1024 * 1024;

export const geometryExample = {
  type: 'Polygon',
  coordinates: [
    [
      [-51.35, -30.3],
      [-51, -30.3],
      [-51, -29.9],
      [-51.35, -29.9],
      [-51.35, -30.3],
    ],
  ],
};

const FeatureSchema = Type.Object({
  type: Type.Literal('Feature'),
  properties: Type.Object({ nome: requiredText(100), padrao: Type.Optional(Type.Boolean()) }),
  geometry: GeometrySchema,
});

/** Names are unique, and only one area can be the default. */
const checkFeatures: Check = ({ features }): Problem[] => {
  if (!Array.isArray(features)) return [];
  const properties = features.map((feature) => feature?.properties ?? {});
  const names = properties.map(({ nome }) =>
    typeof nome === 'string' ? plainName(nome).toLowerCase() : undefined,
  );
  const repeated = names
    .map((name, index) => (name !== undefined && names.indexOf(name) < index ? index : -1))
    .filter((index) => index !== -1)
    .map((index) => ({
      field: `features/${index}/properties/nome`,
      pt: 'repete o nome de outra área do arquivo',
      en: 'repeats the name of another area of the file',
    }));
  const defaults = [...properties.keys()].filter((index) => properties[index].padrao === true);
  const tooMany = defaults.slice(1).map((index) => ({
    field: `features/${index}/properties/padrao`,
    pt: 'somente uma área pode ser a padrão',
    en: 'only one area can be the default',
  }));
  return [...repeated, ...tooMany];
};

const CollectionBody = Type.Object(
  {
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(FeatureSchema, { minItems: 1, maxItems: FEATURES_MAX }),
  },
  { check: checkFeatures },
);

/** GeoJSON allows further members, so an answer with `success` is still a valid file. */
const CollectionAnswer = Type.Object({
  success: Type.Literal(true),
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      id: Type.String(),
      properties: Type.Object({ nome: Type.String(), padrao: Type.Boolean() }),
      geometry: GeometrySchema,
    }),
  ),
});

const collectionExample = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: { nome: 'Porto Alegre', padrao: true }, geometry: geometryExample },
  ],
};

async function parseCollection({ features }: Static<typeof CollectionBody>): Promise<AreaValues[]> {
  const shapes = await readShapes(
    features.map(({ properties, geometry }) => ({ name: properties.nome, input: geometry })),
  );
  return features.map(({ properties: { nome, padrao } }, index) => ({
    name: plainName(nome),
    isDefault: padrao,
    shape: shapes[index]!,
  }));
}

const formatCollection = (areas: readonly OperatingArea[]) => ({
  type: 'FeatureCollection' as const,
  features: areas.map(({ id, name, isDefault, shape }) => ({
    type: 'Feature' as const,
    id: String(id),
    properties: { nome: name, padrao: isDefault },
    geometry: shape,
  })),
});

const imported = view<NamedArea>()({
  id: id((area) => area.id, '1'),
  nome: text((area) => area.name, 'Porto Alegre'),
  padrao: flag((area) => area.isDefault, true),
});

export const importAreasEndpoint = endpoint({
  method: 'POST',
  path: '/areas-atuacao/importar',
  tag: 'Operação: áreas de atuação',
  summary: 'Importar áreas de atuação de um arquivo GeoJSON',
  description:
    'Áreas com o mesmo nome são substituídas, as outras são criadas, e as que não estão no arquivo ficam como estão. ' +
    'Ou o arquivo inteiro vale, ou nada muda.',
  permission: 'tariffs',
  limit: 'operations',
  refusals: ['invalid-shape', 'areas-too-large', 'default-area-needed', 'too-many-records'],
  body: CollectionBody,
  bodyBytesMax: AREAS_BYTES_MAX,
  bodyExample: collectionExample,
  ...answerWithList(imported),
  async handle({ deps, caller, body }) {
    const values = await parseCollection(body);
    const areas = await writeRegister(deps, async (tx) => {
      const areas = await importAreas(tx, caller.centralId, values);
      await recordChange(tx, changeActor(caller, deps.clock.now(), 'operations'), {
        subject: 'area',
        id: null,
        name: null,
        before: null,
        after: { importadas: areas.map(({ name }) => name) },
      });
      return areas;
    });
    return { data: areas.map((each) => imported.show(each, undefined)) };
  },
});

export const exportAreasEndpoint = endpoint({
  method: 'GET',
  path: '/areas-atuacao/exportar',
  tag: 'Operação: áreas de atuação',
  summary: 'Exportar as áreas de atuação como GeoJSON',
  description:
    'A resposta é uma FeatureCollection e pode ser importada como está. Traz até 100 áreas por página; uma página com ' +
    'menos do que `limite` é a última.',
  permission: 'registers-read',
  limit: 'operations',
  isHeavy: true,
  query: Type.Object(longPageFields),
  answer: CollectionAnswer,
  answerExample: {
    success: true,
    ...collectionExample,
    features: collectionExample.features.map((feature) => ({ ...feature, id: '1' })),
  },
  handle: async ({ deps, caller, query }) =>
    formatCollection(await listAreas(deps.db, caller.centralId, parseLongPage(query))),
});
