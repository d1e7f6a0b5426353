import Type from 'typebox';
import { nullable } from '../../wire/answers.ts';

export const recordId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Spaces alone are nothing, too. */
export const requiredText = (maxLength = 255) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
export const optionalText = (maxLength = 255) => Type.Optional(nullable(Type.String({ maxLength })));
export const optionalId = Type.Optional(nullable(recordId));
export const instantShown = Type.String({ description: 'ISO 8601 em UTC' });
/** Not said: a new entry is active, and any other stays as it is. */
export const activeField = Type.Optional(
  Type.Boolean({ description: 'ausente: um registro novo é ativo, e os demais ficam como estão' }),
);

/** An empty text says as much as none. */
export const given = (value: string | null | undefined): string | null => value?.trim() || null;
