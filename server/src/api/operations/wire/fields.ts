import Type from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import { may } from '../../centrals/permissions.ts';
import type { Author, Authored } from '../../events/historyStore.ts';
import { roleCode } from '../../wire/codes.ts';
import { nullable } from '../../wire/values.ts';

export const recordId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** A text of spaces counts as empty. */
export const requiredText = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
export const optionalText = (maxLength = 255) => Type.Optional(nullable(Type.String({ maxLength })));
export const optionalId = Type.Optional(nullable(recordId));
export const instantShown = Type.String({ description: 'ISO 8601 em UTC' });
/** Absent: a new entry is active, and an existing one keeps its value. */
export const activeField = Type.Optional(
  Type.Boolean({ description: 'ausente: um registro novo é ativo, e os demais ficam como estão' }),
);

/** An empty text counts as absent. */
export const given = (value: string | null | undefined): string | null => value?.trim() || null;

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

/** Absent for events recorded before authors were stored. */
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
