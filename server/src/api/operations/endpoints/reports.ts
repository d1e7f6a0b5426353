import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
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
} from '../../../insight/reports/reportStore.ts';
import type { Tally } from '../../../insight/reports/tally.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { FailureReason } from '../../../platform/kernel/states.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { FileAnswer, FileSchema, fileAnswerExample } from '../../http/fileAnswer.ts';
import { formatted } from '../../http/formats.ts';
import type { Check } from '../../http/validation.ts';
import { failureReasonCode } from '../../json/codes.ts';
import { answerWith, answerWithList, dataAnswer } from '../../json/values.ts';
import { code, id, integer, one, text, view } from '../../json/view.ts';
import { recordId } from '../wire/fields.ts';
import { count, figureFields, pointFields } from '../wire/reportFigures.ts';
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
const shared = {
  method: 'GET',
  tag: TAG,
  permission: 'reports',
  limit: 'operations',
  isHeavy: true,
} as const;
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

interface Summed {
  days: Period;
  tally: Tally;
}

const summed = view<Summed>()({
  de: text(({ days }) => days.from, '2026-11-10'),
  ate: text(({ days }) => days.to, '2026-11-16'),
  ...figureFields,
});

const report = view<{ shown: Summed; other: Summed | null; open: number | null }>()({
  periodo: one(summed, ({ shown }) => shown),
  comparacao: one.orNull(summed, ({ other }) => other, {
    example: { ...summed.example, de: '2026-11-03', ate: '2026-11-09' },
  }),
  em_aberto: integer.orNull(
    ({ open }) => open,
    3,
    'solicitadas no período e ainda não encerradas; nulo por entregador ou por área',
  ),
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
  ...answerWith(report),
  async handle({ deps: { db }, caller, query }) {
    const { centralId, central } = caller;
    const days = parsePeriod(query.de, query.ate);
    const otherDays =
      query.comparar_de && query.comparar_ate ? parsePeriod(query.comparar_de, query.comparar_ate) : null;
    const { companyId, driverId, areaId } = parseFilters(caller, query);
    const subject = subjectOf(companyId, driverId, areaId);
    const sumOf = async (days: Period) => ({ days, tally: await sumPeriod(db, centralId, subject, days) });
    const instantOf = (day: Temporal.PlainDate) => day.toZonedDateTime(central.timeZone).toInstant();
    const [shown, other, open] = await Promise.all([
      sumOf(days),
      otherDays && sumOf(otherDays),
      driverId === null && areaId === null
        ? countStillOpen(
            db,
            centralId,
            companyId,
            instantOf(Temporal.PlainDate.from(days.from)),
            instantOf(Temporal.PlainDate.from(days.to).add({ days: 1 })),
          )
        : null,
    ]);
    return { data: report.show({ shown, other, open }, undefined) };
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

const point = view<Point & { isHour: boolean }>()({
  chave: text(
    ({ key }) => String(key),
    '2026-11-09',
    'o dia (AAAA-MM-DD), a hora (0 a 23) ou o dia da semana (1, segunda, a 7, domingo)',
  ),
  ...pointFields,
});

const getReportSeriesEndpoint = endpoint({
  ...shared,
  path: '/relatorios/serie',
  summary: 'Ver os números por dia, por hora ou por dia da semana',
  description: `${about} Dias, horas e dias da semana sem entregas ficam de fora. Por hora não há filtro de entregador nem de área, há só médias, e as paradas e os agrupamentos vêm nulos.`,
  query: Type.Object({ ...period, por: Type.Enum([...SERIES]), ...filters }),
  queryExample: { ...periodExample, por: 'dia' },
  refusals,
  ...answerWithList(point),
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const points = await findPoints(db, caller.centralId, query.por, parseFilters(caller, query), days);
    const isHour = query.por === 'hora';
    return { data: points.map((each) => point.show({ ...each, isHour }, undefined)) };
  },
});

const part = view<Part>()({
  id: id.orNull((each) => each.id, '1'),
  nome: text.orNull((each) => each.name, 'Padaria Moinhos', 'nulo: sem empresa, fora das áreas, ou apagado'),
  ...figureFields,
});

const getReportPartsEndpoint = endpoint({
  ...shared,
  path: '/relatorios/divisao',
  summary: 'Ver os números por empresa, entregador ou área',
  description: `${about} As maiores primeiro, até ${PARTS_MAX}. Por área pode haver filtro de empresa; os tempos são médias, e o total tem também mediana e percentil 90.`,
  query: Type.Object({ ...period, por: Type.Enum(['empresa', 'condutor', 'area']), ...filters }),
  queryExample: { ...periodExample, por: 'empresa' },
  refusals,
  ...answerWithList(part),
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const parts = await findParts(db, caller, query.por, parseFilters(caller, query), days);
    return { data: parts.map((each) => part.show(each, undefined)) };
  },
});

const reason = view<ReasonCount>()({
  tipo: code({ cancelled: 'cancelada', stop_failed: 'parada_nao_entregue' })(
    (each) => each.kind,
    'cancelada',
  ),
  motivo: text(
    (each) =>
      each.kind === 'cancelled' || each.reason === ''
        ? each.reason
        : failureReasonCode[each.reason as FailureReason],
    '2',
    'o id do motivo de cancelamento, ou `ausente`, `endereco_errado`, `recusado`, `outro`; vazio: sem motivo',
  ),
  nome: text.orNull((each) => each.name, 'Mudança de planos', 'do motivo de cancelamento'),
  quantidade: count((each) => each.count, 4),
});

const getReportReasonsEndpoint = endpoint({
  ...shared,
  path: '/relatorios/motivos',
  summary: 'Ver por que entregas foram canceladas e paradas não foram entregues',
  description: `${about} Com filtro de empresa, ou sem filtro.`,
  query: Type.Object({ ...period, ...filters }),
  queryExample: periodExample,
  refusals,
  answer: dataAnswer(Type.Array(reason.schema)),
  answerExample: {
    success: true,
    data: [reason.example, { tipo: 'parada_nao_entregue', motivo: 'ausente', nome: null, quantidade: 2 }],
  },
  async handle({ deps: { db }, caller, query }) {
    const days = parsePeriod(query.de, query.ate);
    const reasons = await findReasons(db, caller.centralId, parseFilters(caller, query), days);
    return { data: reasons.map((each) => reason.show(each, undefined)) };
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
  answer: FileSchema,
  answerExample: fileAnswerExample(
    'relatorio-dia-2026-11-09-2026-11-15.csv',
    'text/csv; charset=utf-8',
    'RGlhO0VuY2VycmFkYXMNCg==',
  ),
  async handle({ deps: { db }, caller, query }) {
    const { por } = query;
    const days = parsePeriod(query.de, query.ate);
    const chosen = parseFilters(caller, query);
    // The file is made in one piece: a period has at most a year of days, and a division at most 500 lines.
    const file = async function* (): AsyncGenerator<Buffer> {
      if (por === 'motivo')
        yield reasonsCsv(
          (await findReasons(db, caller.centralId, chosen, days)).map((each) => reason.show(each, undefined)),
        );
      else if (por === 'empresa' || por === 'condutor' || por === 'area')
        yield partsCsv(por, await findParts(db, caller, por, chosen, days));
      else yield pointsCsv(por, await findPoints(db, caller.centralId, por, chosen, days));
    };
    const name = `relatorio-${por === 'condutor' ? 'entregador' : por}-${days.from}-${days.to}.csv`;
    return new FileAnswer(name, 'text/csv; charset=utf-8', file());
  },
});

export const reportEndpoints: Endpoint[] = [
  getReportEndpoint,
  getReportSeriesEndpoint,
  getReportPartsEndpoint,
  getReportReasonsEndpoint,
  getReportFileEndpoint,
];
