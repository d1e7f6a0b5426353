import type { Caller } from '../../../centrals/caller.ts';
import type { ProofLinks } from '../../../deliveries/proof/proofLinks.ts';
import { secretBox } from '../../../platform/kernel/secretBox.ts';
import { canonicalJson } from '../../http/body.ts';
import { invalid } from '../../http/invalidInput.ts';

/** Starts a walk. */
export const START = 'inicio';
export const CURSOR_LENGTH_MAX = 1_000;

/** Writes and reads the cursors of one walk: of one list, with one caller's scope and one set of filters. */
export interface WalkCursors {
  write(state: unknown): string;
  /** Refuses a cursor that was changed, or is of another walk. */
  read(cursor: string): unknown;
}

/**
 * A cursor is encrypted with a key of its central, because it says what callers may not know: how many transactions the
 * server has carried out, and which rows others have. The walk is authenticated along with it.
 */
export async function walkCursors(
  { proofLinks }: { proofLinks: ProofLinks },
  { centralId, companyId }: Caller,
  list: string,
  filters: unknown,
): Promise<WalkCursors> {
  const box = secretBox([await proofLinks.keyFor(centralId, 'cursors')]);
  const walk = canonicalJson([centralId, companyId, list, filters]);
  return {
    write: (state) => box.seal(JSON.stringify(state), walk).slice(box.currentPrefix.length).replace(':', '.'),
    read(cursor) {
      const text = isCanonical(cursor)
        ? box.open(box.currentPrefix + cursor.replace('.', ':'), walk)
        : undefined;
      if (text !== undefined) return JSON.parse(text);
      throw invalid(
        'cursor',
        `não é desta consulta: use o proximo_cursor como veio, com o mesmo usuário e os mesmos filtros, ou comece com ${START}`,
        `is not one of this query: use the proximo_cursor as it came, with the same user and the same filters, or begin with ${START}`,
      );
    },
  };
}

/** The last letters of base64 have bits that do not count. */
const isCanonical = (cursor: string): boolean =>
  cursor.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
