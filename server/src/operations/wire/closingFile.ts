import type { Closing, ClosingLine, LineKind } from '../../billing/closingStore.ts';
import { amountCell, brAmount, brDay, CSV_MARK, csvLine, dayCell } from './csv.ts';
import { PAGE, type PdfPage, type PdfText, writePdf } from './pdf.ts';

/** What people call the lines of a closing. */
export const lineWords: Record<LineKind, string> = {
  delivery: 'Entrega',
  cancellation_fee: 'Cancelamento',
  wallet: 'Pago com créditos',
  cash: 'Recebido em dinheiro',
  direct: 'Pago no pedido',
  payment: 'Pagamento',
  share: 'Repasse',
  collected: 'Dinheiro recebido',
  handed_in: 'Dinheiro entregue',
  adjustment: 'Ajuste',
};

export interface ClosingDocument {
  centralName: string;
  closing: Closing;
  lines: readonly ClosingLine[];
  /** The code that pays what is due; null where there is none. */
  pix: string | null;
}

const describeLine = ({ kind, reverses, note }: ClosingLine): string =>
  [reverses ? `Estorno: ${lineWords[kind].toLowerCase()}` : lineWords[kind], note]
    .filter(Boolean)
    .join(' - ');

/** A coupon lowers the price; the line says by how much. */
const discountOf = ({ kind, grossCents, amountCents }: ClosingLine): number =>
  kind === 'delivery' ? amountCents - grossCents : 0;

export function closingCsv({ lines }: Pick<ClosingDocument, 'lines'>): Buffer {
  const head = ['Número', 'Data', 'Entrega', 'Lançamento', 'Valor', 'Desconto', 'Total'];
  const rows = lines.map((line) => [
    line.number,
    dayCell(line.day),
    line.deliveryId,
    describeLine(line),
    amountCell(line.kind === 'delivery' ? line.grossCents : line.amountCents),
    amountCell(discountOf(line)),
    amountCell(line.amountCents),
  ]);
  return Buffer.from(CSV_MARK + [head, ...rows].map(csvLine).join(''));
}

const LINE_HEIGHT = 14;
const RIGHT = PAGE.width - PAGE.margin;
const FOOT = PAGE.height - 40;
const CODE_COLUMNS = 80;
const WORDS_MAX = 62;

export async function closingPdf(document: ClosingDocument): Promise<Buffer> {
  const { closing, lines, pix, centralName } = document;
  const isCompany = closing.companyId !== null;
  const pages: PdfPage[] = [];
  let y = 0;
  const page = (): PdfPage => pages.at(-1)!;
  const write = (text: Omit<PdfText, 'y'>): void => void page().texts.push({ ...text, y });
  const begin = (): void => {
    pages.push({ texts: [], rules: [] });
    y = 50;
  };
  const next = (height = LINE_HEIGHT): void => {
    y += height;
    if (y > FOOT) {
      begin();
      tableHead();
    }
  };
  const tableHead = (): void => {
    for (const [x, text] of [
      [PAGE.margin, 'Data'],
      [110, 'Entrega'],
      [175, 'Lançamento'],
    ] as const)
      write({ x, text, bold: true });
    write({ x: RIGHT, text: 'R$', bold: true, endsAt: true });
    page().rules.push(y + 4);
    next();
  };

  begin();
  write({ x: PAGE.margin, text: centralName, bold: true, size: 15 });
  next(22);
  const title = isCompany ? 'Fatura' : 'Acerto de contas';
  write({ x: PAGE.margin, text: `${title} nº ${closing.id}`, bold: true, size: 12 });
  next(18);
  write({ x: PAGE.margin, text: [closing.name, closing.document].filter(Boolean).join(' - '), size: 10 });
  next();
  write({ x: PAGE.margin, text: `Período: ${brDay(closing.fromDay)} a ${brDay(closing.toDay)}`, size: 10 });
  next(24);
  tableHead();
  for (const line of lines) {
    write({ x: PAGE.margin, text: brDay(line.day) });
    if (line.deliveryId !== null) write({ x: 110, text: String(line.deliveryId) });
    const discount = discountOf(line);
    const words = describeLine(line) + (discount === 0 ? '' : ` (desconto ${brAmount(discount)})`);
    write({ x: 175, text: words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}...` : words });
    write({ x: RIGHT, text: brAmount(line.amountCents), endsAt: true });
    next();
  }
  page().rules.push(y - 8);
  next(8);
  for (const [words, cents] of totalsOf(closing)) {
    write({ x: 320, text: words });
    write({ x: RIGHT, text: brAmount(cents), endsAt: true });
    next();
  }
  write({ x: 320, text: dueWords(closing), bold: true, size: 11 });
  write({ x: RIGHT, text: `R$ ${brAmount(Math.abs(closing.dueCents))}`, bold: true, size: 11, endsAt: true });
  next(24);
  if (pix) {
    write({ x: PAGE.margin, text: 'Pix copia e cola', bold: true });
    for (let at = 0; at < pix.length; at += CODE_COLUMNS) {
      next();
      write({ x: PAGE.margin, text: pix.slice(at, at + CODE_COLUMNS) });
    }
  }
  for (const [index, each] of pages.entries())
    each.texts.push({
      x: RIGHT,
      y: PAGE.height - 24,
      text: `${index + 1} / ${pages.length}`,
      endsAt: true,
      size: 8,
    });
  return writePdf(`${title} ${closing.id} - ${closing.name}`, pages);
}

/** The sums of the closing in the order of the kinds; kinds without entries are left out. */
const totalsOf = ({ totals }: Pick<Closing, 'totals'>): [words: string, cents: number][] =>
  (Object.keys(lineWords) as LineKind[])
    .filter((kind) => totals[kind])
    .map((kind) => [lineWords[kind], totals[kind]!]);

function dueWords({ companyId, dueCents }: Pick<Closing, 'companyId' | 'dueCents'>): string {
  if (companyId !== null) return dueCents < 0 ? 'Crédito da empresa' : 'Total a pagar';
  return dueCents < 0 ? 'O entregador deve' : 'A pagar ao entregador';
}
