import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { pageFields, parsePage } from '../../contract/wire/page.ts';
import { listMerges } from '../../dispatcher/mergeStore.ts';
import { route } from '../../http/route.ts';
import { operators } from '../who.ts';
import { FiguresSchema, formatFigures } from '../wire/groupPreview.ts';

export const listMergesRoute = route({
  method: 'GET',
  path: '/agrupamentos-automaticos',
  tag: 'Operação: programadas',
  summary: 'Ver o que o agrupamento automático fez e economizou',
  description: 'Do mais novo para o mais antigo; antes e depois em minutos, km e valor.',
  who: operators,
  limit: 'operations',
  query: Type.Object(pageFields),
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        id_mch_programada: Type.String(),
        empresa_id: Type.String(),
        pedidos: Type.Integer(),
        paradas: Type.Integer(),
        antes: FiguresSchema,
        depois: FiguresSchema,
        data_hora_utc: Type.String(),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        id_mch_programada: '311',
        empresa_id: '1',
        pedidos: 3,
        paradas: 3,
        antes: { minutos: 58, km: 22.4, valor: '74.10' },
        depois: { minutos: 31, km: 11.9, valor: '41.75' },
        data_hora_utc: '2026-11-16T14:55:02Z',
      },
    ],
  },
  async handle({ needs, caller, query }) {
    const merges = await listMerges(needs.db, caller.centralId, parsePage(query));
    return {
      data: merges.map((merge) => ({
        id_mch_programada: String(merge.grouperId),
        empresa_id: String(merge.companyId),
        pedidos: merge.orders,
        paradas: merge.stops,
        antes: formatFigures(merge.metresBefore, merge.secondsBefore, merge.netCentsBefore),
        depois: formatFigures(merge.metresAfter, merge.secondsAfter, merge.netCentsAfter),
        data_hora_utc: formatUtc(merge.mergedAt),
      })),
    };
  },
});
