import { isIP } from 'node:net';
import { isPublicAddress } from './publicAddress.ts';

export type UrlFault = 'malformed' | 'credentials' | 'not-https' | 'private';

/** Names that no public resolver knows; the rest is found out when a message is sent. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/;

/**
 * What can be seen to be wrong with an endpoint's address before anything is sent there. `allowPrivate` is for
 * the demonstration and for tests: it lets in plain http and this machine's own network.
 */
export function urlFault(text: string, allowPrivate: boolean): UrlFault | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  // They would be sent as an Authorization header, and shown wherever the address is.
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (allowPrivate) return null;
  if (url.protocol !== 'https:') return 'not-https';
  return isPrivateHost(hostOf(url)) ? 'private' : null;
}

/** The name or address to connect to: without the brackets of IPv6 and the dot that ends an absolute name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isPrivateHost = (host: string): boolean =>
  isIP(host) ? !isPublicAddress(host) : !host.includes('.') || PRIVATE_NAMES.test(host);
