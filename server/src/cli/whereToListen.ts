import { BlockList, isIP } from 'node:net';
import type { Config } from '../config.ts';

export interface Listening {
  host: string;
  /** Only local clients can reach the service, and no proxy is in between. */
  isPrivate: boolean;
  /** A warning for the person who runs the service, logged at every start. */
  warning: string | undefined;
}

const EVERYWHERE = '0.0.0.0';
const HERE = 'localhost';

/**
 * The logins of the demonstration are public. While the database contains any of them, the service listens on this
 * machine only, unless two settings open it: the host, and the explicit permission to expose the demonstration.
 */
export function whereToListen(
  { host, demoExposed, trustProxy }: Pick<Config, 'host' | 'demoExposed' | 'trustProxy'>,
  hasDemoAccess: boolean,
): Listening {
  if (!hasDemoAccess) return { host: host ?? EVERYWHERE, isPrivate: false, warning: undefined };
  const wanted = host ?? HERE;
  if (isLoopback(wanted))
    return {
      host: wanted,
      isPrivate: trustProxy === undefined,
      warning: `${PUBLIC_LOGINS}; listening on ${wanted} only. ${REMOVE}`,
    };
  if (demoExposed)
    return {
      host: wanted,
      isPrivate: false,
      warning: `${PUBLIC_LOGINS}, and everybody who reaches ${wanted} can use them, as MALOTE_DEMO_EXPOSED says. ${REMOVE}`,
    };
  return {
    host: HERE,
    isPrivate: trustProxy === undefined,
    warning:
      `${PUBLIC_LOGINS}; so HOST=${wanted} is not followed, and the service listens on ${HERE} only. ` +
      `${REMOVE}, or set MALOTE_DEMO_EXPOSED=yes as well to open them to others`,
  };
}

const PUBLIC_LOGINS = 'the database contains the public keys or passwords of the demonstration';
const REMOVE = '"malote demo remove" removes them';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === HERE;
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
