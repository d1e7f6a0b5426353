import Type from 'typebox';
import { REPLAYS_MAX, replayMany } from '../../events/replaySendings.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import { route } from '../../http/route.ts';
import type { Check } from '../../http/validation.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';

const instant = (description: string) => formatted('instant', description);

const checkOrder: Check = ({ de: from, ate: until }): Problem[] => {
  const [begin, end] = [from, until].map((one) => (typeof one === 'string' ? parseInstant(one) : null));
  if (!begin || !end || Temporal.Instant.compare(begin, end) < 0) return [];
  return [{ field: 'ate', pt: "deve ser depois de 'de'", en: "must be after 'de'" }];
};

export const replaySendingsRoute = route({
  method: 'POST',
  path: '/webhooks/:id/reenviar',
  operation: 'reenviarEnvios',
  tag: 'Webhooks',
  summary: 'Reenviar os eventos de um período',
  description: `Reenvia o que já foi entregue ou falhou, pelo instante do evento, de 'de' (inclusive) a 'ate' (exclusive): até ${REPLAYS_MAX} envios por requisição. Posições não são reenviadas.`,
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found', 'replay-too-large'],
  body: Type.Object(
    {
      de: instant('ISO 8601 com fuso'),
      ate: instant('ISO 8601 com fuso'),
      somente_falhas: Type.Optional(Type.Boolean({ description: 'apenas os que falharam; padrão false' })),
    },
    { check: checkOrder },
  ),
  bodyExample: { de: '2026-11-16T12:00:00Z', ate: '2026-11-16T15:00:00Z', somente_falhas: true },
  answer: dataAnswer(Type.Object({ reenviados: Type.Integer() })),
  answerExample: { success: true, data: { reenviados: 42 } },
  async handle({ needs, caller, params, body }) {
    const count = await replayMany(needs, caller, params.id!, {
      from: parseInstant(body.de)!,
      until: parseInstant(body.ate)!,
      onlyFailed: body.somente_falhas ?? false,
    });
    return { data: { reenviados: count } };
  },
});
