import { withoutFormula } from '../../../../server/src/kernel/formulas.ts';
import type { Apis } from '../../api.gen.ts';

type ChangesPage = Apis['operacao']['GET /auditoria']['answer'];

/** So many are asked for by one export at most; a shorter period gives the rest. */
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

const cell = (text: string): string => `"${withoutFormula(text).replaceAll('"', '""')}"`;

/** With the mark that makes spreadsheets read UTF-8. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((line) => `${line.map(cell).join(';')}\r\n`).join('')}`;
