import { isIP } from 'node:net';

/**
 * Who is counted as one where only an address is known: an IPv4 address, or the /64 of an IPv6 one, because
 * whoever has one address of it has all of them. What is no address at all is one and the same stranger.
 */
export function networkOf(ip: string): string {
  const [plain = ''] = ip.split('%');
  if (isIP(plain) === 0) return 'unknown';
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(plain) ?? [];
  if (mapped) return mapped;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
