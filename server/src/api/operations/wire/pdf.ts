import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const deflated = promisify(deflate);

/** A4, in points. */
export const PAGE = { width: 595, height: 842, margin: 42 } as const;

/** A piece of text; `x` is where it begins or, for figures, where it ends. `y` counts from the top. */
export interface PdfText {
  x: number;
  y: number;
  text: string;
  size?: number;
  bold?: boolean;
  /** Right-aligned, as amounts are. In bold, only digits, signs and capital letters end exactly there. */
  endsAt?: boolean;
}

/** A filled rectangle; `y` is its upper edge, counted from the top. */
export interface PdfBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PdfPage {
  texts: PdfText[];
  /** Horizontal lines, from margin to margin, by their distance from the top. */
  rules: number[];
  boxes: PdfBox[];
}

/**
 * The pieces of a PDF file with pages of text, with two of the standard fonts and the Western European encoding, which
 * has all letters of Portuguese. Each page is a piece, so that only one is in memory. docs/decisions/0010 says why no
 * library is used.
 */
export async function* pdfPieces(
  title: string,
  pageCount: number,
  pages: AsyncIterable<PdfPage>,
): AsyncGenerator<Buffer> {
  let length = 0;
  const offsets: number[] = [];
  const piece = (...parts: readonly Buffer[]): Buffer => {
    const bytes = Buffer.concat(parts);
    length += bytes.length;
    return bytes;
  };
  const object = (content: string | Buffer): Buffer => {
    offsets.push(length);
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    return piece(Buffer.from(`${offsets.length} 0 obj\n`), bytes, Buffer.from('\nendobj\n'));
  };
  const font = (name: string) =>
    object(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  yield piece(Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  yield font('Helvetica');
  yield font('Helvetica-Bold');
  yield object(`<< /Title ${literal(title)} /Producer (Malote) >>`);
  const [regular, bold, info] = [1, 2, 3];
  const fonts = `<< /F1 ${regular} 0 R /F2 ${bold} 0 R >>`;
  // The page tree is written after the pages, and each page refers to it.
  const treeId = offsets.length + pageCount * 2 + 1;
  const pageIds: number[] = [];
  for await (const page of pages) {
    const stream = await deflated(Buffer.from(drawn(page), 'latin1'));
    yield object(
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    );
    const streamId = offsets.length;
    yield object(
      `<< /Type /Page /Parent ${treeId} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
        `/Resources << /Font ${fonts} >> /Contents ${streamId} 0 R >>`,
    );
    pageIds.push(offsets.length);
  }
  const kids = pageIds.map((id) => `${id} 0 R`).join(' ');
  yield object(`<< /Type /Pages /Kids [${kids}] /Count ${pageCount} >>`);
  yield object(`<< /Type /Catalog /Pages ${treeId} 0 R /Lang (pt-BR) >>`);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  yield Buffer.from(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries}trailer\n` +
      `<< /Size ${offsets.length + 1} /Root ${treeId + 1} 0 R /Info ${info} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
}

function drawn({ texts, rules, boxes }: PdfPage): string {
  const lines = rules.map(
    (y) => `0.5 w ${PAGE.margin} ${PAGE.height - y} m ${PAGE.width - PAGE.margin} ${PAGE.height - y} l S`,
  );
  const words = texts.map(({ x, y, text, size = 9, bold = false, endsAt = false }) => {
    const left = endsAt ? x - widthOf(text, size) : x;
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${left.toFixed(2)} ${PAGE.height - y} Td ${literal(text)} Tj ET`;
  });
  const filled = boxes.map(
    ({ x, y, width, height }) =>
      `${x.toFixed(3)} ${(PAGE.height - y - height).toFixed(3)} ${width.toFixed(3)} ${height.toFixed(3)} re`,
  );
  return [...lines, ...words, ...(filled.length > 0 ? [...filled, 'f'] : [])].join('\n');
}

/** Letters of the encoding, and single spaces: the usual text, which is printed as it is. */
const PRINTABLE = /^(?:[!-~\xa1-\xff]| (?! ))*$/;

/** The printable form of a text: Latin letters stay, others become a question mark, and line breaks a space. */
const printed = (text: string): string =>
  PRINTABLE.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/[–—]/g, '-')
        .replace(/[‘’]/g, "'")
        .replace(/[“”]/g, '"')
        .replace(/…/g, '...')
        .replace(/\s+/g, ' ')
        .replace(/[^\x20-\x7e\xa0-\xff]/gu, '?');

/** The text as a PDF string. */
const literal = (text: string): string => `(${printed(text).replace(/[\\()]/g, '\\$&')})`;

/** Widths of Helvetica in thousandths of the size. Digits, signs and most capital letters are as wide in bold. */
const WIDTHS: Readonly<Record<number, string>> = {
  191: "'",
  222: 'ijl',
  278: ' !,./:;I[\\]ft',
  333: '()-`r',
  500: 'Jckxsvyz',
  584: '+<=>~',
  611: 'FTZ',
  667: '&ABEKPSVXY',
  722: 'CDHNRUw',
  778: 'GOQ',
  833: 'Mm',
  889: '%',
  944: 'W',
  1015: '@',
};
const WIDTH_USUAL = 556;
const widthOfLetter = new Map(
  Object.entries(WIDTHS).flatMap(([width, characters]) =>
    characters.split('').map((each) => [each, Number(width)]),
  ),
);
/** By character code. An accent does not change the width of its letter. */
const widths = Array.from(
  { length: 0x100 },
  (_, code) => widthOfLetter.get(String.fromCharCode(code).normalize('NFKD').charAt(0)) ?? WIDTH_USUAL,
);

const widthOfPrinted = (text: string, size: number): number => {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) width += widths[text.charCodeAt(at)] ?? WIDTH_USUAL;
  return (width * size) / 1_000;
};

export const widthOf = (text: string, size: number): number => widthOfPrinted(printed(text), size);

/**
 * Splits a text into lines that fit the column; a wider word is cut. Each letter is measured once, because a statement
 * has thousands of texts, whose content is untrusted.
 */
export function wrap(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  const space = widthOfPrinted(' ', size);
  for (const word of printed(text).split(/\s+/)) {
    const wordWidth = widthOfPrinted(word, size);
    if (line && lineWidth + space + wordWidth <= width) {
      line += ` ${word}`;
      lineWidth += space + wordWidth;
      continue;
    }
    if (line) lines.push(line);
    const pieces = wordWidth <= width ? [word] : cut(word, width, size);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1)!;
    lineWidth = widthOfPrinted(line, size);
  }
  return [...lines, line];
}

/** Pieces of a printed word that fit, at least a letter each. */
function cut(word: string, width: number, size: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  let pieceWidth = 0;
  for (let at = 0; at < word.length; at += 1) {
    const letter = widthOfPrinted(word.charAt(at), size);
    if (at > from && pieceWidth + letter > width) {
      pieces.push(word.slice(from, at));
      from = at;
      pieceWidth = 0;
    }
    pieceWidth += letter;
  }
  return [...pieces, word.slice(from)];
}
