import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';

it('a changed policy has a new version, because verdicts name only the version', () => {
  const released: Record<string, string> = JSON.parse(
    readFileSync(new URL('../../policies/versions.json', import.meta.url), 'utf8'),
  );
  const { pack, text } = loadPolicy();
  // When this fails: give br.json a new version and add it with this hash to versions.json.
  expect(released[pack.version]).toBe(text.hash);
});
