import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { formatEvent } from '../../contract/wire/eventBody.ts';
import { findScheduledStory } from '../../events/scheduledStoryStore.ts';
import { route } from '../../http/route.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { findBoardEntry } from '../../scheduled/scheduledBoardStore.ts';
import { watchers } from '../who.ts';
import { authorField, authorText, formatAuthor } from '../wire/author.ts';
import { BoardEntrySchema, boardEntryExample, formatBoardEntry } from '../wire/scheduledBoard.ts';

export const getScheduledRoute = route({
  method: 'GET',
  path: '/programadas/:id',
  tag: 'Operação: programadas',
  summary: 'Ler uma programada e a sua história',
  description: [
    '`historico` traz os eventos da programada, como nos webhooks, do primeiro ao último.',
    authorText,
  ].join('\n\n'),
  who: watchers,
  limit: 'operations',
  refusals: ['scheduled-not-found'],
  answer: dataAnswer(
    Type.Object({
      ...BoardEntrySchema.properties,
      historico: Type.Array(
        Type.Object({
          type: Type.String(),
          timestamp: Type.String(),
          ...authorField,
          data: Type.Object({}, { additionalProperties: true }),
        }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      ...boardEntryExample,
      historico: [
        {
          type: 'programada.alterada',
          timestamp: '2026-11-16T15:00:00.000Z',
          autor: { nome: 'gerente', perfil: 'gerente' },
          data: { id: '318', mudanca: 'criada' },
        },
      ],
    },
  },
  async handle({ needs: { db }, caller, params, language }) {
    const entry = await findBoardEntry(db, caller, params.id!);
    if (!entry) throw new Refusal('scheduled-not-found');
    const story = await findScheduledStory(db, caller.centralId, entry.id);
    return {
      data: {
        ...formatBoardEntry(entry, language),
        historico: story.map((event) => ({
          ...formatEvent({ ...event, timeZone: caller.central.timeZone }, language),
          ...formatAuthor(event, caller),
        })),
      },
    };
  },
});
