import type { Json } from './http.ts';

/** What a single value must be. */
interface Leaf {
  what: string;
  fits(value: unknown): boolean;
}

interface Fields {
  fields: Readonly<Record<string, Shape>>;
  isNullable?: true;
}
interface Items {
  items: Shape;
}
/** A field that is there under a condition, and absent otherwise. */
interface Conditional {
  when: string;
  holds(parent: Json): boolean;
  then: Shape;
}
interface Optional {
  optional: Shape;
}

export type Shape = Leaf | Fields | Items | Conditional | Optional;

const leaf = (what: string, fits: Leaf['fits']): Leaf => ({ what, fits });
const matching = (what: string, pattern: RegExp): Leaf =>
  leaf(what, (value) => typeof value === 'string' && pattern.test(value));

export const text = leaf('a string', (value) => typeof value === 'string');
export const filled = leaf(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const idText = matching('an id as a string', /^\d+$/);
export const integer = leaf('an integer', (value) => Number.isInteger(value));
export const number = leaf('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const boolean = leaf('a boolean', (value) => typeof value === 'boolean');
export const decimal = matching('a decimal string', /^-?\d+(\.\d+)?$/);
export const money = matching('a decimal string with two decimals', /^-?\d+\.\d{2}$/);
export const local = matching('YYYY-MM-DD HH:MM:SS', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
export const utc = matching('ISO 8601 in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
export const date = matching('DD/MM/YYYY', /^\d\d\/\d\d\/\d{4}$/);
export const time = matching('HH:MM:SS', /^\d\d:\d\d:\d\d$/);
export const url = leaf('a URL', (value) => typeof value === 'string' && URL.canParse(value));
export const anything = leaf('present', (value) => value !== undefined);

export const oneOf = (...values: readonly unknown[]): Leaf =>
  leaf(`one of ${values.join(', ')}`, (value) => values.includes(value));

export const orNull = ({ what, fits }: Leaf): Leaf =>
  leaf(`${what} or null`, (value) => value === null || fits(value));

export const object = (fields: Readonly<Record<string, Shape>>): Fields => ({ fields });
export const objectOrNull = (fields: Readonly<Record<string, Shape>>): Fields => ({
  fields,
  isNullable: true,
});
export const list = (items: Shape): Items => ({ items });
export const optional = (shape: Shape): Optional => ({ optional: shape });
export const only = (when: string, holds: (parent: Json) => boolean, then: Shape): Conditional => ({
  when,
  holds,
  then,
});

interface FieldRule {
  /** e.g. `data[].paradas[].lat` */
  path: string;
  /** e.g. `a decimal string` */
  what: string;
  /** How many values were found, and the problem of the first wrong one. */
  check(root: unknown): { count: number; problem?: string };
}

/** A rule for each field of a shape, so that each is reported by itself. */
export function rulesOf(shape: Shape, path: string): FieldRule[] {
  return flatten(shape, path, (root) => [{ value: root }]);
}

interface Found {
  value: unknown;
  parent?: Json;
}
type Find = (root: unknown) => Found[];

function flatten(shape: Shape, path: string, find: Find): FieldRule[] {
  if ('fits' in shape) return [rule(path, shape.what, find, ({ value }) => shape.fits(value))];
  if ('items' in shape) {
    const isList = rule(path, 'a list', find, ({ value }) => Array.isArray(value));
    const inner: Find = (root) =>
      find(root).flatMap(({ value }) => (Array.isArray(value) ? value.map((each) => ({ value: each })) : []));
    return [isList, ...flatten(shape.items, `${path}[]`, inner)];
  }
  if ('optional' in shape) return flatten(shape.optional, path, (root) => find(root).filter(isPresent));
  if ('when' in shape) {
    const present: Find = (root) => find(root).filter(({ parent }) => shape.holds(parent));
    const absent: Find = (root) => find(root).filter(({ parent }) => !shape.holds(parent));
    return [
      ...flatten(shape.then, path, present),
      rule(path, `absent unless ${shape.when}`, absent, (found) => !isPresent(found)),
    ];
  }
  const isObject = rule(
    path,
    shape.isNullable ? 'an object or null' : 'an object',
    find,
    ({ value }) => isFields(value) || (shape.isNullable === true && value === null),
  );
  const objects: Find = (root) => find(root).filter(({ value }) => isFields(value));
  const inner = Object.entries(shape.fields).flatMap(([name, field]) =>
    flatten(field, `${path}.${name}`, (root) =>
      objects(root).map(({ value }) => ({ value: (value as Json)[name], parent: value })),
    ),
  );
  return [isObject, ...inner];
}

const isFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPresent = ({ value }: Found): boolean => value !== undefined;

const rule = (path: string, what: string, find: Find, fits: (found: Found) => boolean): FieldRule => ({
  path,
  what,
  check(root) {
    const found = find(root);
    const wrong = found.find((each) => !fits(each));
    return wrong
      ? {
          count: found.length,
          problem: `${path} must be ${what}, got ${JSON.stringify(wrong.value) ?? 'nothing'}`,
        }
      : { count: found.length };
  },
});
