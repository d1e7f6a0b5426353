import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../platform/kernel/refusal.ts';

const LOOPBACK_ADDRESS = /^(::1|127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_NAME = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i;

export const isLoopbackAddress = (address: string | undefined): boolean =>
  LOOPBACK_ADDRESS.test(address ?? '');

/** Whether only clients on this machine can reach the service. */
export const listensHereOnly = (app: FastifyInstance): boolean =>
  app.addresses().every((bound) => typeof bound === 'object' && isLoopbackAddress(bound.address));

/**
 * A service that listens on this machine alone answers only requests for a loopback name or for its public address, and
 * those that a trusted proxy forwards. A page of another site could otherwise let its own name resolve to this machine
 * (DNS rebinding), and read through a browser here what needs no login, or the public logins of the demonstration.
 */
export function assertServedHost(
  app: FastifyInstance,
  publicUrl: string | undefined,
): (request: FastifyRequest) => void {
  const publicHost = publicUrl && new URL(publicUrl).hostname.toLowerCase();
  let isHereOnly: boolean | undefined;
  // Clients repeat the name, so most requests cost one comparison.
  let served: string | undefined;
  return (request) => {
    const { host } = request.headers;
    if (host === undefined || host === served) return;
    isHereOnly ??= listensHereOnly(app);
    const name = host.replace(/:\d*$/, '');
    if (!isHereOnly || LOOPBACK_NAME.test(name) || name.toLowerCase() === publicHost) served = host;
    else if (!isForwarded(request)) throw new Refusal('host-not-served', { host });
  };
}

/** Whether the request comes from a trusted proxy: only then does Fastify read the headers that a proxy adds. */
const isForwarded = ({ host, headers, ips = [] }: FastifyRequest): boolean =>
  host !== headers.host || ips.length > 1;
