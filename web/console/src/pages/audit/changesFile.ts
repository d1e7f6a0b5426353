import { withoutFormula } from '../../../../../server/src/platform/kernel/formulas.ts';
import type { Apis } from '../../../../shared/api.gen.ts';

type ChangesPage = Apis['operacao']['GET /auditoria']['answer'];

/** The maximum number of pages in one export. The rest can be exported with a shorter period. */
const PAGES_MAX = 150;
export const PAGE_CHANGES = 200;

/** All changes, page by page. `isCut`: there are more. */
export async function readAllChanges(
  readPage: (cursor: string | null) => Promise<ChangesPage>,
): Promise<{ changes: ChangesPage['alteracoes']; isCut: boolean }> {
  const changes: ChangesPage['alteracoes'] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { alteracoes, proximo } = await readPage(cursor);
    changes.push(...alteracoes);
    cursor = proximo;
    if (cursor === null) break;
  }
  return { changes, isCut: cursor !== null };
}

/** 16/11/2026 23:05:09 in both languages, which spreadsheets sort and filter by. */
export const csvMoment = (at: string, timeZone: string): string =>
  new Date(at)
    .toLocaleString('pt-BR', {
      timeZone,
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    .replace(',', '');

const cell = (text: string): string => `"${withoutFormula(text).replaceAll('"', '""')}"`;

/** Starts with a byte order mark, so that spreadsheets read it as UTF-8. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((line) => `${line.map(cell).join(';')}\r\n`).join('')}`;
