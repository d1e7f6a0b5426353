import { encode } from 'uqr';
import type { Central } from '../../../centrals/central.ts';
import type { Closing, ClosingLine, LineKind } from '../../../money/billing/closingStore.ts';
import { formatDocument } from '../../../platform/kernel/documents.ts';
import { closingLineCode, labelsOf } from '../../json/codes.ts';
import { ACCOUNT_LINE_LABELS, ACCOUNT_SUM_LABELS } from '../../json/labels.ts';
import { amountCell, brAmount, brDay, CSV_MARK, type CsvCell, csvLine, dayCell } from './csv.ts';
import { PAGE, type PdfBox, type PdfPage, type PdfText, pdfPieces, wrap } from './pdf.ts';

/** The labels of the lines of a closing. */
export const lineWords = labelsOf(closingLineCode, ACCOUNT_LINE_LABELS);

/** The sums, in the order in which they are shown. */
const SUMS: readonly LineKind[] = [
  'delivery',
  'cancellation_fee',
  'wallet',
  'cash',
  'direct',
  'payment',
  'share',
  'collected',
  'handed_in',
  'adjustment',
];

const totalWords = labelsOf(closingLineCode, ACCOUNT_SUM_LABELS);

export interface ClosingDocument {
  central: Pick<Central, 'name' | 'timeZone'>;
  closing: Closing;
  /** The lines from the first one on, some at a time. A PDF is laid out twice, because each page names their number. */
  lines(): AsyncIterable<readonly ClosingLine[]>;
  /** The Pix code for the amount due; null where there is none. */
  pix: string | null;
}

const describeLine = ({ kind, reverses, note }: ClosingLine): string =>
  [reverses ? `Estorno: ${lineWords[kind].toLowerCase()}` : lineWords[kind], note]
    .filter(Boolean)
    .join(' - ');

/** Only a charge has a price before the coupon. */
const isCharge = ({ kind }: ClosingLine): boolean => kind === 'delivery' || kind === 'cancellation_fee';

/** The discount by the coupon. */
export const discountOf = (line: ClosingLine): number =>
  isCharge(line) ? line.amountCents - line.grossCents : 0;

export async function* closingCsv({ lines }: Pick<ClosingDocument, 'lines'>): AsyncGenerator<Buffer> {
  const head = ['Número', 'Data', 'Entrega', 'Lançamento', 'Valor', 'Desconto', 'Total'];
  yield Buffer.from(CSV_MARK + csvLine(head));
  for await (const some of lines()) yield Buffer.from(some.map((line) => csvLine(cellsOf(line))).join(''));
}

const cellsOf = (line: ClosingLine): CsvCell[] => [
  line.number,
  dayCell(line.day),
  line.deliveryId,
  describeLine(line),
  amountCell(isCharge(line) ? line.grossCents : line.amountCents),
  amountCell(discountOf(line)),
  amountCell(line.amountCents),
];

const LINE_HEIGHT = 14;
const RIGHT = PAGE.width - PAGE.margin;
const FOOT = PAGE.height - 40;
const SIZE = 9;
const DELIVERY_AT = 110;
const WORDS_AT = 175;
const WORDS_WIDTH = 300;
const TOTALS_AT = 320;
const CODE_COLUMNS = 62;
/** Large enough for the camera of a phone: each dot is 0.7 mm. */
const QR_SIZE = 120;

const NOTHING = Buffer.alloc(0);

/** The pieces of the file. Those of the first layout, which only counts pages, are empty. */
export async function* closingPdf(document: ClosingDocument): AsyncGenerator<Buffer> {
  const { closing } = document;
  const title = `${closing.companyId === null ? 'Acerto de contas' : 'Fatura'} nº ${closing.id}`;
  let count = 0;
  for await (const _page of pagesOf(document, title)) {
    count += 1;
    yield NOTHING;
  }
  yield* pdfPieces(`${title} - ${closing.name}`, count, numbered(pagesOf(document, title), count));
}

async function* numbered(pages: AsyncIterable<PdfPage>, count: number): AsyncGenerator<PdfPage> {
  let number = 0;
  for await (const page of pages) {
    number += 1;
    const text = `${number} / ${count}`;
    page.texts.push({ x: RIGHT, y: PAGE.height - 24, text, endsAt: true, size: 8 });
    yield page;
  }
}

const emptyPage = (): PdfPage => ({ texts: [], rules: [], boxes: [] });

async function* pagesOf(
  { closing, lines, pix, central }: ClosingDocument,
  title: string,
): AsyncGenerator<PdfPage> {
  let page = emptyPage();
  let y = 50;
  const write = (text: Omit<PdfText, 'y'>): void => void page.texts.push({ size: SIZE, ...text, y });
  const writeLines = (text: string, as: { size: number; bold?: boolean }, height: number): void => {
    // Bold letters are wider than widthOf computes.
    const width = (RIGHT - PAGE.margin) * (as.bold ? 0.92 : 1);
    for (const line of wrap(text, width, as.size)) {
      write({ x: PAGE.margin, text: line, ...as });
      y += height;
    }
  };
  const beginNext = (): PdfPage => {
    const full = page;
    page = emptyPage();
    y = 50;
    writeLines(`${central.name} - ${title} - ${closing.name}`, { size: 8 }, 10);
    y += 12;
    return full;
  };
  const tableHead = (): void => {
    write({ x: PAGE.margin, text: 'Data', bold: true });
    write({ x: DELIVERY_AT, text: 'Entrega', bold: true });
    write({ x: WORDS_AT, text: 'Lançamento', bold: true });
    write({ x: RIGHT, text: 'R$', bold: true, endsAt: true });
    page.rules.push(y + 4);
    y += LINE_HEIGHT + 2;
  };

  writeLines(central.name, { bold: true, size: 15 }, 22);
  write({ x: PAGE.margin, text: title, bold: true, size: 12 });
  y += 18;
  const registered = closing.document && formatDocument(closing.document);
  writeLines([closing.name, registered].filter(Boolean).join(' - '), { size: 10 }, LINE_HEIGHT);
  write({ x: PAGE.margin, text: periodOf(closing, central.timeZone), size: 10 });
  y += 24;
  tableHead();
  for await (const some of lines())
    for (const line of some) {
      const discount = discountOf(line);
      const words = describeLine(line) + (discount === 0 ? '' : ` (desconto ${brAmount(discount)})`);
      const [first = '', ...others] = wrap(words, WORDS_WIDTH, SIZE);
      // A line and the rest of its reason are kept on one page.
      if (y + others.length * LINE_HEIGHT > FOOT) {
        yield beginNext();
        tableHead();
      }
      write({ x: PAGE.margin, text: brDay(line.day) });
      if (line.deliveryId !== null) write({ x: DELIVERY_AT, text: String(line.deliveryId) });
      write({ x: WORDS_AT, text: first });
      write({ x: RIGHT, text: brAmount(line.amountCents), endsAt: true });
      for (const text of others) {
        y += LINE_HEIGHT;
        write({ x: WORDS_AT, text });
      }
      y += LINE_HEIGHT;
    }
  page.rules.push(y - 9);

  // The sums and the Pix code are kept on one page.
  const sums = totalsOf(closing);
  if (y + (sums.length + 3) * LINE_HEIGHT + (pix ? QR_SIZE + 24 : 0) > FOOT) yield beginNext();
  else y += 8;
  for (const [words, cents] of sums) {
    write({ x: TOTALS_AT, text: words });
    write({ x: RIGHT, text: brAmount(cents), endsAt: true });
    y += LINE_HEIGHT;
  }
  y += 4;
  write({ x: TOTALS_AT, text: dueWords(closing), bold: true, size: 11 });
  write({ x: RIGHT, text: `R$ ${brAmount(Math.abs(closing.dueCents))}`, bold: true, size: 11, endsAt: true });
  y += LINE_HEIGHT;
  if (closing.totals.settled) {
    const settled = brAmount(Math.abs(closing.totals.settled));
    const text = `Pagamentos de fechamentos anteriores (R$ ${settled}) estão na lista e não entram no total.`;
    write({ x: PAGE.margin, text, size: 8 });
  }
  y += 10;
  if (pix) {
    page.boxes.push(...qrBoxes(pix, PAGE.margin, y));
    const x = PAGE.margin + QR_SIZE + 16;
    y += 16;
    write({ x, text: `Pague por Pix: R$ ${brAmount(closing.dueCents)}`, bold: true, size: 11 });
    y += 18;
    write({ x, text: 'Aponte a câmera do aplicativo do banco para o código, ou use o Pix copia e cola:' });
    y += 4;
    for (let at = 0; at < pix.length; at += CODE_COLUMNS) {
      y += LINE_HEIGHT;
      write({ x, text: pix.slice(at, at + CODE_COLUMNS) });
    }
  }
  yield page;
}

function periodOf({ fromDay, toDay, createdAt, paidAt }: Closing, timeZone: string): string {
  const dayOf = (at: Temporal.Instant) => brDay(at.toZonedDateTimeISO(timeZone).toPlainDate().toString());
  const paid = paidAt ? `, pago em ${dayOf(paidAt)}` : '';
  return `Período: ${brDay(fromDay)} a ${brDay(toDay)}, fechado em ${dayOf(createdAt)}${paid}`;
}

/** The dark dots of the code; adjacent dots are merged. */
function qrBoxes(text: string, left: number, top: number): PdfBox[] {
  const { data, size } = encode(text, { border: 0 });
  const dot = QR_SIZE / size;
  const boxes: PdfBox[] = [];
  for (const [row, cells] of data.entries())
    for (let from = 0; from < size; from += 1) {
      if (!cells[from]) continue;
      let to = from;
      while (cells[to]) to += 1;
      boxes.push({ x: left + from * dot, y: top + row * dot, width: (to - from) * dot, height: dot });
      from = to;
    }
  return boxes;
}

/** The sums of the closing in the order of the kinds; kinds without entries are left out. */
const totalsOf = ({ totals }: Pick<Closing, 'totals'>): [words: string, cents: number][] =>
  SUMS.filter((kind) => totals[kind]).map((kind) => {
    const isCounted = kind === 'delivery' || kind === 'share';
    return [isCounted ? `${totalWords[kind]} (${totals.deliveries})` : totalWords[kind], totals[kind]!];
  });

function dueWords({ companyId, dueCents }: Pick<Closing, 'companyId' | 'dueCents'>): string {
  if (companyId !== null) return dueCents < 0 ? 'Crédito da empresa' : 'Total a pagar';
  return dueCents < 0 ? 'O entregador deve' : 'A pagar ao entregador';
}
