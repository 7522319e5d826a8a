import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { bindingPack } from '../rules/policy-pack.ts';
import { loadPolicy } from './load-policy.ts';
import { readPack } from './read-pack.ts';

const policies = fileURLToPath(new URL('../../../../policies/', import.meta.url));
const { pack, text } = loadPolicy();
const scratch = mkdtempSync(join(tmpdir(), 'quita-pack-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const rules = text.content.rules as Record<string, unknown>[];
const file = (content: unknown): string => {
  const path = join(scratch, 'pack.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const whole = (given: readonly object[] = rules) => ({ id: 'br', version: 'x', jurisdiction: 'BR', rules: given });
const withFirst = (change: object) => whole([{ ...rules[0], ...change }, ...rules.slice(1)]);
const bill = {
  ...whole([{ ...rules.find(({ status }) => status === 'bill'), id: 'bill' }]),
  id: 'br-bill',
  addsTo: 'br',
  bill: 'PL 1/2027',
};

describe('a bill', () => {
  it.each(readdirSync(join(policies, 'bills')))(
    '%s is read as the shipped pack with what it would bring',
    async (name) => {
      const read = await readPack(join(policies, 'bills', name), pack);
      expect(read.rules.slice(0, pack.rules.length)).toEqual(pack.rules);
      const added = read.rules.slice(pack.rules.length);
      expect(added).not.toEqual([]);
      for (const rule of added) expect(rule).toMatchObject({ status: 'product', statusProof: null });
      expect(bindingPack(read, 'itself').rules).toEqual(expect.arrayContaining([...added]));
    },
  );

  it.each([
    ['becomes no law', { rules: [{ ...bill.rules[0], status: 'law' }] }, '/rules/0/status must be "bill"'],
    [
      'is not in force',
      { rules: [{ ...bill.rules[0], statusProof: { seen: 'x', url: null } }] },
      '/rules/0/statusProof',
    ],
    ['is of this pack', { addsTo: 'us' }, '/addsTo'],
    ['has rules', { rules: [] }, '/rules'],
  ])('%s', async (_name, change, problem) => {
    await expect(readPack(file({ ...bill, ...change }), pack)).rejects.toThrow(problem);
  });
});

describe('a pack from outside', () => {
  it('is the shipped one where it says the same', async () => {
    expect(await readPack(join(policies, 'br.json'), pack)).toEqual(pack);
  });

  it.each<[string, unknown, string]>([
    ['is no JSON', '{', 'JSON'],
    ['is deep', `{"rules":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, ''],
    ['is large', ' '.repeat(1_000_001), 'larger'],
    ['has very many rules', whole(Array.from({ length: 501 }, () => rules[0]!)), '/rules'],
    [
      'has very many windows',
      withFirst({ windows: Array(51).fill({ days: [1], from: '09:00', to: '10:00' }) }),
      '/rules/0/windows',
    ],
    [
      'has no hour of a day',
      withFirst({ windows: [{ days: [1], from: '09:00', to: '25:00' }] }),
      '/rules/0/windows/0/to',
    ],
    ['ends before it begins', withFirst({ windows: [{ days: [1], from: '19:00', to: '09:00' }] }), 'before it begins'],
    ['has a member that no rule has', withFirst({ pattern: '(a+)+$' }), '/rules/0'],
    ['has a very long text', withFirst({ note: 'a'.repeat(4_001) }), '/rules/0/note'],
    ['lacks a rule', whole(rules.filter(({ rule }) => rule !== 'due')), 'has no rule due'],
    ['says it twice', whole([...rules, rules[0]!]), 'twice'],
    [
      'looks back for weeks',
      whole(rules.map((one) => (one['id'] === 'br-cap-week' ? { ...one, period: { hours: 193 } } : one))),
      '/period',
    ],
    [
      'waits for ever',
      whole(rules.map((one) => (one['rule'] === 'promise' ? { ...one, businessDays: 1e9 } : one))),
      '/businessDays',
    ],
    ['calls a bill a law', withFirst({ status: 'law', source: 'PL 2.616/2025' }), '/rules/0/status'],
  ])('is refused when it %s', async (_name, content, problem) => {
    await expect(readPack(file(content), pack)).rejects.toThrow(problem);
  });
});
