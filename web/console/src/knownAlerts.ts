/** Something that needs attention. */
export interface AlertItem {
  /** Stays the same while the problem is the same. */
  key: string;
  text: string;
}

/** An item that returns after this time counts as new. */
const KNOWN_MS = 12 * 3_600_000;
const DATABASE = 'malote.avisos';
const STORE = 'vistos';

/** When each item was last present, by its key. */
type Known = Record<string, number>;

/**
 * Returns the items that no tab has announced yet, and records all of them as known. At the very first call, nothing is
 * new. It uses a transaction of IndexedDB, because another tab may see a write to localStorage late.
 */
export async function takeNew(items: readonly AlertItem[], whose: string): Promise<AlertItem[]> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite');
      const store = transaction.objectStore(STORE);
      const read = store.get(whose) as IDBRequest<Known | undefined>;
      let fresh: AlertItem[] = [];
      read.onsuccess = () => {
        const known = read.result;
        fresh = known ? items.filter(({ key }) => known[key] === undefined) : [];
        store.put(remember(known ?? {}, items), whose);
      };
      transaction.oncomplete = () => resolve(fresh);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function remember(known: Known, items: readonly AlertItem[]): Known {
  const now = Date.now();
  const recent = Object.entries(known).filter(([, at]) => now - at < KNOWN_MS);
  return Object.fromEntries([...recent, ...items.map(({ key }) => [key, now] as const)]);
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
