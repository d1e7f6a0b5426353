import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query';
import { type Answer, call, type Entry } from '../api.ts';
import { saveFile } from '../ui/saveFile.ts';

export type Report = Answer<'operacao', 'GET /relatorios/resumo'>;
export type Point = Entry<'operacao', 'GET /relatorios/serie'>;
export type Part = Entry<'operacao', 'GET /relatorios/divisao'>;
export type Reason = Entry<'operacao', 'GET /relatorios/motivos'>;
export type Figures = Omit<Point, 'chave'>;
export type SeriesBy = 'dia' | 'hora' | 'dia_semana';
export type PartsBy = 'empresa' | 'condutor' | 'area';

/** The period and the filters of all parts of a report. */
export interface ReportQuery {
  de: string;
  ate: string;
  empresa_id?: number;
  condutor_id?: number;
  area_id?: number;
}

/** The server updates its totals every few seconds. A report on the screen is read less often. */
const AGAIN_MS = 60_000;
const shared = { placeholderData: keepPreviousData, refetchInterval: AGAIN_MS } as const;

export const useReport = (query: ReportQuery, other: { de: string; ate: string } | null) =>
  useQuery({
    ...shared,
    queryKey: ['report', query, other],
    queryFn: () =>
      call('operacao', 'GET /relatorios/resumo', {
        query: { ...query, ...(other && { comparar_de: other.de, comparar_ate: other.ate }) },
      }),
  });

export const useSeries = (query: ReportQuery, por: SeriesBy) =>
  useQuery({
    ...shared,
    queryKey: ['report-series', query, por],
    queryFn: () => call('operacao', 'GET /relatorios/serie', { query: { ...query, por } }),
  });

export const useParts = (query: ReportQuery, por: PartsBy) =>
  useQuery({
    ...shared,
    queryKey: ['report-parts', query, por],
    queryFn: () => call('operacao', 'GET /relatorios/divisao', { query: { ...query, por } }),
  });

export const useReasons = (query: ReportQuery) =>
  useQuery({
    ...shared,
    queryKey: ['report-reasons', query],
    queryFn: () => call('operacao', 'GET /relatorios/motivos', { query }),
  });

/** Whether a part of the report for the chosen period and filters is still missing. */
export const useIsReportLoading = (): boolean =>
  useIsFetching({
    predicate: ({ queryKey, state }) => String(queryKey[0]).startsWith('report') && state.data === undefined,
  }) > 0;

/** Saves a part of a report as a file for spreadsheets. */
export async function downloadReport(query: ReportQuery, por: SeriesBy | PartsBy | 'motivo'): Promise<void> {
  const file = await call('operacao', 'GET /relatorios/arquivo', { query: { ...query, por } });
  const bytes = Uint8Array.from(atob(file.conteudo), (character) => character.charCodeAt(0));
  saveFile(file.nome, new Blob([bytes], { type: file.tipo }));
}
