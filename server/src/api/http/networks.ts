import { isIP } from 'node:net';
import type { Networks } from '../../centrals/identify.ts';

/**
 * The unit that is counted where only an address is known: an IPv4 address, or the /64 of an IPv6 address, because
 * its holder owns the whole /64. All invalid addresses count as one sender.
 */
export const networkOf = (ip: string): string => networksOf(ip)[0];

/** Narrowest first. Providers assign whole /48s, so an IPv6 address also counts for its /48. */
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
