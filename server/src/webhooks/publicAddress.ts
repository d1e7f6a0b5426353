import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

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

/** All addresses of a host name; rejects when there is none. */
export type Resolve = (host: string) => Promise<string[]>;

const TIMEOUT_MS = 3_000;

/**
 * Asks the name servers directly. The system's own look-up blocks one of the few threads that password checks
 * run on as well, for as long as a name server is silent: a handful of dead names would lock everybody out.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the host name could not be resolved');
  return addresses;
};

/** Also resolves names of this machine; for the demonstration. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The addresses to connect to. One private address among public ones refuses them all, because any of them may be
 * used.
 */
export async function allowedAddresses(
  host: string,
  resolve: Resolve,
  allowPrivate: boolean,
): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (!allowPrivate && !addresses.every(isPublicAddress))
    throw new Error('the host name leads to a private address');
  return addresses;
}

/** Everything that is not the public internet: this machine, its network, and what is reserved. */
const notPublic4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic4.addSubnet(network, prefix, 'ipv4');

// Apart, because a list compares every IPv4 address with the IPv6 network of mapped ones, and finds it there.
// Public addresses are in 2000::/3 alone. What embeds an IPv4 address (mapped, translated, 6to4, Teredo) is refused
// whole: nobody's endpoint needs it.
const notPublic6 = new BlockList();
for (const [network, prefix] of [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
] as const)
  notPublic6.addSubnet(network, prefix, 'ipv6');

/** True for an address that a webhook may be sent to. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic4.check(address, 'ipv4');
  return family === 6 && !notPublic6.check(address, 'ipv6');
}
