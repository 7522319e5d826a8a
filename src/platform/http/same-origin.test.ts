import { describe, expect, it } from '@jest/globals';
import { refuseOtherOrigins, requireSameOrigin } from './same-origin.ts';

const PUBLIC = 'https://quita.example';
const answer = (headers: Record<string, string>, production: boolean, check = requireSameOrigin): string => {
  try {
    check({ headers }, { publicUrl: PUBLIC, production });
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a request that a page of a browser has sent', () => {
  it.each([
    [{ origin: PUBLIC }, 'taken'],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 'taken'],
    [{ 'sec-fetch-site': 'same-origin' }, 'taken'],
    [{ origin: 'http://quita.example', host: 'quita.example' }, 'origin_refused'],
    [{ origin: 'https://quita.example:8443', host: 'quita.example:8443' }, 'origin_refused'],
    [{ origin: 'https://internal.example', host: 'internal.example' }, 'origin_refused'],
    [{ origin: 'https://evil.example', host: 'quita.example' }, 'origin_refused'],
    [{ origin: 'null' }, 'origin_refused'],
    [{ 'sec-fetch-site': 'same-site' }, 'origin_refused'],
  ])('in production with %j: %s', (headers, expected) => {
    expect(answer(headers, true)).toBe(expected);
    expect(answer(headers, true, refuseOtherOrigins)).toBe(expected);
  });

  it('may come from another address of a machine in development, over http as it is served', () => {
    expect(answer({ origin: 'http://127.0.0.1:4100', host: '127.0.0.1:4100' }, false)).toBe('taken');
    expect(answer({ origin: 'https://127.0.0.1:4100', host: '127.0.0.1:4100' }, false)).toBe('origin_refused');
  });

  it('is a program’s when it has neither header', () => {
    expect(answer({}, true, refuseOtherOrigins)).toBe('taken');
    expect(answer({}, true)).toBe('origin_refused');
  });
});
