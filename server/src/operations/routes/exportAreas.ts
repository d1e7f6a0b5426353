import Type from 'typebox';
import { listAreas } from '../../areas/areaStore.ts';
import { longPageFields, parseLongPage } from '../../contract/wire/page.ts';
import { route } from '../../http/route.ts';
import { operators } from '../who.ts';
import { CollectionAnswer, collectionExample, formatCollection } from '../wire/geojson.ts';

export const exportAreasRoute = route({
  method: 'GET',
  path: '/areas-atuacao/exportar',
  tag: 'Operação: áreas de atuação',
  summary: 'Exportar as áreas de atuação como GeoJSON',
  description:
    'A resposta é uma FeatureCollection e pode ser importada como está. Traz até 100 áreas por página; uma página com ' +
    'menos do que `limite` é a última.',
  who: operators,
  limit: 'operations',
  query: Type.Object(longPageFields),
  answer: CollectionAnswer,
  answerExample: {
    success: true,
    ...collectionExample,
    features: collectionExample.features.map((feature) => ({ ...feature, id: 1 })),
  },
  handle: async ({ needs, caller, query }) =>
    formatCollection(await listAreas(needs.db, caller.centralId, parseLongPage(query))),
});
