import { createRequire } from 'node:module';

/** Well-known domains that neither list contains. */
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
 * Returns whether a domain offers free or disposable mailboxes to anybody. The data of the two maintained lists is 4
 * MB, so it is loaded once, at the first question, and not at start.
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
