import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../api/http/endpoint.ts';
import {
  type EventStream,
  type EventStreams,
  followUntilClosed,
  sseMessage,
} from '../../api/http/eventStreams.ts';
import { networksOf } from '../../api/http/networks.ts';
import { countStranger, type RateLimits } from '../../api/http/rateLimits.ts';
import { recipientStreamLimits } from '../../api/http/streamLimits.ts';
import { statusCode } from '../../api/json/codes.ts';
import { formatUtc } from '../../api/json/values.ts';
import { type CentralToken, readToken } from '../../platform/kernel/centralToken.ts';
import { clockOf } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
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
    if (isTrackingOver(progress, clockOf(deps.clock, progress.centralId).now()))
      return reply.code(204).send();
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
  let reading = false;
  let isOutdated = false;

  const notify = (progress: TrackedProgress, event: 'status' | 'parada' | 'posicao'): void => {
    known = progress;
    const data = formatProgress(progress);
    const id = fingerprint(data);
    if (id === lastSent) return;
    lastSent = id;
    stream.send(sseMessage(data, { id, event: progress.concludedAt ? 'parada' : event }));
    if (isTrackingOver(progress, clockOf(deps.clock, progress.centralId).now())) stream.close();
  };

  // One query at a time covers all events that arrived meanwhile.
  const read = async (): Promise<void> => {
    if (reading) {
      isOutdated = true;
      return;
    }
    reading = true;
    try {
      do {
        isOutdated = false;
        const progress = await findProgress(deps.db, token);
        if (!progress) return stream.close();
        notify(progress, 'status');
      } while (isOutdated);
    } catch {
      // The client reconnects.
      stream.close();
    } finally {
      reading = false;
    }
  };

  const leave = await deps.live.join({
    centralId: first.centralId,
    onEvents(batch) {
      if (batch.some(({ deliveryId }) => deliveryId === known.carriedBy || deliveryId === known.orderedWith))
        void read();
    },
    onPositions(batch) {
      if (!showsDriver(known)) return;
      const seen = batch.find(({ driverId }) => driverId === known.driverId);
      if (!seen) return;
      const driverAt = { position: { lat: seen.lat, lng: seen.lng }, at: seen.at };
      notify({ ...known, driverAt }, 'posicao');
    },
  });
  await read();
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
