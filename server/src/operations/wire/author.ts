import Type from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import type { Author, Authored } from '../../events/historyStore.ts';
import { nullable } from '../../wire/answers.ts';
import { roleCode } from '../../wire/codes.ts';

/** Absent where nobody knows: what was recorded before authors were kept. */
export const authorField = {
  autor: Type.Optional(
    nullable(
      Type.Object({
        nome: nullable(Type.String({ description: 'null para quem só pode saber o perfil' })),
        perfil: Type.Enum(Object.values(roleCode)),
      }),
    ),
  ),
};

export const authorText =
  '`autor` diz quem fez: nome e perfil do usuário, ou null para o próprio serviço (disparo, busca, agrupamento automático, simulação). Um operador vê todos os nomes; um gerente, os da própria empresa e dos demais só o perfil; um integrador, só o perfil. Eventos anteriores a este registro não trazem `autor`.';

type Reader = Pick<Caller, 'role' | 'companyId'>;

export const formatAuthor = ({ authorKept, author }: Authored, reader: Reader) =>
  authorKept
    ? {
        autor: author && {
          nome: seesName(author, reader) ? author.name : null,
          perfil: roleCode[author.role],
        },
      }
    : {};

/** Who works for the central, and who drives for it, is the central's business; colleagues know each other. */
const seesName = ({ companyId }: Author, reader: Reader): boolean =>
  reader.role === 'operator' || (companyId !== null && companyId === reader.companyId);
