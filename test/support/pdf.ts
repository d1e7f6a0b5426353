import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  title: string;
  /** The texts of each page, in drawing order. */
  pages: string[][];
  /** The number of filled rectangles on each page. */
  boxes: number[];
}

/**
 * Reads a PDF file as a viewer does: from its end to the table of objects, then to the catalogue, the page tree and the
 * contents of each page. Asserts the structure along the way.
 */
export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1');
  assert.ok(text.startsWith('%PDF-1.4\n'), 'no header');
  const end = /\nstartxref\n(\d+)\n%%EOF\n$/.exec(text);
  assert.ok(end, 'no end');
  const table = /^xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)*)trailer\n<< (.*) >>\n/.exec(
    text.slice(Number(end[1])),
  );
  assert.ok(table, 'no table of objects');
  const offsets = [...table[2]!.matchAll(/^\d{10}/gm)].map(([offset]) => Number(offset));
  assert.equal(offsets.length + 1, Number(table[1]), 'the table has another length');
  const objects = offsets.map((offset, index) => {
    const head = `${index + 1} 0 obj\n`;
    assert.equal(text.slice(offset, offset + head.length), head);
    return text.slice(offset + head.length, text.indexOf('\nendobj\n', offset));
  });
  const objectOf = (holder: string, name: string, type?: string): string => {
    const reference = new RegExp(`/${name} (\\d+) 0 R`).exec(holder);
    assert.ok(reference, `no /${name} in ${holder}`);
    const object = objects[Number(reference[1]) - 1];
    assert.ok(object, `there is no object ${reference[1]}`);
    if (type) assert.ok(object.startsWith(`<< /Type /${type} `), object);
    return object;
  };
  const tree = objectOf(objectOf(table[3]!, 'Root', 'Catalog'), 'Pages', 'Pages');
  const [, kids, count] = /\/Kids \[((?:\d+ 0 R ?)+)\] \/Count (\d+)/.exec(tree)!;
  const pages = [...kids!.matchAll(/(\d+) 0 R/g)].map(([, id]) => objects[Number(id) - 1]!);
  assert.equal(pages.length, Number(count));
  const contents = pages.map((page) => {
    assert.ok(page.startsWith('<< /Type /Page '), page);
    assert.equal(objectOf(page, 'Parent'), tree);
    assert.match(page, /\/MediaBox \[0 0 595 842\]/);
    for (const font of ['F1', 'F2']) objectOf(page, font, 'Font');
    const [all, length, stream] = /^<< \/Length (\d+) .*?\nstream\n([\s\S]*)\nendstream$/.exec(
      objectOf(page, 'Contents'),
    )!;
    assert.ok(all.includes('/Filter /FlateDecode'));
    assert.equal(stream!.length, Number(length));
    return inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1');
  });
  return {
    title: plainText(/\/Title \(((?:\\.|[^\\)])*)\)/.exec(objectOf(table[3]!, 'Info'))![1]!),
    pages: contents.map((drawn) =>
      [...drawn.matchAll(/\(((?:\\.|[^\\)])*)\) Tj/g)].map(([, words]) => plainText(words!)),
    ),
    boxes: contents.map((drawn) => [...drawn.matchAll(/ re$/gm)].length),
  };
}

const plainText = (text: string): string => text.replace(/\\(.)/g, '$1');
