import { isIP } from 'node:net';
import type { Networks } from '../centrals/identify.ts';

/**
 * Who is counted as one where only an address is known: an IPv4 address, or the /64 of an IPv6 one, because
 * whoever has one address of it has all of them. What is no address at all is one and the same stranger.
 */
export const networkOf = (ip: string): string => networksOf(ip)[0];

/** Narrowest first. Providers give whole /48s away, so an IPv6 address counts for that one too. */
export function networksOf(ip: string): Networks {
  const [plain = ''] = ip.split('%');
  if (isIP(plain) === 0) return ['unknown'];
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(plain) ?? [];
  if (mapped) return [mapped];
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  const written = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return [`${written.join(':')}::/64`, `${written.slice(0, 3).join(':')}::/48`];
}
