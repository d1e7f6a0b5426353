import type { Part, Point } from '../../reports/reportStore.ts';
import { type Figures, formatFigures } from './reportFigures.ts';

const HEADS = {
  dia: 'Dia',
  hora: 'Hora',
  dia_semana: 'Dia da semana',
  empresa: 'Empresa',
  condutor: 'Entregador',
  area: 'Área',
} as const;

const WEEKDAYS = ['segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado', 'domingo'];

const COLUMNS: readonly [head: string, value: (figures: Figures) => string][] = [
  ['Encerradas', ({ encerradas }) => String(encerradas)],
  ['Finalizadas', ({ finalizadas }) => String(finalizadas)],
  ['Com prazo', ({ com_prazo }) => String(com_prazo)],
  ['No prazo', ({ no_prazo }) => String(no_prazo)],
  ['No prazo (%)', ({ com_prazo, no_prazo }) => (com_prazo ? decimal((100 * no_prazo) / com_prazo) : '')],
  ['Canceladas', ({ canceladas }) => String(canceladas)],
  ['Não atendidas', ({ nao_atendidas }) => String(nao_atendidas)],
  ['Paradas entregues', ({ paradas_entregues }) => String(paradas_entregues)],
  ['Paradas não entregues', ({ paradas_nao_entregues }) => String(paradas_nao_entregues)],
  ['Agrupamentos', ({ agrupamentos }) => String(agrupamentos)],
  ['Km economizados', ({ metros_economizados }) => decimal(metros_economizados / 1000)],
  ['Até o aceite, média (min)', ({ tempos }) => minutes(tempos.aceite.media)],
  ['Até a coleta, média (min)', ({ tempos }) => minutes(tempos.coleta.media)],
  ['Até a entrega, média (min)', ({ tempos }) => minutes(tempos.entrega.media)],
  ['Total, média (min)', ({ tempos }) => minutes(tempos.total.media)],
  ['Total, mediana (min)', ({ tempos }) => minutes(tempos.total.mediana)],
  ['Total, 90 % até (min)', ({ tempos }) => minutes(tempos.total.p90)],
];

/** 12,5 */
const decimal = (value: number): string => value.toFixed(1).replace('.', ',');
const minutes = (seconds: number | null): string => (seconds === null ? '' : decimal(seconds / 60));

/** Spreadsheets take what begins with these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (text: string): string => {
  const plain = FORMULA.test(text) && !/^-?[\d,]+$/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** As spreadsheets in Brazil read it: semicolons, decimal commas, and a mark that the letters are UTF-8. */
const csv = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(`\ufeff${rows.map((row) => row.map(cell).join(';')).join('\r\n')}\r\n`);

const figuresCsv = (head: string, lines: readonly [name: string, figures: Figures][]): Buffer =>
  csv([
    [head, ...COLUMNS.map(([name]) => name)],
    ...lines.map(([name, figures]) => [name, ...COLUMNS.map(([, value]) => value(figures))]),
  ]);

export function pointsCsv(by: 'dia' | 'hora' | 'dia_semana', points: readonly Point[]): Buffer {
  const nameOf = (key: string | number): string => {
    if (by === 'hora') return `${key}h`;
    if (by === 'dia_semana') return WEEKDAYS[Number(key) - 1]!;
    return String(key).split('-').reverse().join('/');
  };
  return figuresCsv(
    HEADS[by],
    points.map(({ key, tally }) => [nameOf(key), formatFigures(tally)]),
  );
}

export const partsCsv = (by: 'empresa' | 'condutor' | 'area', parts: readonly Part[]): Buffer =>
  figuresCsv(
    HEADS[by],
    parts.map(({ id, name, tally }) => [
      name ?? (id === null ? (by === 'empresa' ? 'Sem empresa' : 'Fora das áreas') : String(id)),
      formatFigures(tally),
    ]),
  );

/** What people call the reasons why a stop was not handed over. */
const REASON_WORDS: Record<string, string> = {
  ausente: 'Ninguém para receber',
  endereco_errado: 'Endereço errado',
  recusado: 'Recusado',
  outro: 'Outro motivo',
};

export const reasonsCsv = (
  reasons: readonly { tipo: string; motivo: string; nome: string | null; quantidade: number }[],
): Buffer =>
  csv([
    ['O que houve', 'Motivo', 'Quantidade'],
    ...reasons.map(({ tipo, motivo, nome, quantidade }) => [
      tipo === 'cancelada' ? 'Entrega cancelada' : 'Parada não entregue',
      nome ?? REASON_WORDS[motivo] ?? (motivo || 'Sem motivo'),
      String(quantidade),
    ]),
  ]);
