import { createRequire } from 'node:module';

/** Well-known domains that no list contains. */
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
  '5iron.com',
  'addymail.com',
  'aleeas.com',
  'anonaddy.com',
  'anonaddy.me',
  'disroot.org',
  'duck.com',
  'fakemail.net',
  'mail.tm',
  'mailbox.org',
  'minuteinbox.com',
  'mozmail.com',
  'relay.firefox.com',
  'riseup.net',
  'skiff.com',
  'slmail.me',
  'startmail.com',
  'temp-mail.io',
  'tempmail.com',
  'tempmail.net',
  'throwaway.email',
  'tuta.com',
  'zohomail.com',
];

/** Companies on the list of free providers, although strangers get no mailbox there. */
const COMPANIES = ['abc.com', 'cnn.com', 'test.com'];

let listed: ReadonlySet<string> | undefined;

/**
 * Returns whether a domain offers free or disposable mailboxes to anybody. The data of the three lists is 4
 * MB, so it is loaded once for each process, at the first question, and not at start.
 */
export function isPersonalDomain(domain: string): boolean {
  listed ??= load();
  return listed.has(domain);
}

function load(): ReadonlySet<string> {
  const require = createRequire(import.meta.url);
  const free = require('free-email-domains-list') as { DOMAINS: Iterable<string> };
  // The first list is long and no longer maintained; the second one has what came since.
  const older = require('disposable-email-domains') as readonly string[];
  const recent = require('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json') as readonly string[];
  const domains = new Set([...free.DOMAINS, ...older, ...recent, ...BRAZILIAN, ...FOREIGN]);
  for (const domain of COMPANIES) domains.delete(domain);
  return domains;
}
