import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type OpenRouters, type OpenRoutersOptions, openRouters } from '../geo/routing/openRouters.ts';
import type { Clock } from '../platform/kernel/clock.ts';

/**
 * Opens the configured engines. Each fallback to the estimator is logged with its reason. Error messages are
 * otherwise not logged because they may contain personal data; the message of an engine does not.
 */
export const startRouters = (
  { routing }: Pick<Config, 'routing'>,
  clock: Clock,
  log: Logger,
  { withoutRoads }: Pick<OpenRoutersOptions, 'withoutRoads'> = {},
): Promise<OpenRouters> =>
  openRouters(routing, {
    clock,
    withoutRoads,
    onFallback: ({ message }) => log.warn(`estimated by straight lines, without the roads: ${message}`),
  });
