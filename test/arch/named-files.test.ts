import { describe, expect, it } from '@jest/globals';
import { deadLinks, findMissingNames, glossaryPairs, missingFrom } from '../../scripts/names/find-missing-names.ts';

describe('documents and comments', () => {
  it('name only files, headings and types that exist', () => {
    expect(findMissingNames()).toEqual([]);
  });
});

describe('the check of named files', () => {
  it('finds a path and a file name that do not exist', () => {
    const planted =
      'See `src/kernel/absent.ts`, `absent-file.ts`, `src/kernel/money.ts` and `src/platform/database/routines/*.sql`.';
    expect(missingFrom(planted)).toEqual(['src/kernel/absent.ts', 'absent-file.ts']);
  });

  it('finds a link to a file and to a heading that do not exist', () => {
    const planted =
      '[a](absent.md) [b](architecture.md#absent) [c](architecture.md#tenants) [d](https://example.com/a)';
    expect(deadLinks('docs/README.md', planted)).toEqual(['](absent.md)', '](architecture.md#absent)']);
  });

  it('reads the types of the glossary', () => {
    expect(glossaryPairs().length).toBeGreaterThan(25);
  });
});
