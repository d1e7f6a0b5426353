import { LRUCache } from 'lru-cache';

const BYTES_MAX = 32 * 1024 * 1024;
/** The memory of an entry beside its text: key, versions, and the cache's own fields. */
const ENTRY_BYTES = 600;

/**
 * A cache of texts that were made from rows. Each text has the versions of all rows it was made from, and is returned
 * only for exactly these versions. The caller has just read the versions from the database, so a text is never older
 * than the rows, whichever process changed them.
 *
 * The version is `xmin`, the transaction that wrote the row. It changes with every update by any program, and needs no
 * column that each writer must remember to raise. After a restore the server counts its transactions from an earlier
 * point, so `clear` is called whenever connections were lost.
 */
export interface RowTexts {
  /** `own`: versions of the row and of rows that belong to it alone. `shared`: those of rows that others use too. */
  find(key: string, own: string, shared: ReadonlySet<string>): Buffer | undefined;
  /** `shared` are the versions of only those shared rows that this text was made from. */
  keep(key: string, own: string, shared: readonly string[], text: Buffer): void;
  /**
   * Makes missing texts, except those that another caller is making already, and waits for all of them. A text of
   * another caller may be older than the rows that this caller has read: `find` checks that.
   */
  makeOnce(keys: readonly string[], make: (keys: readonly string[]) => Promise<void>): Promise<void>;
  clear(): void;
  figures(): RowTextFigures;
}

export interface RowTextFigures {
  bytes: number;
  texts: number;
  hits: number;
  misses: number;
}

interface Kept {
  own: string;
  shared: readonly string[];
  text: Buffer;
}

export function rowTexts(bytesMax = BYTES_MAX): RowTexts {
  const texts = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
  });
  const inTheMaking = new Map<string, Promise<void>>();
  let hits = 0;
  let misses = 0;
  return {
    find(key, own, shared) {
      const kept = texts.get(key);
      if (kept?.own === own && kept.shared.every((version) => shared.has(version))) {
        hits += 1;
        return kept.text;
      }
      misses += 1;
      return undefined;
    },
    keep: (key, own, shared, text) => void texts.set(key, { own, shared, text }),
    async makeOnce(keys, make) {
      const others = keys.flatMap((key) => inTheMaking.get(key) ?? []);
      const own = keys.filter((key) => !inTheMaking.has(key));
      const making = own.length > 0 ? make(own) : Promise.resolve();
      for (const key of own) inTheMaking.set(key, making);
      try {
        await Promise.all([making, Promise.allSettled(others)]);
      } finally {
        for (const key of own) inTheMaking.delete(key);
      }
    },
    clear: () => texts.clear(),
    figures: () => ({ bytes: texts.calculatedSize, texts: texts.size, hits, misses }),
  };
}
