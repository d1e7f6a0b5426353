import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { situationCode } from '../../contract/wire/codes.ts';
import { pageFields, parsePage } from '../../contract/wire/page.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import { route } from '../../http/route.ts';
import type { Situation } from '../../scheduled/scheduled.ts';
import { listBoard } from '../../scheduled/scheduledBoardStore.ts';
import { watchers } from '../who.ts';
import { recordId } from '../wire/fields.ts';
import { BoardEntrySchema, boardEntryExample, formatBoardEntry } from '../wire/scheduledBoard.ts';

const instant = (description: string) => Type.Optional(formatted('instant', description));

export const listScheduledRoute = route({
  method: 'GET',
  path: '/programadas',
  tag: 'Operação: programadas',
  summary: 'Listar programadas para planejar o dia',
  description:
    'As que aguardam (`situacao=A`) vêm na ordem do disparo; as demais, da mais tardia para a mais antiga. `falha` ' +
    'diz em palavras por que o disparo falhou (`situacao=X`). Um gerente vê as da própria empresa.',
  who: watchers,
  limit: 'operations',
  query: Type.Object({
    situacao: Type.Optional(Type.Enum(Object.values(situationCode))),
    empresa_id: Type.Optional(recordId),
    de: instant('disparo a partir de, ISO 8601 com fuso'),
    ate: instant('disparo antes de, ISO 8601 com fuso'),
    ...pageFields,
  }),
  queryExample: { situacao: 'A', limite: 50 },
  answer: dataAnswer(Type.Array(BoardEntrySchema)),
  answerExample: { success: true, data: [boardEntryExample] },
  async handle({ needs, caller, query, language }) {
    const entries = await listBoard(
      needs.db,
      caller,
      {
        situation: query.situacao ? situationOf(query.situacao) : null,
        companyId: query.empresa_id ?? null,
        from: query.de ? parseInstant(query.de) : null,
        until: query.ate ? parseInstant(query.ate) : null,
      },
      parsePage(query),
    );
    return { data: entries.map((entry) => formatBoardEntry(entry, language)) };
  },
});

const situationOf = (code: string): Situation =>
  (Object.keys(situationCode) as Situation[]).find((one) => situationCode[one] === code)!;
