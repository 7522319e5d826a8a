import { createRequire } from 'node:module';

/** Well-known ones that neither list has. */
const BRAZILIAN = [
  'brturbo.com',
  'brturbo.com.br',
  'click21.com.br',
  'ibest.com.br',
  'live.com.br',
  'onda.com.br',
  'pop.com.br',
  'uai.com.br',
];

const FOREIGN = [
  'fakemail.net',
  'mail.tm',
  'minuteinbox.com',
  'temp-mail.io',
  'tempmail.com',
  'tempmail.net',
  'tuta.com',
  'zohomail.com',
];

/**
 * Whether a domain gives mailboxes to anybody, free or for ten minutes. Two maintained lists, read once; they are data
 * of 4 MB, so they are loaded at the first question and not with the program.
 */
export function createPersonalDomains(): (domain: string) => boolean {
  let listed: ReadonlySet<string> | undefined;
  return (domain) => {
    listed ??= load();
    return listed.has(domain);
  };
}

function load(): ReadonlySet<string> {
  const require = createRequire(import.meta.url);
  const free = require('free-email-domains-list') as { DOMAINS: Iterable<string> };
  const disposable = require('disposable-email-domains') as readonly string[];
  return new Set([...free.DOMAINS, ...disposable, ...BRAZILIAN, ...FOREIGN]);
}
