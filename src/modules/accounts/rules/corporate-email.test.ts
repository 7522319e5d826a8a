import { domainToASCII } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { corporateEmailProblem, normaliseDomain, normaliseEmail } from './corporate-email.ts';

const listed = new Set([
  'gmail.com',
  'hotmail.com',
  'uol.com.br',
  'yahoo.com.br',
  'mailinator.com',
  'com.ar',
  'example.com',
]);
const problem = (email: unknown) => corporateEmailProblem(email, (domain) => listed.has(domain));

describe('corporateEmailProblem', () => {
  it.each([
    'ana@acme.com.br',
    'ANA.Souza+cobranca@ACME.COM.BR',
    'a@uol-consultoria.com.br',
    'a@notgmail.com',
    'a@gmail.com.acme.net',
    'a@açaí.com.br',
    'a@xn--aa-4iaz.com.br',
    'a@empresa.com.ar',
    'ops@example.com',
    "o'neil@acme.co",
  ])('takes %s', (email) => {
    expect(problem(email)).toBeNull();
  });

  it.each([
    'ana@gmail.com',
    'ana@GMAIL.com',
    'ana@mail.gmail.com',
    'ana@a.b.c.uol.com.br',
    'ana@ｇｍａｉｌ.com',
    'ana@gmail．com',
    'ana@gmáil.com',
    'ana@xn--gmil-6na.com',
    'ana@mail.hótmail.com',
    'x@mailinator.com',
  ])('knows %s for personal', (email) => {
    expect(problem(email)).toBe('email_not_corporate');
  });

  it.each([
    'ana@gmаil.com', // Cyrillic а
    'ana@xn--gmil-63d.com',
    'ana@gmaıl.com',
    'ana@gmail.com.',
    'ana@gmail\u200b.com',
    'ana@.acme.com',
    'ana@acme..com',
    'ana@-acme.com',
    'ana@acme-.com',
    'ana@acme',
    'ana@acme.c',
    'ana@acme.123',
    'ana@[127.0.0.1]',
    'ana@127.0.0.1',
    '@acme.com',
    'ana',
    'ana@',
    'a na@acme.com',
    ' ana@acme.com',
    'ana@acme.com\n',
    'ana@acme.com\0',
    'ana@x@acme.com',
    '.ana@acme.com',
    'ana.@acme.com',
    'a..b@acme.com',
    'aná@acme.com',
    '"ana"@acme.com',
    'ana@xn--.com',
    'ana@xn--gmail-.com',
    'ana@xn--99999999999999999.com',
    `${'a'.repeat(65)}@acme.com`,
    `ana@${'a'.repeat(64)}.com`,
    `ana@${'a.'.repeat(130)}com`,
    'a'.repeat(1_000_000),
    '',
    null,
    undefined,
    5,
    ['ana@acme.com'],
  ])('refuses %p', (email) => {
    expect(problem(email)).toBe('email_invalid');
  });

  it('normalises to one spelling, whatever the case', () => {
    expect(normaliseEmail('ANA@Acme.COM.br')).toBe('ana@acme.com.br');
    expect(normaliseEmail('\u212Aate@acme.com')).toBeNull();
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const once = normaliseEmail(email);
        fc.pre(once !== null);
        expect(normaliseEmail(once)).toBe(once);
        expect(normaliseEmail(email.toUpperCase())).toBe(once);
      }),
    );
  });

  it('decodes xn-- labels as Node does', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9àáâãçéêíóôõúü]{1,30}$/), (label) => {
        const name = `${label}.com.br`;
        const ascii = domainToASCII(name);
        fc.pre(ascii !== '');
        expect(normaliseDomain(ascii)).toBe(name);
        expect(normaliseDomain(name)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds a listed domain below any subdomain', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('gmail.com', 'uol.com.br'),
        fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 4 }),
        (domain, labels) => {
          expect(problem(`a@${[...labels, domain].join('.')}`)).toBe('email_not_corporate');
        },
      ),
    );
  });
});
