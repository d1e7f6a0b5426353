import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import { type OpenRouters, openRouters } from '../routing/openRouters.ts';

/** The engines of the configuration; a person should hear about each time the estimator stood in for one. */
export const startRouters = ({ routing }: Config, clock: Clock, log: Logger): Promise<OpenRouters> =>
  openRouters(routing, {
    clock,
    onFallback: (err) => log.warn({ err }, 'the roads are out of reach: estimated by straight lines'),
  });
