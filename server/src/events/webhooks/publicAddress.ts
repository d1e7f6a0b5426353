import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

export type UrlFault = 'malformed' | 'credentials' | 'not-https' | 'private';

/** Names that no public resolver knows. Other names are checked when a message is sent. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/;

/**
 * The fault of an endpoint's address that can be detected before anything is sent there. `allowPrivate` is for the
 * demonstration and for tests: it allows plain http and this machine's own network.
 */
export function urlFault(text: string, allowPrivate: boolean): UrlFault | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  // Credentials would be sent as an Authorization header, and shown wherever the address is shown.
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
 * Queries the name servers directly. The system's look-up blocks one of the few threads that password checks use too
 * while a name server is silent: a few dead names would prevent all logins.
 */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the host name could not be resolved');
  return addresses;
};

/** Resolves names of this machine too, such as those of /etc/hosts. For the demonstration. */
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

/** Everything that is not the public internet: this machine, its network, and reserved networks. */
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

// A separate list, because a BlockList also finds every IPv4 address in the IPv6 network of mapped addresses. Public
// addresses are only in 2000::/3. Networks that embed IPv4 addresses (mapped, translated, 6to4, Teredo) are refused
// completely, because no endpoint needs them.
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
