import type { Entry, OutboxStorage } from '../core/outbox.ts';
import type { FixStorage, OwnFix, StoredFix } from '../core/positions.ts';

const NAME = 'malote-entregador';
/** A later version adds stores and never drops the outbox. */
const VERSION = 1;

export interface Database {
  outbox: Omit<OutboxStorage, 'load'>;
  fixes: Omit<FixStorage, 'load'>;
  /** The notes of these names, the outbox and the positions, in one transaction: a start waits for it. */
  load(names: readonly string[]): Promise<{ notes: unknown[]; entries: Entry[]; fixes: StoredFix[] }>;
  read<T>(name: string): Promise<T | undefined>;
  write(name: string, value: unknown): Promise<void>;
}

/** The phone's own database: everything that must outlive the app. */
export async function openDatabase(): Promise<Database> {
  // Without this the browser may clear it when the phone is short of space.
  void navigator.storage?.persist?.().catch(() => false);
  let db = await open();
  const run = async <T>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T> | undefined,
  ): Promise<T> => {
    try {
      return await transact(db, store, mode, work);
    } catch (error) {
      // A phone that clears storage, or puts the app to sleep, may have closed the database under it.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      db = await open();
      return transact(db, store, mode, work);
    }
  };

  return {
    outbox: {
      async add(entries) {
        const keys: IDBRequest<IDBValidKey>[] = [];
        await run('outbox', 'readwrite', (store) => {
          for (const entry of entries) keys.push(store.add(entry));
          return undefined;
        });
        return entries.map((entry, index) => ({ ...entry, seq: Number(keys[index]!.result) }));
      },
      async put(entry) {
        await run('outbox', 'readwrite', (store) => store.put(entry));
      },
      async remove(seqs) {
        await run('outbox', 'readwrite', (store) => {
          for (const seq of seqs) store.delete(seq);
          return undefined;
        });
      },
    },
    fixes: {
      async add(fix: OwnFix) {
        return { ...fix, seq: Number(await run('positions', 'readwrite', (store) => store.add(fix))) };
      },
      async remove(seqs) {
        await run('positions', 'readwrite', (store) => {
          for (const seq of seqs) store.delete(seq);
          return undefined;
        });
      },
    },
    load: (names) =>
      new Promise((resolve, reject) => {
        const tx = db.transaction(['notes', 'outbox', 'positions'], 'readonly');
        const notes = names.map((name) => tx.objectStore('notes').get(name));
        const entries = tx.objectStore('outbox').getAll() as IDBRequest<Entry[]>;
        const fixes = tx.objectStore('positions').getAll() as IDBRequest<StoredFix[]>;
        tx.oncomplete = () =>
          resolve({
            notes: notes.map(({ result }) => result as unknown),
            entries: entries.result,
            fixes: fixes.result,
          });
        tx.onabort = () => reject(tx.error ?? new Error('not read'));
      }),
    read: <T>(name: string) => run<T | undefined>('notes', 'readonly', (store) => store.get(name)),
    async write(name, value) {
      await run('notes', 'readwrite', (store) => store.put(value, name));
    },
  };
}

const transact = <T>(
  db: IDBDatabase,
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T> =>
  new Promise((resolve, reject) => {
    // Strict: what the driver was told to be kept survives a phone that loses power.
    const tx = db.transaction(store, mode, { durability: 'strict' });
    const request = work(tx.objectStore(store));
    tx.oncomplete = () => resolve(request?.result as T);
    tx.onabort = () => reject(tx.error ?? new Error('not stored'));
  });

function open(version: number | undefined = VERSION): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, version);
    request.onupgradeneeded = () => {
      const db = request.result;
      db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      db.createObjectStore('positions', { keyPath: 'seq', autoIncrement: true });
      db.createObjectStore('notes');
    };
    request.onsuccess = () => {
      const db = request.result;
      // A newer version of the app in another window must not wait for this one.
      db.onversionchange = () => db.close();
      resolve(db);
    };
    request.onerror = () => {
      // The service went back to an earlier version: what a later one stored holds all that this one knows.
      if (version !== undefined && request.error?.name === 'VersionError') resolve(open(undefined));
      else reject(request.error ?? new Error('no storage'));
    };
  });
}
