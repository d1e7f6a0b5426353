import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../http/endpoint.ts';
import {
  type EventStream,
  type EventStreams,
  followUntilClosed,
  sseMessage,
} from '../../http/eventStreams.ts';
import { countStranger, type RateLimits } from '../../http/rateLimits.ts';
import { networksOf } from '../../http/readRequest.ts';
import { recipientStreamLimits } from '../../http/streamLimits.ts';
import { type CentralToken, readToken } from '../../kernel/centralToken.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { statusCode } from '../../wire/codes.ts';
import { formatUtc } from '../../wire/values.ts';
import { findProgress, isTrackingOver, showsDriver, type TrackedProgress } from './trackedJourneyStore.ts';

/**
 * Live updates for the recipient of one stop: the state of its delivery, its place in the queue, its conclusion,
 * whether there is a photo, and the driver's position. Each message contains the whole state, so a returning client
 * needs only the last one.
 */
export function installTrackingEvents(
  app: FastifyInstance,
  deps: AppDeps,
  { streams, limits }: { streams: EventStreams; limits: RateLimits },
): void {
  app.get<{ Params: { token: string } }>('/rastreio/:token/eventos', async (request, reply) => {
    const token = readToken(request.params.token);
    const progress = token && (await findProgress(deps.db, token));
    if (!token || !progress) {
      countStranger(limits, request, reply);
      throw new Refusal('stop-not-found');
    }
    // This status makes a browser stop reconnecting. The page itself shows how the delivery ended.
    if (isTrackingOver(progress, deps.clock.now())) return reply.code(204).send();
    const { centralId } = progress;
    const stream = streams.open(request, reply, {
      centralId,
      rights: null,
      limits: recipientStreamLimits({
        centralId,
        token: token.secret,
        networks: networksOf(request.callerIp),
      }),
    });
    await followUntilClosed(stream, () => followStop(deps, token, progress, stream));
    return reply;
  });
}

async function followStop(
  deps: AppDeps,
  token: CentralToken,
  first: TrackedProgress,
  stream: EventStream,
): Promise<() => void> {
  let known = first;
  let lastSent = stream.lastEventId;
  let looking = false;
  let lookAgain = false;

  const notify = (progress: TrackedProgress, event: 'status' | 'parada' | 'posicao'): void => {
    known = progress;
    const data = formatProgress(progress);
    const id = fingerprint(data);
    if (id === lastSent) return;
    lastSent = id;
    stream.send(sseMessage(data, { id, event: progress.concludedAt ? 'parada' : event }));
    if (isTrackingOver(progress, deps.clock.now())) stream.close();
  };

  // One query at a time covers all events that arrived meanwhile.
  const look = async (): Promise<void> => {
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    try {
      do {
        lookAgain = false;
        const progress = await findProgress(deps.db, token);
        if (!progress) return stream.close();
        notify(progress, 'status');
      } while (lookAgain);
    } catch {
      // The client reconnects.
      stream.close();
    } finally {
      looking = false;
    }
  };

  const leave = await deps.live.join({
    centralId: first.centralId,
    onEvents(batch) {
      if (batch.some(({ deliveryId }) => deliveryId === known.carriedBy || deliveryId === known.orderedWith))
        void look();
    },
    onPositions(batch) {
      if (!showsDriver(known)) return;
      const seen = batch.find(({ driverId }) => driverId === known.driverId);
      if (!seen) return;
      const driverAt = { position: { lat: seen.lat, lng: seen.lng }, at: seen.at };
      notify({ ...known, driverAt }, 'posicao');
    },
  });
  await look();
  return leave;
}

const formatProgress = ({
  status,
  isAtPickup,
  before,
  concludedAt,
  isNotDelivered,
  attempts,
  driverAt,
  hasPhoto,
}: TrackedProgress) => ({
  status: statusCode[status],
  na_coleta: isAtPickup,
  paradas_antes: before,
  concluida_em: concludedAt && !isNotDelivered ? formatUtc(concludedAt) : null,
  nao_entregue: isNotDelivered,
  tentativas: attempts,
  foto: hasPhoto === true,
  posicao: driverAt && { ...driverAt.position, em: formatUtc(driverAt.at) },
});

const fingerprint = (data: unknown): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 16);
