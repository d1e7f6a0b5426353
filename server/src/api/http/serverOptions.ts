import type { FastifyBaseLogger } from 'fastify';
import type { BrowserOrigins } from '../../centrals/browserOrigins.ts';
import type { Identities } from '../../centrals/identify.ts';
import type { ProgramUses } from '../../centrals/programUses.ts';
import type { RequestRecorder } from '../../events/requests/recordRequests.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Api } from './api.ts';
import type { AppDeps } from './endpoint.ts';
import type { HeavyWork } from './heavyWork.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimits } from './rateLimits.ts';
import type { TryAs } from './renderReference.ts';
import type { RightsChanges } from './streamLimits.ts';

/** What the HTTP server is built with. */
export interface ServerOptions {
  deps: AppDeps & { db: Database };
  identities: Identities;
  programUses: Pick<ProgramUses, 'note'>;
  rightsChanges: RightsChanges;
  recorder: Pick<RequestRecorder, 'admit' | 'note'>;
  origins: BrowserOrigins;
  limits: RateLimits;
  heavyWork: HeavyWork;
  metrics: Metrics;
  /** Bearer token required to read `/metrics`. Without it, only a service that listens on loopback alone answers. */
  metricsToken?: string | undefined;
  log: FastifyBaseLogger;
  /** The public address of the service; by default the address of each request. */
  publicUrl?: string | undefined;
  /** Addresses of proxies whose X-Forwarded-* headers are trusted. */
  trustProxy?: string[] | undefined;
  apis: readonly Api[];
  tryAs?: TryAs | undefined;
}
