import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { differenceOf } from '../../src/modules/policy/rules/pack-difference.ts';
import { packDifferenceText } from '../../src/modules/policy/texts/pack-difference.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const scratch = await opened(createScratch());
const page = readFileSync(join(ROOT, 'docs/policy.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].filter(([, name]) => name === language).map(([, , text]) => text!);

it('leads through its example: the rule, the version, its hash and the difference are those of the page', () => {
  const [rule, version, hash] = blocks('json') as [string, string, string];
  const folder = join(scratch.folder, 'policies');
  cpSync(join(ROOT, 'policies'), folder, { recursive: true });
  const pack = JSON.parse(readFileSync(join(folder, 'br.json'), 'utf8'));
  const named = JSON.parse(`{${version.trim().replace(/,$/, '')}}`);
  const changed = { ...pack, ...named, rules: [...pack.rules, JSON.parse(rule)] };
  writeFileSync(join(folder, 'br.json'), JSON.stringify(changed));

  const after = loadPolicy(pathToFileURL(`${folder}/`));
  expect(JSON.parse(`{${hash}}`)).toEqual({ [named.version]: after.text.hash });
  const before = loadPolicy();
  const shown = packDifferenceText(before.pack, after.pack, differenceOf(before.pack, after.pack, named.version));
  expect(page).toContain(shown);
});
