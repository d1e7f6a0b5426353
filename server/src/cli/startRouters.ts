import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import { type OpenRouters, openRouters } from '../routing/openRouters.ts';

/**
 * The engines of the configuration; a person should hear about each time the estimator stood in for one, and why.
 * Logs keep no message of an error, lest it tell of people: this one tells of an engine, so it is said in words.
 */
export const startRouters = (
  { routing }: Pick<Config, 'routing'>,
  clock: Clock,
  log: Logger,
): Promise<OpenRouters> =>
  openRouters(routing, {
    clock,
    onFallback: ({ message }) => log.warn(`estimated by straight lines, without the roads: ${message}`),
  });
