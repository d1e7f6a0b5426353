import { read } from '../api.ts';

const PAGE = 100;

/** A whole register, page by page: for choosing from, and for looking names up. */
export async function readAll<Entry>(path: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const some = await read<Entry[]>(`${path}?limite=${PAGE}&pagina=${page}`);
    all.push(...some);
    if (some.length < PAGE) return all;
  }
}
