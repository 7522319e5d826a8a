import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { findAmbiguities } from '../../scripts/expressions/ambiguity.ts';
import { ruleHits } from '../../src/modules/agent/adapters/rules/hand-rules.ts';
import { isSilenceIdiom, silenceFamily } from '../../src/modules/agent/adapters/rules/opt-out-patterns.ts';
import { expectCostBelow } from '../../testing/cpu-cost.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Issue 13, line 2. Each took seconds at this length, and twice as long for every further word. */
const TIMES = 28;
const REPEATED: readonly (readonly [string, string, (text: string) => unknown])[] = [
  ['the idioms, `quero`', `${'quero '.repeat(TIMES)}x`, isSilenceIdiom],
  ['the idioms, `favor`', `${'favor '.repeat(TIMES)}x`, isSilenceIdiom],
  ['the idioms, `o envio`', `parar${' o envio'.repeat(TIMES)} x`, isSilenceIdiom],
  ['the grammar, `precisam`', `nao${' precisam'.repeat(TIMES)} x`, silenceFamily],
  ['the hand rules, `bom`', `${'bom '.repeat(TIMES)}zz`, ruleHits],
  ['the hand rules, `kk`', `${'kk '.repeat(TIMES)}zz`, ruleHits],
];

it.each(REPEATED)('%s repeated is read in no time', async (_, text, read) => {
  // An expression is compiled at its first uses.
  for (let use = 0; use < 3; use += 1) read('uma outra coisa');
  // With ambiguous repetition it took minutes.
  await expectCostBelow(100, () => read(text));
});

describe('the check of expressions', () => {
  it.each([
    ['(?:a+)+$', 'a repetition in a repetition'],
    ['^(?:(?:quero|desejo|quero) )*x', 'an alternative that stands twice'],
    ['^(?: (?:o envio|o|envio))*x', 'an alternative that is made of others'],
    ['^(?: (?:precisa\\w*|precisam))*x', 'an alternative that another includes'],
    ['^(?:(?:kk+|k+) )*x', 'two counts of the same letter'],
    ['^(?:a?b?)*x', 'a repetition of what may be nothing'],
    ['^a(?=(?:c|cc)*d)', 'a repetition in a lookahead'],
    ['^(?:x(?<=(?:c|cc)*d))*', 'a repetition in a lookbehind in a repetition'],
    ['^(?: (?:de|d[oe])){0,3}x', 'a counted repetition'],
    ['^(?:(\\w)\\1*)*x', 'a repetition of a letter that was read before'],
  ])('finds %s: %s', (source) => {
    expect(findAmbiguities(source, '')).not.toEqual([]);
  });

  it.each([
    ['^(?: (?:bom dia|bom|dia noite))*x', ''],
    ['^(?:\\p{L}+ )*x', 'u'],
    ['(?:(?:ok|k+)(?: |$))+$', ''],
    ['^(?: (?!pag)\\w+){0,5} x', ''],
    ['(?:[\\s.]{0,3}\\d){7,}', ''],
  ])('lets %s pass', (source, flags) => {
    expect(findAmbiguities(source, flags)).toEqual([]);
  });

  it('names a text that is read in two ways', () => {
    expect(findAmbiguities('^(?: (?:o envio|o|envio))*x', '')[0]).toEqual({
      repetition: '(?: (?:o envio|o|envio))*',
      text: expect.stringContaining('o envio'),
    });
  });

  it('passes, and sees what is built from word lists', async () => {
    const { stdout } = await run(process.execPath, ['scripts/check-expressions.ts'], { cwd: ROOT });
    const [, written, built] = /(\d+) written, (\d+) built, 0 problems/.exec(stdout) ?? [];
    expect(Number(written)).toBeGreaterThan(0);
    // The patterns of the agent are built from its word lists.
    expect(Number(built)).toBeGreaterThan(0);
  });
});
