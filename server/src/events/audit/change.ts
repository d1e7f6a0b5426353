import { hash } from 'node:crypto';
import type { Role } from '../../centrals/caller.ts';

/** The kinds of record that a change may be about. */
export const SUBJECTS = [
  'settings',
  'user',
  'key',
  'program',
  'category',
  'tariff',
  'area',
  'coupon',
  'reason',
  'company',
  'driver',
  'device',
  'wallet',
  'driver_account',
  'closing',
  'webhook',
  'address',
  'address_proposal',
  'central',
  'personal_data',
  'sandbox',
] as const;
export type Subject = (typeof SUBJECTS)[number];

export type ChangeAction = 'created' | 'changed' | 'deleted';
export type ChangeOrigin = 'operations' | 'integration' | 'command_line';

/** Fields by their names in the operator's interface, as JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** A change to record. `before` is null for a creation, `after` for a deletion. */
export interface Change {
  subject: Subject;
  id: number | null;
  name: string | null;
  before: Fields | null;
  after: Fields | null;
}

/** A recorded change. */
export interface RecordedChange {
  id: number;
  at: Temporal.Instant;
  /** Null for the command line. */
  actor: string | null;
  role: Role | null;
  origin: ChangeOrigin;
  action: ChangeAction;
  subject: Subject;
  subjectId: number | null;
  subjectName: string | null;
  before: Fields;
  after: Fields;
}

/** Longer values, such as the outline of an area, are recorded by a digest. */
const VALUE_LENGTH_MAX = 1_000;

/** The fields that differ, with their values on both sides. */
export function differing(before: Fields | null, after: Fields | null): { before: Fields; after: Fields } {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const differ = [...names].filter((name) => textOf(before?.[name]) !== textOf(after?.[name]));
  const side = (fields: Fields | null): Fields =>
    fields
      ? Object.fromEntries(
          differ.filter((name) => fields[name] !== undefined).map((name) => [name, shortened(fields[name])]),
        )
      : {};
  return { before: side(before), after: side(after) };
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

function shortened(value: unknown): unknown {
  const text = textOf(value);
  return text.length <= VALUE_LENGTH_MAX ? value : { sha256: hash('sha256', text).slice(0, 12) };
}
