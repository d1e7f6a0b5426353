import { createHash } from 'node:crypto';

/*
 * SQL that is put together from pieces. A piece is literals and values: values become parameters and never text, pieces
 * nest, and only `raw` makes text of a string. A text is joined at the first use of its combination of literals and found
 * again by walking them, so each combination is one named prepared statement.
 */
export class Sql {
  readonly literals: readonly string[];
  readonly values: readonly unknown[];
  constructor(literals: readonly string[], values: readonly unknown[]) {
    this.literals = literals;
    this.values = values;
  }
}

export const sql = (literals: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(literals, values);

/** Text of this program, never of its callers. */
export const raw = (text: string): Sql => new Sql(literalsOf([text]), []);

/** The pieces, of which there is at least one, with this text between them. */
export const joined = (pieces: readonly Sql[], separator: string): Sql =>
  pieces.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`);

// A row is an object whose fields are named as its columns. A value may be a piece.

/** `central_id, id` */
export const names = (row: object): Sql => raw(Object.keys(row).join(', '));

/** `$1, $2`, in the order of `names`. */
export function values(row: object): Sql {
  const given = Object.values(row);
  return new Sql(literalsOf(['', ...new Array<string>(given.length - 1).fill(', '), '']), given);
}

/** `name = $1, phone = $2` */
export function changes(row: object): Sql {
  const starts = Object.keys(row).map((column, index) => `${index === 0 ? '' : ', '}${column} = `);
  return new Sql(literalsOf([...starts, '']), Object.values(row));
}

/** A text with the name of its prepared statement. */
interface Prepared {
  text: string;
  name: string;
}

/** A node in the tree by which texts are found: each step is the next literal, compared by identity. */
class Place {
  readonly next = new Map<readonly string[], Place>();
  prepared: Prepared | undefined;
}

const start = new Place();
/** Tells a value from a piece at the same place. */
const VALUE: readonly string[] = [];

/** The text of a statement, and its parameters. */
export function prepare(
  literals: readonly string[],
  given: readonly unknown[],
): Prepared & { values: unknown[] } {
  const parameters: unknown[] = [];
  const place = walk(start, literals, given, parameters);
  place.prepared ??= named(join(literals, given, { count: 0 }));
  return { ...place.prepared, values: parameters };
}

function walk(
  from: Place,
  literals: readonly string[],
  given: readonly unknown[],
  parameters: unknown[],
): Place {
  let place = step(from, literals);
  for (const value of given) {
    if (value instanceof Sql) place = walk(place, value.literals, value.values, parameters);
    else {
      parameters.push(value);
      place = step(place, VALUE);
    }
  }
  return place;
}

function step({ next }: Place, literals: readonly string[]): Place {
  let place = next.get(literals);
  if (!place) {
    place = new Place();
    next.set(literals, place);
  }
  return place;
}

function join(literals: readonly string[], given: readonly unknown[], parameters: { count: number }): string {
  return literals.reduce((text, literal, index) => {
    const value = given[index - 1];
    if (value instanceof Sql) return `${text}${join(value.literals, value.values, parameters)}${literal}`;
    parameters.count += 1;
    return `${text}$${parameters.count}${literal}`;
  });
}

const namedTexts = new Map<string, Prepared>();

/** The name is a digest of the text, because PostgreSQL truncates names at 63 bytes. */
export function named(text: string): Prepared {
  let found = namedTexts.get(text);
  if (!found) {
    found = { text, name: createHash('sha256').update(text).digest('hex').slice(0, 32) };
    namedTexts.set(text, found);
  }
  return found;
}

const knownLiterals = new Map<string, readonly string[]>();

/** Returns one array for equal texts, so that `walk` recognises them. */
function literalsOf(texts: readonly string[]): readonly string[] {
  const key = texts.join('\0');
  let known = knownLiterals.get(key);
  if (!known) {
    known = texts;
    knownLiterals.set(key, known);
  }
  return known;
}
