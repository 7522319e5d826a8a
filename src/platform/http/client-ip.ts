import { type BlockList, isIP, isIPv6 } from 'node:net';

/** Reduces `1.2.3.4`, `1.2.3.4:80`, `::1`, `[::1]:80`, `fe80::1%eth0` and `::ffff:1.2.3.4` to the address alone. */
function bareAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withoutPort = inBrackets ?? (/^\d+\.\d+\.\d+\.\d+:\d+$/.test(trimmed) ? trimmed.split(':')[0]! : trimmed);
  const address = withoutPort.split('%')[0]!.toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  const result = mapped ?? address;
  return isIP(result) === 0 ? undefined : result;
}

/**
 * Returns the address of the caller. Each trusted proxy appended the address that it saw, so the caller's is the entry
 * `trustProxy` from the right. Entries further left were written by the caller and are ignored.
 */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const remote = bareAddress(remoteAddress ?? '') ?? 'unknown';
  if (trustProxy <= 0 || forwardedFor === undefined) return remote;
  const hops = forwardedFor.split(',');
  const claimed = hops[Math.max(0, hops.length - trustProxy)] ?? '';
  return bareAddress(claimed) ?? remote;
}

export const isListed = (list: BlockList, ip: string): boolean =>
  isIP(ip) !== 0 && list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');

/** The key of a rate. One household or company has a whole /64 of IPv6, so all its addresses share one key. */
export function rateKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted end (`64:ff9b::1.2.3.4`) counts as two groups.
  const rightLength = right.length + (right.at(-1)?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightLength);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
