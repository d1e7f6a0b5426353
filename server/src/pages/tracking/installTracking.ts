import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Central } from '../../centrals/central.ts';
import { findCentral } from '../../centrals/centralStore.ts';
import type { AppNeeds } from '../../http/appNeeds.ts';
import { type Language, preferredLanguage } from '../../http/language.ts';
import { estimatorFor } from '../../routing/estimatorRouters.ts';
import { arrivalOf } from './arrival.ts';
import type { TrackedJourney } from './trackedJourney.ts';
import { findJourney } from './trackedJourneyStore.ts';
import { messagePage, trackingPage } from './trackingPage.ts';
import { type TrackingView, trackingView } from './trackingView.ts';
import { trackingWords } from './words.ts';

const NEUTRAL_COLOR = '#3a4450';
const TOKEN = /^[A-Za-z0-9_-]{16,64}$/;

/** Only our own files, and the map's worker and style, which MapLibre makes itself. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Found =
  | { kind: 'unknown' }
  | { kind: 'gone'; central: Central }
  | { kind: 'live'; central: Central; journey: TrackedJourney; view: TrackingView };

/** Where `link_rastreio` leads: a page for the recipient of one stop, and its state for keeping it fresh. */
export function installTracking(app: FastifyInstance, needs: AppNeeds): void {
  const script = readFileSync(new URL('./rastreio.js', import.meta.url), 'utf8');
  app.get('/rastreio.js', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/javascript; charset=utf-8').send(script),
  );

  app.get<{ Params: { token: string } }>('/rastreio/:token', async (request, reply) => {
    const language = languageOf(request);
    const found = await find(needs, request.params.token, language);
    const page = (status: number, text: string) => answerPage(reply, status, text);
    const words = trackingWords[language];
    if (found.kind === 'unknown') return page(404, messagePage(words.unknown, NEUTRAL_COLOR, language));
    const color = found.central.settings.brandColor;
    if (found.kind === 'gone') return page(410, messagePage(words.gone, color, language));
    const { central, journey, view } = found;
    const address = journey.destinationAddress;
    return page(200, trackingPage({ central, view, language, token: request.params.token, address }));
  });

  app.get<{ Params: { token: string } }>('/rastreio/:token/estado', async (request, reply) => {
    const found = await find(needs, request.params.token, languageOf(request));
    if (found.kind === 'live') return reply.send({ success: true, data: found.view });
    return reply.code(found.kind === 'gone' ? 410 : 404).send({ success: false, errors: [] });
  });
}

const languageOf = (request: FastifyRequest): Language =>
  preferredLanguage(request.headers['accept-language']);

function answerPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', CSP)
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(text);
}

async function find(needs: AppNeeds, token: string, language: Language): Promise<Found> {
  const journey = TOKEN.test(token) ? await findJourney(needs.db, token) : undefined;
  const central = journey && (await findCentral(needs.db, journey.centralId));
  if (!journey || !central?.active) return { kind: 'unknown' };
  const now = needs.clock.now();
  const expires = journey.endedAt?.add({ hours: central.settings.trackingHoursAfterEnd });
  if (expires && Temporal.Instant.compare(expires, now) < 0) return { kind: 'gone', central };
  const arrival = await arrivalOf(estimatorFor(central.settings), journey, now);
  return { kind: 'live', central, journey, view: trackingView(central, journey, arrival, now, language) };
}
