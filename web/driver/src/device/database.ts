import type { Entry, OutboxStorage } from '../core/outbox.ts';
import type { FixStorage, OwnFix, StoredFix } from '../core/positions.ts';

const NAME = 'malote-entregador';
/** A later version adds stores and never drops the outbox. */
const VERSION = 1;

export interface Database {
  outbox: Omit<OutboxStorage, 'load'>;
  fixes: Omit<FixStorage, 'load'>;
  /** Reads these notes, the outbox and the positions in one transaction, because a start waits for it. */
  load(names: readonly string[]): Promise<{ notes: unknown[]; entries: Entry[]; fixes: StoredFix[] }>;
  read<T>(name: string): Promise<T | undefined>;
  write(name: string, value: unknown): Promise<void>;
}

/** Opens the database on the phone, which holds everything that must survive the end of the app. */
export async function openDatabase(): Promise<Database> {
  // Without this, the browser may clear the database when the phone is short of space.
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
      // The browser may close the database when storage is cleared or the app is suspended.
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
        tx.onabort = () => reject(tx.error ?? new Error('the database could not be read'));
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
    // Strict durability: an action shown as stored survives a loss of power.
    const tx = db.transaction(store, mode, { durability: 'strict' });
    const request = work(tx.objectStore(store));
    tx.oncomplete = () => resolve(request?.result as T);
    tx.onabort = () => reject(tx.error ?? new Error('the database transaction was aborted'));
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
      // After a downgrade of the service: the later database has every store that this version uses.
      if (version !== undefined && request.error?.name === 'VersionError') resolve(open(undefined));
      else reject(request.error ?? new Error('the database could not be opened'));
    };
  });
}
