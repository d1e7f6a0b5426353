import Type from 'typebox';
import { type Caller, rightsKey, type Scope } from '../../../centrals/caller.ts';
import { followEvents } from '../../../events/record/liveFeed.ts';
import type { LiveEvent, LivePosition } from '../../../events/record/liveStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { LiveAnswer, sseMessage } from '../../http/eventStreams.ts';
import { maySeeEvent } from '../../json/eventRights.ts';
import { formatEvent, WANTED_TYPE_NAMES } from '../../json/eventTypes.ts';
import { formatUtc } from '../../json/values.ts';

/**
 * The bytes that a reader receives of a batch. They are made once for all readers with the same role, scope and address
 * of the service: with a thousand readers, formatting each event for each of them would be most of the work.
 */
function formatBatch(batch: readonly LiveEvent[], watcher: Caller, publicUrl: string): Buffer {
  const known = written.get(batch) ?? new Map<string, Buffer>();
  written.set(batch, known);
  const sameReaders = `${rightsKey(watcher)} ${publicUrl}`;
  const bytes = known.get(sameReaders) ?? Buffer.from(writeBatch(batch, watcher, publicUrl));
  known.set(sameReaders, bytes);
  return bytes;
}

const written = new WeakMap<readonly LiveEvent[], Map<string, Buffer>>();

const writeBatch = (batch: readonly LiveEvent[], watcher: Caller, publicUrl: string): string =>
  batch
    .filter((event) => event.type !== 'webhook.test' && maySeeEvent(watcher, event))
    .map((event) => sseMessage({ id: event.uid, ...formatEvent(event, { publicUrl }) }, { id: event.id }))
    .join('');

/** Positions carry no id: they are not repeated to a client that reconnects. */
const formatPositions = (batch: readonly LivePosition[], { companyId }: Scope): string =>
  batch
    .map((position) => ({
      ...position,
      deliveries: position.deliveries.filter((each) => companyId === null || each.companyId === companyId),
    }))
    // A company sees drivers while they carry one of its deliveries.
    .filter(({ deliveries }) => companyId === null || deliveries.length > 0)
    .map(({ driverId, lat, lng, at, deliveries }) =>
      sseMessage(
        {
          condutor_id: String(driverId),
          lat,
          lng,
          em: formatUtc(at),
          entregas: deliveries.map(({ id }) => String(id)),
        },
        { event: 'posicao' },
      ),
    )
    .join('');

/** More was missed than is repeated: clients should read their lists again. */
const reloadMessage = sseMessage({}, { event: 'recarregar' });

export const watchEventsEndpoint = endpoint({
  method: 'GET',
  path: '/eventos',
  tag: 'Operação: ao vivo',
  summary: 'Acompanhar os eventos ao vivo',
  description: [
    'Server-sent events: cada mensagem traz `id`, `type`, `timestamp` e `data`, como nos webhooks. Um usuário da central acompanha a central inteira; um gerente, a própria empresa. Os lançamentos das carteiras e dos entregadores só chegam a quem também pode lê-los nos extratos.',
    'Mensagens `posicao` trazem as posições recentes dos entregadores. A mensagem `recarregar`, ao reconectar, avisa que se perdeu mais do que é contado de novo: leia as listas novamente. A mensagem `atualizar` traz o `id` de uma entrega da qual mudou algo que não é um evento, como um endereço conferido: leia-a novamente.',
    'Ao reconectar, envie o último `id:` recebido no cabeçalho `Last-Event-ID`. Eventos recentes podem vir repetidos, com o mesmo `id`. A conexão é encerrada a cada 15 minutos, quando o leitor é lento demais e quando o usuário, a chave ou a sessão deixam de valer.',
  ].join('\n\n'),
  permission: 'watch',
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
  async handle({ deps, caller, publicUrl }) {
    return new LiveAnswer((stream) => {
      const { lastEventId } = stream;
      const isKnown = lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId);
      if (lastEventId !== undefined && !isKnown) stream.send(reloadMessage);
      return followEvents(deps, isKnown ? Number(lastEventId) : undefined, {
        centralId: caller.centralId,
        onEvents: (batch) => stream.send(formatBatch(batch, caller, publicUrl)),
        onPositions: (batch) => stream.send(formatPositions(batch, caller)),
        onSilentChange: ({ deliveryId, companyId }) => {
          if (caller.companyId === null || caller.companyId === companyId)
            stream.send(sseMessage({ id: String(deliveryId) }, { event: 'atualizar' }));
        },
        onGap: () => stream.send(reloadMessage),
      });
    });
  },
});
