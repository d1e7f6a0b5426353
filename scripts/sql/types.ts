import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/*
 * The kinds of values that the program's types and PostgreSQL's types have in common. `unknown` fits everything: what
 * JSON contains, for instance, is beyond PostgreSQL's knowledge.
 */
export type Kinds = ReadonlySet<string>;

export function kindReader(checker: Checker): (type: Type) => Kinds {
  const known = new Map<number, Kinds>();
  const read = (type: Type): string[] => {
    if (type.isUnionType()) return type.getTypes().flatMap(read);
    if (type.isIntersectionType()) return read(type.getTypes()[0]!);
    const { flags } = type;
    if (flags & TypeFlags.StringLike) return ['string'];
    if (flags & TypeFlags.NumberLike) return ['number'];
    if (flags & TypeFlags.BooleanLike) return ['boolean'];
    if (flags & TypeFlags.BigIntLike) return ['bigint'];
    if (flags & TypeFlags.Null) return ['null'];
    if (flags & (TypeFlags.Undefined | TypeFlags.Void)) return ['undefined'];
    if (
      flags &
      (TypeFlags.Any |
        TypeFlags.Unknown |
        TypeFlags.TypeParameter |
        TypeFlags.IndexedAccess |
        TypeFlags.Conditional)
    )
      return ['unknown'];
    if (checker.isArrayLikeType(type)) {
      const of = [...new Set(checker.getTypeArguments(type as never).flatMap(read))].filter(
        (kind) => kind !== 'null' && kind !== 'undefined',
      );
      return of.map((kind) => `${kind}[]`);
    }
    const name = type.getSymbol()?.name;
    return name && ['Instant', 'Buffer', 'Date', 'PlainDate', 'Uint8Array', 'PlainTime'].includes(name)
      ? [name]
      : ['object'];
  };
  return (type) => {
    const found = known.get(type.id) ?? new Set(read(type));
    known.set(type.id, found);
    return found;
  };
}

/** What pg makes of a column, by database.ts, and what it can send as a parameter; arrays begin with `_`. */
const KINDS: Readonly<Record<string, { read: string[]; written: string[] }>> = {
  ...each(['int2', 'int4', 'float4', 'float8', 'oid'], ['number'], ['number']),
  ...each(['int8'], ['number'], ['number', 'string']),
  ...each(['numeric'], ['string'], ['string', 'number']),
  ...each(
    [
      'text',
      'varchar',
      'bpchar',
      'name',
      'uuid',
      'char',
      'time',
      'interval',
      'xid',
      'xid8',
      'inet',
      'regclass',
      'regnamespace',
    ],
    ['string'],
    ['string'],
  ),
  ...each(['bool'], ['boolean'], ['boolean']),
  ...each(['timestamptz'], ['Instant'], ['Instant', 'string', 'Date']),
  ...each(['timestamp', 'date'], ['Date'], ['string']),
  ...each(['bytea'], ['Buffer'], ['Buffer', 'Uint8Array']),
  ...each(['json', 'jsonb'], ['unknown'], ['string', 'object', 'number', 'boolean']),
  _int4: { read: ['number[]'], written: ['number[]'] },
  _int2: { read: ['number[]'], written: ['number[]'] },
  _float8: { read: ['number[]'], written: ['number[]'] },
  _bool: { read: ['boolean[]'], written: ['boolean[]'] },
  _int8: { read: ['number[]'], written: ['number[]', 'string[]'] },
  _numeric: { read: ['number[]'], written: ['number[]', 'string[]'] },
  ...each(['_text', '_uuid', '_varchar', '_regclass'], ['string[]'], ['string[]']),
  _timestamptz: { read: ['Instant[]'], written: ['Instant[]', 'string[]'] },
  _date: { read: ['Date[]'], written: ['string[]'] },
  _bytea: { read: ['Buffer[]'], written: ['Buffer[]'] },
  _jsonb: { read: ['unknown[]'], written: ['string[]', 'object[]'] },
};

function each(names: readonly string[], read: string[], written: string[]): typeof KINDS {
  return Object.fromEntries(names.map((name) => [name, { read, written }]));
}

/** Why a column of this type is not what the program declares; undefined if it fits. */
export function columnFault(type: string, declared: Kinds): string | undefined {
  const read: readonly string[] = KINDS[type]?.read ?? [];
  const kinds = [...declared].filter((kind) => kind !== 'null' && kind !== 'undefined');
  if (kinds.includes('unknown') || read.includes('unknown')) return undefined;
  if (read.includes('unknown[]') && kinds.every((kind) => kind.endsWith('[]'))) return undefined;
  return kinds.every((kind) => read.includes(kind))
    ? undefined
    : `is ${type} (${read.join(' or ') || 'not known to the check'}), declared ${kinds.join(' | ')}`;
}

export function parameterFault(type: string, given: Kinds): string | undefined {
  const written: readonly string[] = KINDS[type]?.written ?? [];
  const kinds = [...given].filter(
    (kind) =>
      kind !== 'null' &&
      kind !== 'undefined' &&
      kind !== 'unknown' &&
      kind !== 'unknown[]' &&
      kind !== 'null[]',
  );
  return kinds.every((kind) => written.includes(kind))
    ? undefined
    : `is ${type} (${written.join(' or ') || 'not known to the check'}), given ${kinds.join(' | ')}`;
}
