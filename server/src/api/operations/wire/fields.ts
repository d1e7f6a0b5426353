import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { may } from '../../../centrals/permissions.ts';
import type { Author, Authored } from '../../../events/record/historyStore.ts';
import { ENTRY_CENTS_MAX } from '../../../platform/kernel/money.ts';
import { plainIdentifier } from '../../../platform/kernel/plainName.ts';
import { type Problem, VISIBLE } from '../../http/invalidInput.ts';
import { roleCode } from '../../json/codes.ts';
import { nullable } from '../../json/values.ts';

/** In a query, whose texts are read as numbers. */
export const recordId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** In a body: a number, or the text that answers have. Texts are read as numbers (schemaWalk.ts). */
const alternatives = [recordId, Type.String({ maxLength: 16, pattern: '^[1-9]\\d{0,15}$', read: Number })];
export const sentId = (description?: string) =>
  Type.Unsafe<number>({ anyOf: alternatives, ...(description && { description }) });
export const sentIdOrNull = (description?: string) =>
  Type.Unsafe<number | null>({
    anyOf: [...alternatives, Type.Null()],
    ...(description && { description }),
  });
/** A text of spaces counts as empty. */
export const requiredText = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
/** A name that tells a record from others. Characters that are not drawn do not count, and are not stored. */
export const nameText = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: VISIBLE });
export const optionalText = (maxLength = 255) => Type.Optional(nullable(Type.String({ maxLength })));
export const optionalId = Type.Optional(sentIdOrNull());
export const instantShown = Type.String({ description: 'ISO 8601 em UTC' });
/** Absent: a new entry is active, and an existing one keeps its value. */
export const activeField = Type.Optional(
  Type.Boolean({ description: 'ausente: um registro novo é ativo, e os demais ficam como estão' }),
);

/** A text without spaces at its ends. Null: it is absent or empty. */
export const given = (value: string | null | undefined): string | null => value?.trim() || null;

/** The problem of an amount, of either sign, that is too large for an entry of an account. */
export const checkEntryAmount = (field: string, cents: number | null): Problem[] =>
  cents !== null && Math.abs(cents) > ENTRY_CENTS_MAX
    ? [{ field, pt: 'vai até 1.000.000,00', en: 'goes up to 1,000,000.00' }]
    : [];

/** A text that identifies a record, in its plain spelling. Null: it is absent or empty. */
export const givenIdentifier = (value: string | null | undefined): string | null =>
  plainIdentifier(value ?? '') || null;

/*
 * Rates are decimal text on both sides, and nothing is rounded: people write them in whole units ("1.875" a kilometre),
 * and they are stored in cents ("187.5").
 */

/** Requires a text of the format `rate`. */
export function parseRate(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(4, '0');
  return `${whole}${digits.slice(0, 2)}.${digits.slice(2)}`;
}

/** At least two decimals, without trailing zeros after them. */
export function formatRate(cents: string): string {
  const [whole = '', fraction = ''] = cents.split('.');
  const digits = whole.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction.replace(/0+$/, '')}`;
}

/** A factor or a percentage from PostgreSQL ("0.5000") without trailing zeros. */
export const formatFactor = (factor: string): string =>
  factor.includes('.') ? factor.replace(/\.?0+$/, '') : factor;

export const authorField = {
  autor: nullable(
    Type.Object({
      nome: nullable(Type.String({ description: 'null para quem só pode saber o perfil' })),
      perfil: Type.Enum(Object.values(roleCode)),
    }),
  ),
};

export const authorText =
  '`autor` diz quem fez: nome e perfil do usuário, ou null para o próprio serviço (disparo, busca, agrupamento automático, simulação). Quem trabalha na central vê todos os nomes; um gerente, os da própria empresa e dos demais só o perfil; um integrador, só o perfil.';

type Reader = Pick<Caller, 'role' | 'central' | 'companyId'>;

export const formatAuthor = ({ author }: Authored, reader: Reader) => ({
  autor: author && {
    nome: seesName(author, reader) ? author.name : null,
    perfil: roleCode[author.role],
  },
});

/** Only the central sees the names of its staff and drivers. Users of the same company see each other. */
const seesName = ({ companyId }: Author, reader: Reader): boolean =>
  may(reader, 'internals') || (companyId !== null && companyId === reader.companyId);
