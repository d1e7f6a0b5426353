import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../../api/http/endpoint.ts';
import { failureBody, type Language, preferredLanguage } from '../../api/http/envelope.ts';
import { countStranger, type RateLimits } from '../../api/http/rateLimits.ts';
import { PROOF_PATH } from '../../api/json/proofJson.ts';
import type { Central } from '../../centrals/central.ts';
import { findCentral } from '../../centrals/centralStore.ts';
import { giveConfirmationCode } from '../../deliveries/orders/stopStore.ts';
import { findProofImage } from '../../deliveries/proof/proofStore.ts';
import { estimatorFor } from '../../geo/routing/routers.ts';
import { readToken } from '../../platform/kernel/centralToken.ts';
import { clockOf } from '../../platform/kernel/clock.ts';
import { programFile } from '../../platform/kernel/programFiles.ts';
import { contentPolicy } from '../html.ts';
import { keptFile } from '../keptFile.ts';
import { findJourney, phaseOf, type TrackedJourney } from './trackedJourneyStore.ts';
import { messagePage, trackingPage } from './trackingPage.ts';
import { arrivalOf, type TrackingView, trackingView } from './trackingView.ts';
import { trackingWords } from './trackingWords.ts';

type Found =
  | { kind: 'unknown' }
  | { kind: 'gone'; central: Central }
  | { kind: 'live'; central: Central; journey: TrackedJourney; view: TrackingView };

/** The target of `link_rastreio`: a page for the recipient of one stop, and its state as JSON. */
export function installTracking(
  app: FastifyInstance,
  deps: AppDeps,
  { limits, mapStyle }: { limits: RateLimits; mapStyle: string | undefined },
): void {
  const script = keptFile(programFile('server/src/pages/tracking/rastreio.js'));
  app.get('/rastreio.js', (request, reply) => script.send(request, reply));
  const policy = contentPolicy(mapStyle);

  app.get<{ Params: { token: string } }>('/rastreio/:token', async (request, reply) => {
    const language = languageOf(request);
    const found = await find(deps, request.params.token, language);
    const page = (status: number, text: string) => answerPage(reply, status, text, policy);
    const words = trackingWords[language];
    if (found.kind === 'unknown') {
      countStranger(limits, request, reply);
      return page(404, messagePage(words.unknown, language, null));
    }
    if (found.kind === 'gone') return page(410, messagePage(words.gone, language, found.central));
    const { central, journey, view } = found;
    const { destinationAddress: address, shop } = journey;
    const token = request.params.token;
    return page(200, trackingPage({ central, view, language, token, address, shop }));
  });

  app.get<{ Params: { token: string } }>('/rastreio/:token/estado', async (request, reply) => {
    const language = languageOf(request);
    const found = await find(deps, request.params.token, language);
    if (found.kind === 'live') return reply.send({ success: true, data: found.view });
    if (found.kind === 'unknown') countStranger(limits, request, reply);
    const { title } = trackingWords[language][found.kind];
    return reply.code(found.kind === 'gone' ? 410 : 404).send(failureBody([{ code: 0, message: title }]));
  });
}

/** The path of the photo of the hand-over, if there is one and the central shows it. */
async function photoOf(deps: AppDeps, central: Central, journey: TrackedJourney): Promise<string | null> {
  if (!central.settings.proofOnTracking || phaseOf(journey) !== 'delivered') return null;
  const image = await findProofImage(deps.db, central.id, journey.stopId, 'photo');
  if (!image) return null;
  const sign = await deps.proofLinks.signer(central.id);
  return `${PROOF_PATH}/${sign(image).token}`;
}

const languageOf = (request: FastifyRequest): Language =>
  preferredLanguage(request.headers['accept-language']);

function answerPage(reply: FastifyReply, status: number, text: string, policy: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(text);
}

async function find(deps: AppDeps, text: string, language: Language): Promise<Found> {
  const token = readToken(text);
  const journey = token && (await findJourney(deps.db, token));
  const central = journey && (await findCentral(deps.db, journey.centralId));
  if (!journey || !central?.active) return { kind: 'unknown' };
  const now = clockOf(deps.clock, central.id).now();
  const expires = journey.endedAt?.add({ hours: central.settings.trackingHoursAfterEnd });
  if (expires && Temporal.Instant.compare(expires, now) < 0) return { kind: 'gone', central };
  const arrival = await arrivalOf(estimatorFor(central.settings), journey, now);
  const { confirmationCode: asksForCode } = central.settings;
  // The central may have enabled confirmation codes after the link was created.
  if (asksForCode && journey.confirmationCode === null && !journey.endedAt)
    journey.confirmationCode =
      (await deps.db.begin((tx) => giveConfirmationCode(tx, central.id, journey.stopId))) ?? null;
  const photo = await photoOf(deps, central, journey);
  const view = trackingView(central, journey, { arrival, photo }, now, language);
  return { kind: 'live', central, journey, view };
}
