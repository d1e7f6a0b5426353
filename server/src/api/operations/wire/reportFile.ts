import type { Part, Point } from '../../../insight/reports/reportStore.ts';
import { FAILURE_REASON_LABELS, type Label } from '../../json/labels.ts';
import { brDay, CSV_MARK, type CsvCell, type CsvFigure, csvLine } from './csv.ts';
import { type PointFigures, pointFigures } from './reportFigures.ts';

const HEADS = {
  dia: 'Dia',
  hora: 'Hora',
  dia_semana: 'Dia da semana',
  empresa: 'Empresa',
  condutor: 'Entregador',
  area: 'Área',
} as const;

const WEEKDAYS = ['segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado', 'domingo'];

const COLUMNS: readonly [head: string, value: (figures: PointFigures) => CsvCell][] = [
  ['Encerradas', ({ encerradas }) => encerradas],
  ['Finalizadas', ({ finalizadas }) => finalizadas],
  ['Com prazo', ({ com_prazo }) => com_prazo],
  ['No prazo', ({ no_prazo }) => no_prazo],
  ['No prazo (%)', ({ com_prazo, no_prazo }) => (com_prazo ? decimal((100 * no_prazo) / com_prazo) : null)],
  ['Canceladas', ({ canceladas }) => canceladas],
  ['Não atendidas', ({ nao_atendidas }) => nao_atendidas],
  ['Paradas entregues', ({ paradas_entregues }) => paradas_entregues],
  ['Paradas não entregues', ({ paradas_nao_entregues }) => paradas_nao_entregues],
  ['Agrupamentos', ({ agrupamentos }) => agrupamentos],
  ['Km economizados', ({ metros_economizados }) => kilometres(metros_economizados)],
  ['Até o aceite, média (min)', ({ tempos }) => minutes(tempos.aceite.media)],
  ['Até a coleta, média (min)', ({ tempos }) => minutes(tempos.coleta.media)],
  ['Até a entrega, média (min)', ({ tempos }) => minutes(tempos.entrega.media)],
  ['Total, média (min)', ({ tempos }) => minutes(tempos.total.media)],
  ['Total, mediana (min)', ({ tempos }) => minutes(tempos.total.mediana)],
  ['Total, 90 % até (min)', ({ tempos }) => minutes(tempos.total.p90)],
];

/** For example 12,5. */
const decimal = (value: number): CsvFigure => ({ figure: value.toFixed(1).replace('.', ',') });
const kilometres = (metres: number | null): CsvCell => (metres === null ? null : decimal(metres / 1000));
const minutes = (seconds: number | null): CsvCell => (seconds === null ? null : decimal(seconds / 60));

const csv = (rows: readonly (readonly CsvCell[])[]): Buffer =>
  Buffer.from(CSV_MARK + rows.map(csvLine).join(''));

const figuresCsv = (head: string, lines: readonly [name: string, figures: PointFigures][]): Buffer =>
  csv([
    [head, ...COLUMNS.map(([name]) => name)],
    ...lines.map(([name, figures]) => [name, ...COLUMNS.map(([, value]) => value(figures))]),
  ]);

export function pointsCsv(by: 'dia' | 'hora' | 'dia_semana', points: readonly Point[]): Buffer {
  const nameOf = (key: string | number): string => {
    if (by === 'hora') return `${key}h`;
    if (by === 'dia_semana') return WEEKDAYS[Number(key) - 1]!;
    return brDay(String(key));
  };
  return figuresCsv(
    HEADS[by],
    points.map(({ key, tally }) => [
      nameOf(key),
      pointFigures.show({ tally, isHour: by === 'hora' }, undefined),
    ]),
  );
}

export const partsCsv = (by: 'empresa' | 'condutor' | 'area', parts: readonly Part[]): Buffer =>
  figuresCsv(
    HEADS[by],
    parts.map(({ id, name, tally }) => [
      name ?? (id === null ? (by === 'empresa' ? 'Sem empresa' : 'Fora das áreas') : String(id)),
      pointFigures.show({ tally, isHour: false }, undefined),
    ]),
  );

const REASON_LABELS: Readonly<Record<string, Label>> = FAILURE_REASON_LABELS;

export const reasonsCsv = (
  reasons: readonly { tipo: string; motivo: string; nome: string | null; quantidade: number }[],
): Buffer =>
  csv([
    ['O que houve', 'Motivo', 'Quantidade'],
    ...reasons.map(({ tipo, motivo, nome, quantidade }) => [
      tipo === 'cancelada' ? 'Entrega cancelada' : 'Parada não entregue',
      nome ?? REASON_LABELS[motivo]?.pt ?? (motivo || 'Sem motivo'),
      quantidade,
    ]),
  ]);
