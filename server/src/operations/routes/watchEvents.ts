import Type from 'typebox';
import { WANTED_TYPE_NAMES } from '../../contract/wire/eventTypes.ts';
import { followEvents } from '../../events/followEvents.ts';
import { LiveAnswer } from '../../http/liveAnswer.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { formatBatch, formatPositions, reloadMessage } from '../wire/liveEvents.ts';

export const watchEventsRoute = route({
  method: 'GET',
  path: '/eventos',
  tag: 'Operação: ao vivo',
  summary: 'Acompanhar os eventos ao vivo',
  description: [
    'Server-sent events: cada mensagem traz `id`, `type`, `timestamp` e `data`, como nos webhooks. Um usuário da central acompanha a central inteira; um gerente, a própria empresa.',
    'Mensagens `posicao` trazem as posições recentes dos condutores. A mensagem `recarregar`, ao reconectar, avisa que se perdeu mais do que é contado de novo: leia as listas novamente.',
    'Ao reconectar, envie o último `id:` recebido no cabeçalho `Last-Event-ID`. Eventos recentes podem vir repetidos, com o mesmo `id`. A conexão é encerrada a cada 15 minutos, quando o leitor é lento demais e quando o usuário, a chave ou a sessão deixam de valer.',
  ].join('\n\n'),
  who: watchers,
  limit: 'operations',
  refusals: ['too-many-listeners'],
  isLive: true,
  answer: Type.Object({
    id: Type.String(),
    type: Type.Enum(WANTED_TYPE_NAMES),
    timestamp: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  }),
  answerExample: {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    type: 'entrega.status',
    timestamp: '2026-11-16T15:01:12Z',
    data: { id: '1042', sequencia: 3, empresa_id: '1', status: 'A' },
  },
  async handle({ needs, caller }) {
    return new LiveAnswer((stream) => {
      const { lastEventId } = stream;
      const isKnown = lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId);
      if (lastEventId !== undefined && !isKnown) stream.send(reloadMessage);
      return followEvents(needs, isKnown ? Number(lastEventId) : undefined, {
        centralId: caller.centralId,
        onEvents: (batch) => stream.send(formatBatch(batch, caller)),
        onPositions: (batch) => stream.send(formatPositions(batch, caller)),
        onGap: () => stream.send(reloadMessage),
      });
    });
  },
});
