import { withoutFormula } from '../../../platform/kernel/formulas.ts';
import { inSlices } from '../../../platform/kernel/inSlices.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';

/** A figure or a date that the functions below have formatted, never a text that a user typed. */
export interface CsvFigure {
  figure: string;
}
export type CsvCell = string | number | CsvFigure | null;

/** The byte order mark, which marks the file as UTF-8. */
export const CSV_MARK = '\ufeff';

/** A line with semicolons between the cells, as spreadsheets in Brazil expect. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(write).join(';')}\r\n`;

/** The lines of many rows, made in several turns of the event loop, which a thousand rows would block. */
export const csvLines = <Row>(
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly CsvCell[],
): Promise<string> => inSlices(writeLines(rows, cellsOf));

function* writeLines<Row>(
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly CsvCell[],
): Generator<void, string, void> {
  let text = '';
  for (const row of rows) {
    text += csvLine(cellsOf(row));
    yield;
  }
  return text;
}

/** 16/11/2026 of 2026-11-16. */
export const brDay = (day: string): string => day.split('-').reverse().join('/');

/** 1.234,50 */
export function brAmount(cents: number): string {
  const [whole = '', fraction = ''] = centsToDecimal(Math.abs(cents)).split('.');
  return `${cents < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
}

/** An amount for computations in spreadsheets: without thousands separators, which some read as decimal points. */
export const amountCell = (cents: number): CsvFigure => ({ figure: brAmount(cents).replaceAll('.', '') });

export const dayCell = (day: string | null): CsvCell => day && { figure: brDay(day) };

/** On the central's clock: 16/11/2026 12:00. */
export function momentCell(at: Temporal.Instant | null, timeZone: string): CsvCell {
  if (at === null) return null;
  const local = at.toZonedDateTimeISO(timeZone);
  const clock = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return { figure: `${brDay(local.toPlainDate().toString())} ${clock}` };
}

/** Quotes a cell if necessary. */
function write(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell !== 'string') return cell.figure;
  const safe = withoutFormula(cell);
  return /[";\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
