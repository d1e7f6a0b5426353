import Type, { type Static } from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import type { Check } from '../../http/validation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { FailureReason } from '../../kernel/states.ts';
import type { Tx } from '../../postgres/database.ts';
import {
  countStillOpen,
  listParts,
  listReasons,
  type Part,
  type PartKind,
  type Period,
  type Point,
  type ReasonCount,
  seriesByDay,
  seriesByHour,
  subjectOf,
  sumPeriod,
} from '../../reports/reportStore.ts';
import { failureReasonCode } from '../../wire/codes.ts';
import { dataAnswer, nullable } from '../../wire/values.ts';
import { recordId } from '../wire/fields.ts';
import {
  FiguresSchema,
  figuresExample,
  formatFigures,
  formatHourFigures,
  PointFiguresSchema,
} from '../wire/reportFigures.ts';
import { partsCsv, pointsCsv, reasonsCsv } from '../wire/reportFile.ts';

const TAG = 'Operação: relatórios';
const DAYS_MAX = 366;
const PARTS_MAX = 500;

const date = (description: string) => formatted('iso-date', `${description}, AAAA-MM-DD no fuso da central`);
const period = { de: date('primeiro dia'), ate: date('último dia, incluído') };
const periodExample = { de: '2026-11-16', ate: '2026-11-16' };
const filters = {
  empresa_id: Type.Optional(recordId),
  condutor_id: Type.Optional(recordId),
  area_id: Type.Optional(recordId),
};
const shared = { method: 'GET', tag: TAG, permission: 'reports', limit: 'operations' } as const;
const about =
  'Cada entrega conta no dia e na hora locais em que foi solicitada, depois que termina; as definições estão em docs/reports.md. ' +
  `Até ${DAYS_MAX} dias. Um gerente vê a própria empresa, e nada por entregador.`;
const refusals = ['report-period', 'report-filters', 'company-not-found', 'not-allowed'] as const;

interface Filters {
  companyId: number | null;
  driverId: number | null;
  areaId: number | null;
}

function parsePeriod(from: string, to: string): Period {
  const days = Temporal.PlainDate.from(from).until(to).days;
  if (days < 0 || days >= DAYS_MAX) throw new Refusal('report-period', { max: DAYS_MAX });
  return { from, to };
}

/** A manager may ask only for one company. Others are answered as missing. */
function parseFilters(
  caller: Caller,
  query: { empresa_id?: number; condutor_id?: number; area_id?: number },
): Filters {
  const { empresa_id = null, condutor_id = null, area_id = null } = query;
  if (caller.companyId !== null && empresa_id !== null && empresa_id !== caller.companyId)
    throw new Refusal('company-not-found');
  if (caller.companyId !== null && condutor_id !== null) throw new Refusal('not-allowed');
  const companyId = caller.companyId ?? empresa_id;
  if (condutor_id !== null && (companyId !== null || area_id !== null)) throw new Refusal('report-filters');
  return { companyId, driverId: condutor_id, areaId: area_id };
}

const checkComparison: Check = ({ comparar_de, comparar_ate }) => {
  if ((comparar_de === undefined) === (comparar_ate === undefined)) return [];
  const field = comparar_de === undefined ? 'comparar_de' : 'comparar_ate';
  return [{ field, pt: 'falta no período de comparação', en: 'is missing in the other period' }];
};

const summarySchema = Type.Object({
  de: Type.String(),
  ate: Type.String(),
  ...FiguresSchema.properties,
});

const getReportEndpoint = endpoint({
  ...shared,
  path: '/relatorios/resumo',
  summary: 'Ver os números de um período, ao lado de outro',
  description: `${about} \`comparar_de\` e \`comparar_ate\` dão o outro período. \`condutor_id\` não se combina com os demais filtros.`,
  query: Type.Object(
    {
      ...period,
      comparar_de: Type.Optional(date('primeiro dia do período de comparação')),
      comparar_ate: Type.Optional(date('último dia do período de comparação')),
      ...filters,
    },
    { check: checkComparison },
  ),
  queryExample: {
    de: '2026-11-10',
    ate: '2026-11-16',
    comparar_de: '2026-11-03',
    comparar_ate: '2026-11-09',
  },
  refusals,
  answer: dataAnswer(
    Type.Object({
      periodo: summarySchema,
      comparacao: nullable(summarySchema),
      em_aberto: nullable(
        Type.Integer({
          description: 'solicitadas no período e ainda não encerradas; nulo por entregador ou por área',
        }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      periodo: { de: '2026-11-10', ate: '2026-11-16', ...figuresExample },
      comparacao: { de: '2026-11-03', ate: '2026-11-09', ...figuresExample },
      em_aberto: 3,
    },
  },
  async handle({ deps: { db }, caller, query }) {
    const { centralId, central } = caller;
    const shown = parsePeriod(query.de, query.ate);
    const other =
      query.comparar_de && query.comparar_ate ? parsePeriod(query.comparar_de, query.comparar_ate) : null;
    const { companyId, driverId, areaId } = parseFilters(caller, query);
    const subject = subjectOf(companyId, driverId, areaId);
    const sumOf = async (days: Period) => ({
      de: days.from,
      ate: days.to,
      ...formatFigures(await sumPeriod(db, centralId, subject, days)),
    });
    const instantOf = (day: Temporal.PlainDate) => day.toZonedDateTime(central.timeZone).toInstant();
    const [periodo, comparacao, em_aberto] = await Promise.all([
      sumOf(shown),
      other && sumOf(other),
      driverId === null && areaId === null
        ? countStillOpen(
            db,
            centralId,
            companyId,
            instantOf(Temporal.PlainDate.from(shown.from)),
            instantOf(Temporal.PlainDate.from(shown.to).add({ days: 1 })),
          )
        : null,
    ]);
    return { data: { periodo, comparacao, em_aberto } };
  },
});

const SERIES = ['dia', 'hora', 'dia_semana'] as const;
const PARTS = ['empresa', 'condutor', 'area', 'motivo'] as const;
type Series = (typeof SERIES)[number];
type Parts = Exclude<(typeof PARTS)[number], 'motivo'>;

async function findPoints(
  tx: Tx,
  centralId: number,
  by: Series,
  { companyId, driverId, areaId }: Filters,
  days: Period,
): Promise<Point[]> {
  if (by === 'hora') {
    if (driverId !== null || areaId !== null) throw new Refusal('report-filters');
    return seriesByHour(tx, centralId, companyId, days);
  }
  const subject = subjectOf(companyId, driverId, areaId);
  return seriesByDay(tx, centralId, subject, days, by === 'dia' ? 'day' : 'weekday');
}

async function findParts(
  tx: Tx,
  caller: Caller,
  by: Parts,
  { companyId, driverId, areaId }: Filters,
  days: Period,
): Promise<Part[]> {
  const { centralId } = caller;
  if (by === 'condutor' && caller.companyId !== null) throw new Refusal('not-allowed');
  if (driverId !== null || areaId !== null) throw new Refusal('report-filters');
  if (by === 'area') {
    const kind: PartKind = companyId === null ? 'area' : 'company_area';
    return listParts(tx, centralId, kind, companyId, days, PARTS_MAX);
  }
  if (by === 'empresa') return listParts(tx, centralId, 'company', null, days, PARTS_MAX, companyId);
  if (companyId !== null) throw new Refusal('report-filters');
  return listParts(tx, centralId, 'driver', null, days, PARTS_MAX);
}

async function findReasons(
  tx: Tx,
  centralId: number,
  { companyId, driverId, areaId }: Filters,
  days: Period,
): Promise<ReasonCount[]> {
  if (driverId !== null || areaId !== null) throw new Refusal('report-filters');
  return listReasons(tx, centralId, companyId, days, PARTS_MAX);
}

const getReportSeriesEndpoint = endpoint({
  ...shared,
  path: '/relatorios/serie',
  summary: 'Ver os números por dia, por hora ou por dia da semana',
  description: `${about} Dias, horas e dias da semana sem entregas ficam de fora. Por hora não há filtro de entregador nem de área, há só médias, e as paradas e os agrupamentos vêm nulos.`,
  query: Type.Object({ ...period, por: Type.Enum([...SERIES]), ...filters }),
  queryExample: { ...periodExample, por: 'dia' },
  refusals,
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        chave: Type.String({
          description: 'o dia (AAAA-MM-DD), a hora (0 a 23) ou o dia da semana (1, segunda, a 7, domingo)',
        }),
        ...PointFiguresSchema.properties,
      }),
    ),
  ),
  answerExample: { success: true, data: [{ chave: '2026-11-09', ...figuresExample }] },
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const points = await findPoints(db, caller.centralId, query.por, parseFilters(caller, query), days);
    const format = query.por === 'hora' ? formatHourFigures : formatFigures;
    return { data: points.map(({ key, tally }) => ({ chave: String(key), ...format(tally) })) };
  },
});

const partSchema = Type.Object({
  id: nullable(recordId),
  nome: nullable(Type.String({ description: 'nulo: sem empresa, fora das áreas, ou apagado' })),
  ...FiguresSchema.properties,
});

const formatPart = ({ id, name, tally }: Part): Static<typeof partSchema> => ({
  id,
  nome: name,
  ...formatFigures(tally),
});

const getReportPartsEndpoint = endpoint({
  ...shared,
  path: '/relatorios/divisao',
  summary: 'Ver os números por empresa, entregador ou área',
  description: `${about} As maiores primeiro, até ${PARTS_MAX}. Por área pode haver filtro de empresa; os tempos são médias, e o total tem também mediana e percentil 90.`,
  query: Type.Object({ ...period, por: Type.Enum(['empresa', 'condutor', 'area']), ...filters }),
  queryExample: { ...periodExample, por: 'empresa' },
  refusals,
  answer: dataAnswer(Type.Array(partSchema)),
  answerExample: { success: true, data: [{ id: 1, nome: 'Padaria Moinhos', ...figuresExample }] },
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const parts = await findParts(db, caller, query.por, parseFilters(caller, query), days);
    return { data: parts.map(formatPart) };
  },
});

const reasonSchema = Type.Object({
  tipo: Type.Enum(['cancelada', 'parada_nao_entregue']),
  motivo: Type.String({
    description:
      'o id do motivo de cancelamento, ou `ausente`, `endereco_errado`, `recusado`, `outro`; vazio: sem motivo',
  }),
  nome: nullable(Type.String({ description: 'do motivo de cancelamento' })),
  quantidade: Type.Integer({ minimum: 0 }),
});

const formatReason = ({ kind, reason, name, count }: ReasonCount): Static<typeof reasonSchema> => ({
  tipo: kind === 'cancelled' ? 'cancelada' : 'parada_nao_entregue',
  motivo: kind === 'cancelled' || reason === '' ? reason : failureReasonCode[reason as FailureReason],
  nome: name,
  quantidade: count,
});

const getReportReasonsEndpoint = endpoint({
  ...shared,
  path: '/relatorios/motivos',
  summary: 'Ver por que entregas foram canceladas e paradas não foram entregues',
  description: `${about} Com filtro de empresa, ou sem filtro.`,
  query: Type.Object({ ...period, ...filters }),
  queryExample: periodExample,
  refusals,
  answer: dataAnswer(Type.Array(reasonSchema)),
  answerExample: {
    success: true,
    data: [
      { tipo: 'cancelada', motivo: '2', nome: 'Mudança de planos', quantidade: 4 },
      { tipo: 'parada_nao_entregue', motivo: 'ausente', nome: null, quantidade: 2 },
    ],
  },
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const reasons = await findReasons(db, caller.centralId, parseFilters(caller, query), days);
    return { data: reasons.map(formatReason) };
  },
});

const getReportFileEndpoint = endpoint({
  ...shared,
  path: '/relatorios/arquivo',
  summary: 'Baixar um relatório para planilhas',
  description: `${about} O mesmo que a série, a divisão ou os motivos, em CSV; o conteúdo vem em base64.`,
  query: Type.Object({ ...period, por: Type.Enum([...SERIES, ...PARTS]), ...filters }),
  queryExample: { ...periodExample, por: 'dia' },
  refusals,
  answer: dataAnswer(
    Type.Object({
      nome: Type.String({ description: 'nome do arquivo' }),
      tipo: Type.String({ description: 'tipo de mídia' }),
      conteudo: Type.String({ description: 'base64' }),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      nome: 'relatorio-dia-2026-11-09-2026-11-15.csv',
      tipo: 'text/csv; charset=utf-8',
      conteudo: 'RGlhO0VuY2VycmFkYXMNCg==',
    },
  },
  async handle({ deps: { db }, caller, query }) {
    const { por } = query;
    const days = parsePeriod(query.de, query.ate);
    const chosen = parseFilters(caller, query);
    const file = async (): Promise<Buffer> => {
      if (por === 'motivo')
        return reasonsCsv((await findReasons(db, caller.centralId, chosen, days)).map(formatReason));
      if (por === 'empresa' || por === 'condutor' || por === 'area')
        return partsCsv(por, await findParts(db, caller, por, chosen, days));
      return pointsCsv(por, await findPoints(db, caller.centralId, por, chosen, days));
    };
    return {
      data: {
        nome: `relatorio-${por === 'condutor' ? 'entregador' : por}-${days.from}-${days.to}.csv`,
        tipo: 'text/csv; charset=utf-8',
        conteudo: (await file()).toString('base64'),
      },
    };
  },
});

export const reportEndpoints: Endpoint[] = [
  getReportEndpoint,
  getReportSeriesEndpoint,
  getReportPartsEndpoint,
  getReportReasonsEndpoint,
  getReportFileEndpoint,
];
