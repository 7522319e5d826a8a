import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../platform/config/index.ts';
import { banner } from './banner.ts';

const shown = (CLOCK_OFFSET: string, url?: string): string =>
  banner({
    config: loadConfig({ CLOCK_OFFSET }, { roles: ['relay'] }),
    url,
    temporalUiUrl: undefined,
    seconds: '1.0',
  });

describe('the banner', () => {
  it('begins with the address of the console', () => {
    const [, , first] = shown('', 'http://127.0.0.1:3000').split('\n');
    expect(first).toBe('  Console      http://127.0.0.1:3000/');
    expect(shown('')).not.toContain('Console');
  });

  it.each([
    ['51h', '2d3h ahead of'],
    ['-5h', '5h behind'],
    ['-1d90s1ms', '1d1m30s1ms behind'],
  ])('says how far the clock is shifted by %s', (given, words) => {
    expect(shown(given)).toContain(`The clock of the service is ${words} real time (CLOCK_OFFSET): it is 2`);
  });

  it('says nothing about a clock that is not shifted', () => {
    expect(shown('')).not.toContain('CLOCK_OFFSET');
    expect(shown('0s')).not.toContain('CLOCK_OFFSET');
  });
});
