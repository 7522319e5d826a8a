import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DebtorPage, pageOfCode, shortPageUrl } from './page-code.ts';

const kinds = fc.constantFrom('debt' as const, 'person' as const);
const codeOf = (page: DebtorPage): string =>
  shortPageUrl('https://q.example', page).slice('https://q.example/p/'.length);

describe('the code of a page', () => {
  it('has 23 characters, and names the page', () => {
    const page = { kind: 'debt', id: '7b0f3c1e-52d4-4c0e-9a37-1f6e0d2b8c45' } as const;
    expect(shortPageUrl('https://q.example', page)).toBe('https://q.example/p/dew88HlLUTA6aNx9uDSuMRQ');
    fc.assert(
      fc.property(kinds, fc.uuid(), (kind, id) => {
        const code = codeOf({ kind, id });
        expect(code).toMatch(/^[\w-]{23}$/);
        expect(pageOfCode(code)).toEqual({ kind, id });
      }),
    );
  });

  it('tells the page of a debt from the page of a person', () => {
    const id = randomUUID();
    expect(codeOf({ kind: 'debt', id })).not.toBe(codeOf({ kind: 'person', id }));
  });

  it('is the only code of its page', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[dp][\w-]{22}$/), (code) => {
        const page = pageOfCode(code);
        expect(page === null || codeOf(page) === code).toBe(true);
      }),
    );
  });

  it.each([
    '',
    'd',
    'x'.repeat(23),
    `d${'A'.repeat(21)}`,
    `d${'A'.repeat(23)}`,
    `d${'A'.repeat(21)}B`,
    `d${'A'.repeat(21)}=`,
  ])('is none of %s', (code) => {
    expect(pageOfCode(code)).toBeNull();
  });
});
