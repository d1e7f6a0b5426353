import type pg from 'pg';
import { readerOf, toParameter } from './pgValues.ts';

export interface Statement {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Whether columns come back in camelCase. */
  isCamelCase?: boolean;
}

export interface Result {
  /** What PostgreSQL says that it did: `INSERT 0 1`, `COMMIT`. */
  tag: string;
  rows: object[];
}

/** How the rows of a statement are read. */
interface Columns {
  plain: Names;
  camelCase: Names;
  readers: readonly ((text: string) => unknown)[];
}

interface Names {
  names: readonly string[];
  /** A row in which every column is null. */
  empty: Readonly<Record<string, unknown>>;
}

const namesOf = (names: readonly string[]): Names => ({
  names,
  empty: Object.fromEntries(names.map((name) => [name, null])),
});

/** The rule for the names of all columns: `central_id` becomes `centralId`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The statements that a connection has prepared, by name. Undefined: they return no rows. */
type PreparedStatements = Map<string, Columns | undefined>;

const preparedOn = new WeakMap<pg.Connection, PreparedStatements>();

/** The server knows other statements than this connection: they were dropped, or their columns have changed. */
const OUTDATED = ['26000', '0A000'];

/**
 * Sends statements in one message and returns their results: one round trip, and the server's process wakes once. Each
 * is prepared under its name at its first use on a connection, and described only then.
 *
 * The message ends with one synchronisation point, so after a failed statement the server skips the rest: a `commit` at
 * the end commits only if all statements before it succeeded, and nothing runs outside a transaction whose `begin`
 * failed.
 */
export function send(client: pg.ClientBase, statements: readonly Statement[]): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, resolve, reject));
  });
}

interface BoundStatement extends Statement {
  parameters: (string | Buffer | null)[];
}

/** Gives an error the stack trace of the caller that awaits the statement, instead of that of the socket. */
export const tracedHere = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });

/** A query of pg's client, like pg-cursor's: the client submits it and passes the server's answers to it. */
export class Batch implements pg.Submittable {
  readonly statements: readonly BoundStatement[];
  readonly resolve: (results: Result[]) => void;
  readonly reject: (error: unknown) => void;
  #prepared: PreparedStatements = new Map();
  /** The names that this message prepares. */
  readonly #new: string[] = [];
  readonly #results: Result[] = [];
  #rows: object[] = [];
  #columns: Columns | undefined;
  #names: Names | undefined;
  #unreadable: unknown;

  constructor(
    statements: readonly Statement[],
    resolve: (results: Result[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.statements = statements.map((statement) => ({
      ...statement,
      parameters: statement.values.map(toParameter),
    }));
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    const known = preparedOn.get(connection);
    if (known) this.#prepared = known;
    else preparedOn.set(connection, this.#prepared);
    connection.stream.cork();
    for (const { name, text, parameters } of this.statements) {
      const isNew = !this.#prepared.has(name);
      if (isNew) this.#parse(connection, name, text);
      connection.bind({ statement: name, values: parameters }, true);
      if (isNew) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    this.#next();
  }

  /** After a failed message the server may know the name, so it is closed first. */
  #parse(connection: pg.Connection, name: string, text: string): void {
    this.#new.push(name);
    this.#prepared.set(name, undefined);
    connection.close({ type: 'S', name }, true);
    connection.parse({ name, text, types: [] }, true);
  }

  #next(): void {
    const statement = this.statements[this.#results.length];
    if (statement) this.#read(statement, this.#prepared.get(statement.name));
    this.#rows = [];
  }

  #read({ isCamelCase }: Statement, columns: Columns | undefined): void {
    this.#columns = columns;
    this.#names = isCamelCase ? columns?.camelCase : columns?.plain;
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    const statement = this.statements[this.#results.length]!;
    const names = fields.map(({ name }) => name);
    const columns = {
      plain: namesOf(names),
      camelCase: namesOf(names.map(toCamelCase)),
      readers: fields.map(({ dataTypeID }) => readerOf(dataTypeID)),
    };
    this.#prepared.set(statement.name, columns);
    this.#read(statement, columns);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unreadable) return;
    const { empty, names } = this.#names!;
    const { readers } = this.#columns!;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index];
        if (text != null) row[names[index]!] = readers[index]!(text);
      }
    } catch (error) {
      this.#unreadable = error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push({ tag: text, rows: this.#rows });
    this.#next();
  }

  handleError(error: Error & { code?: string }): void {
    // Which of them were prepared before the error is not known.
    for (const name of this.#new) this.#prepared.delete(name);
    if (OUTDATED.includes(error.code ?? '')) this.#prepared.clear();
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#unreadable) this.reject(this.#unreadable);
    else this.resolve(this.#results);
  }
}
