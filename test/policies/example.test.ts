import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { decideContact } from '../../src/modules/policy/rules/contact-policy.ts';
import { differenceOf } from '../../src/modules/policy/rules/pack-difference.ts';
import { bindingPack } from '../../src/modules/policy/rules/policy-pack.ts';
import { packDifferenceText } from '../../src/modules/policy/texts/pack-difference.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { contactQuestion } from '../../testing/contact-question.ts';
import { opened } from '../../testing/opened.ts';
import { createScratch, ROOT } from '../startup/support.ts';

const scratch = await opened(createScratch());
const page = readFileSync(join(ROOT, 'docs/policy.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].filter(([, name]) => name === language).map(([, , text]) => text!);
const [ruleText, versionText] = blocks('json') as [string, string];
const rule = JSON.parse(ruleText);
const { version } = JSON.parse(`{${versionText.trim().replace(/,$/, '')}}`);

const folder = join(scratch.folder, 'policies');
cpSync(join(ROOT, 'policies'), folder, { recursive: true });
const shipped = JSON.parse(readFileSync(join(folder, 'br.json'), 'utf8'));
// Whoever follows the page has the rule in the pack already, so both packs are made from the rest of it.
const others = shipped.rules.filter(({ id }: { id: string }) => id !== rule.id);

function policyOf(change: object) {
  writeFileSync(join(folder, 'br.json'), JSON.stringify({ ...shipped, ...change }));
  return loadPolicy(pathToFileURL(`${folder}/`));
}
const before = policyOf({ rules: others });
const after = policyOf({ version, rules: [...others, rule] });

it('leads through its example: the difference that the rule makes is the one of the page', () => {
  const shown = packDifferenceText(before.pack, after.pack, differenceOf(before.pack, after.pack, version));
  // The first line names the version before, which changes with each law.
  const [names, ...difference] = shown.split('\n');
  expect(names).toContain(version);
  expect(page).toContain(difference.join('\n'));
});

it('says of its example what the test of the page says: it is named from the day on which it is in force', () => {
  const { id, effectiveFrom } = rule;
  const firstMoment = Date.parse(`${effectiveFrom}T00:00:00-03:00`);
  const namedAt = (now: number) => {
    const question = contactQuestion({ pack: bindingPack(after.pack, 'itself'), holidays: after.holidays });
    const debt = { ...question.debt, dueDate: '2027-01-01' };
    return decideContact({ ...question, phoneAreaCode: '85', debt, now }).ruleIds.includes(id);
  };
  const tenHours = 10 * 3_600_000;
  // Three days before is the Friday before that Monday.
  expect(namedAt(firstMoment - 3 * 86_400_000 + tenHours)).toBe(false);
  expect(namedAt(firstMoment + tenHours)).toBe(true);
  expect(blocks('ts')[0]).toContain(id);
});
