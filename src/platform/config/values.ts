import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `2s`, `15m` or `500ms` as milliseconds. */
export const duration = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const [, amount, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
    const value = amount === undefined ? Number.NaN : Number(amount) * (UNITS[unit] ?? Number.NaN);
    if (value >= least && value <= most) return value;
    context.addIssue({
      code: 'custom',
      message: 'must be a duration within the allowed limits, such as 500ms, 2s, 15m or 1h',
    });
    return z.NEVER;
  });

const PART = /^(\d{1,15})(ms|s|m|h|d)/;

/** Reads a sum of durations such as `2d3h`, or `-5h`, as milliseconds. */
export const signedDuration = (most: number) =>
  z.string().transform((text, context) => {
    const [sign, parts] = text.trim().startsWith('-') ? [-1, text.trim().slice(1)] : [1, text.trim()];
    let sum = parts === '' || parts.length > 100 ? Number.NaN : 0;
    for (let rest = parts; rest !== '' && !Number.isNaN(sum); ) {
      const [part = '', amount, unit = ''] = PART.exec(rest) ?? [];
      sum += Number(amount) * (UNITS[unit] ?? Number.NaN);
      rest = rest.slice(part.length);
    }
    // A sum of nothing backwards would be -0.
    if (sum <= most) return sum === 0 ? 0 : sign * sum;
    context.addIssue({
      code: 'custom',
      message: `must be a duration such as 2d3h or -5h, at most ${most / UNITS['d']!} days in either direction`,
    });
    return z.NEVER;
  });

export const integer = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${most}` });
    return z.NEVER;
  });

export const flag = z.string().transform((text, context) => {
  const value = { true: true, '1': true, false: false, '0': false }[text.trim().toLowerCase()];
  if (value !== undefined) return value;
  context.addIssue({ code: 'custom', message: 'must be true or false' });
  return z.NEVER;
});

/** Several values separated by commas. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

export const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

export const urlOf = (...schemes: string[]) =>
  z.string().refine((text) => schemes.includes(parseUrl(text)?.protocol.slice(0, -1) ?? ''), {
    message: `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Paths are appended to a base URL, so it has no query, no fragment and no slash at the end. */
export const baseUrl = urlOf('http', 'https')
  .refine((text) => !/[?#]/.test(text), { message: 'must have no query and no fragment' })
  .transform((text) => text.replace(/\/+$/, ''));

export const origins = commaList.refine(
  (list) => list.every((one) => parseUrl(one)?.origin === one && one !== 'null'),
  {
    message: 'must be origins such as https://app.example.com, separated by commas',
  },
);

/** Reads addresses (`10.0.0.2`) and networks (`10.0.0.0/24`, `fd00::/8`). */
export const addresses = commaList.transform((parts, context) => {
  const list = new BlockList();
  for (const part of parts) {
    const [address = '', prefix = isIP(part) === 4 ? '32' : '128', ...rest] = part.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    const isRead = isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix);
    if (isRead && Number(prefix) <= (family === 'ipv4' ? 32 : 128)) list.addSubnet(address, Number(prefix), family);
    else context.addIssue({ code: 'custom', message: 'must be addresses or networks such as 10.0.0.2 or 10.0.0.0/24' });
  }
  return list;
});

/**
 * Takes the hostname of a parsed URL; parsing has already turned every spelling of an IPv4 address into four numbers.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);

const isIssuer = (text: string): boolean => {
  const url = parseUrl(text);
  if (url === undefined) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
};

const issuerList = (text: string): unknown => {
  if (!text.trim().startsWith('[')) return [text.trim()];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * One issuer, or several as a JSON list. Issuers are compared character by character, so nothing is normalised here.
 */
export const issuers = z.string().transform((text, context) => {
  const parsed = z.array(z.string().refine(isIssuer)).min(1).safeParse(issuerList(text));
  if (parsed.success) return [...new Set(parsed.data)];
  context.addIssue({
    code: 'custom',
    message: 'must be an https URL (http only on loopback), or a JSON list of such URLs',
  });
  return z.NEVER;
});
