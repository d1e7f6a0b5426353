import { parentPort, workerData } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { digest, type RenderedReference, SCRIPT, type TryAs } from './renderReference.ts';

/** Runs in a separate thread: see renderReference.ts. */
const tryAs = workerData as TryAs | undefined;

const filledIn = ({ apiKey, username, password }: TryAs) => ({
  preferredSecurityScheme: [['apiKey', 'basic']],
  securitySchemes: { apiKey: { value: apiKey }, basic: { username, password } },
});

await using aside = Fastify();
await aside.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    pageTitle: 'Malote: referência da interface',
    localization: { locale: 'pt' },
    orderSchemaPropertiesBy: 'preserve',
    ...(tryAs && { authentication: filledIn(tryAs) }),
    // Everything that would contact other servers is off.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
// Browsers ask for a /favicon.ico that is not there, unless a page names another.
const page = (await aside.inject('/docs/')).body.replace('<head>', '<head><link rel="icon" href="data:,">');
const bytes = new TextEncoder().encode((await aside.inject(SCRIPT)).body);
const rendered: RenderedReference = { page, script: { bytes, digest: digest(bytes) } };
parentPort!.postMessage(rendered, [bytes.buffer]);
