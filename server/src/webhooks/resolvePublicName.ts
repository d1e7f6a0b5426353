import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './publicAddress.ts';

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
  const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length === 0) throw new Error('the host name could not be resolved');
  return addresses;
};

/** Knows this machine's own names too; for the demonstration. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The addresses to connect to. One private address among public ones is enough to refuse them all: which one
 * is taken would be luck.
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
