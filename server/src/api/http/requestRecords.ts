import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

interface AnswerKind {
  log: FastifyBaseLogger;
  observe: (seconds: number) => void;
}

/**
 * Records every answered request: one line in the log and one value in the metrics. The values that answers of one kind
 * share are formatted once, because each value of a log line is converted to JSON separately.
 */
export function requestRecords(
  log: FastifyBaseLogger,
  metrics: Metrics,
): (request: FastifyRequest, reply: FastifyReply) => void {
  // Looked up in three steps, because building a combined key would cost as much as the rest.
  const routes = new Map<string, Map<string, Map<number, AnswerKind>>>();
  const kindOf = (method: string, route: string, status: number): AnswerKind => {
    const known = routes.get(route)?.get(method)?.get(status);
    if (known) return known;
    const labels = { method, route, status };
    const kind = { log: log.child(labels), observe: metrics.requestsOf(labels) };
    const methods = routes.get(route) ?? new Map<string, Map<number, AnswerKind>>();
    const statuses = methods.get(method) ?? new Map<number, AnswerKind>();
    routes.set(route, methods.set(method, statuses.set(status, kind)));
    return kind;
  };
  return (request, reply) => {
    // The endpoint pattern and not the URL: a query may contain a CPF.
    const route = request.routeOptions.url ?? 'unknown';
    const { elapsedTime } = reply;
    const kind = kindOf(request.method, route, reply.statusCode);
    kind.observe(elapsedTime / 1000);
    const ms = Math.round(elapsedTime * 10) / 10;
    kind.log.info({ requestId: request.id, ms, central: request.central?.id }, 'request');
  };
}
