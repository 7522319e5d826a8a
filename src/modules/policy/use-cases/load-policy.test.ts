import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { REQUIRED_RULES } from '../rules/policy-pack.ts';
import { loadPolicy, PolicyError } from './load-policy.ts';

const FILES = ['br.json', 'holidays-br.json', 'sequence.json'];
const original = (name: string) => readFileSync(new URL(`../../../../policies/${name}`, import.meta.url), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quita-policy-'));
  for (const name of FILES) writeFileSync(join(folder, name), original(name));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Draft {
  rules: Record<string, unknown>[];
  steps: Record<string, unknown>[];
  nation: Record<string, unknown>;
  states: Record<string, Record<string, unknown>>;
}
const edit = (name: string, change: (content: Draft) => void) => {
  const content: Draft = JSON.parse(original(name));
  change(content);
  writeFileSync(join(folder, name), JSON.stringify(content));
};
const problems = (): readonly string[] => {
  try {
    loadPolicy(pathToFileURL(`${folder}/`));
    return [];
  } catch (error) {
    if (error instanceof PolicyError) return error.problems;
    throw error;
  }
};

describe('loadPolicy', () => {
  it('reads the pack that is shipped', () => {
    const { pack, sequence } = loadPolicy();
    expect(pack.id).toBe('br');
    expect(new Set(pack.rules.map(({ rule }) => rule))).toEqual(new Set(REQUIRED_RULES));
    expect(pack.rules.filter(({ source }) => source.startsWith('http'))).toEqual([]);
    expect(pack.rules.find(({ id }) => id === 'br-hours')).toMatchObject({ windows: [{ from: 540, to: 1140 }] });
    expect(sequence.steps).toHaveLength(6);
    expect(problems()).toEqual([]);
  });

  it.each([...REQUIRED_RULES])('refuses a pack without a rule %s', (kind) => {
    edit('br.json', (pack) => {
      pack.rules = pack.rules.filter(({ rule }) => rule !== kind);
    });
    expect(problems()).toEqual([`br.json: /rules has no rule ${kind}`]);
  });

  it('reports all problems together', () => {
    edit('br.json', (pack) => {
      pack.rules[0]!['windows'] = [{ days: [1], from: '9h', to: '19:00' }];
      pack.rules[1]!['status'] = 'rumour';
      pack.rules[2]!['effectiveFrom'] = '2026-02-30';
      pack.rules[3]!['extra'] = true;
      pack.rules[4]!['id'] = pack.rules[5]!['id'];
    });
    edit('sequence.json', (sequence) => {
      sequence.steps[0]!['thenWaitDays'] = 0;
    });
    edit('holidays-br.json', (table) => {
      table.states['XX'] = { holidays: [], notHolidays: [] };
      table.nation['holidays'] = [{ name: 'never', on: '02-30', law: 'none' }];
    });
    const found = problems().join('\n');
    for (const place of [
      '/rules/0/windows/0/from',
      '/rules/1/status',
      '/rules/2/effectiveFrom',
      '/rules/3',
      '/steps/0/thenWaitDays',
      '/states',
      '/nation/holidays/0/on',
    ]) {
      expect(found).toContain(place);
    }
  });

  it.each([
    [
      'a window that ends before it begins',
      '/rules/0/windows/0',
      { windows: [{ days: [1], from: '09:00', to: '08:00' }] },
    ],
    ['an id twice', '/rules', { id: 'br-holidays' }],
  ])('refuses %s', (_, place, change) => {
    edit('br.json', (pack) => Object.assign(pack.rules[0]!, change));
    expect(problems()).toHaveLength(1);
    expect(problems()[0]).toContain(place);
  });

  it.each([
    ['checkedAt', 'is missing: the day on which it was looked up whether the rule is in force'],
    ['statusProof', 'is missing: where the rule was seen to be in force, or null'],
    ['binds', 'is missing: "all" or "collectors"'],
  ])('says in a sentence that a rule has no %s', (member, sentence) => {
    edit('br.json', (pack) => {
      delete pack.rules[0]![member];
    });
    expect(problems()).toEqual([`br.json: /rules/0/${member} ${sentence}`]);
  });

  it.each([
    ['checkedAt', 'soon', 'is not a date'],
    ['statusProof', { seen: 'Diário Oficial', url: 'iomat' }, 'URL'],
    ['binds', 'creditors', 'Invalid option'],
  ])('refuses a rule whose %s is %j', (member, value, problem) => {
    edit('br.json', (pack) => {
      pack.rules[0]![member] = value;
    });
    expect(problems()).toEqual([expect.stringMatching(new RegExp(`^br.json: /rules/0/${member}.*${problem}`))]);
  });

  it('refuses a bill that calls itself a law, and a bill that was seen to be in force', () => {
    const bill = { status: 'bill', source: 'Projeto de Lei BA 23.236/2019', statusProof: null };
    edit('br.json', (pack) => {
      Object.assign(pack.rules[1]!, bill, { status: 'law' });
      Object.assign(pack.rules[2]!, bill, { statusProof: { seen: 'Diário Oficial', url: null } });
    });
    expect(problems()).toEqual([
      'br.json: /rules/1/status is "law", but its source is a bill',
      'br.json: /rules/2/statusProof must be null, because a bill is not in force',
    ]);
  });

  it.each([
    ['a bill', { status: 'bill', statusProof: null }],
    ['for collectors', { binds: 'collectors' }],
  ])('refuses a pack whose only rule of a kind is %s', (_, change) => {
    edit('br.json', (pack) => Object.assign(pack.rules.find(({ rule }) => rule === 'due')!, change));
    expect(problems()).toEqual(['br.json: /rules has no rule due']);
  });

  it('ships a pack of which every law was looked up, and no bill is a law', () => {
    const { rules } = loadPolicy().pack;
    for (const { status, checkedAt } of rules) expect([status, checkedAt]).toEqual([status, expect.any(String)]);
    expect(rules.filter(({ status }) => status === 'bill').map(({ id }) => id)).toEqual([
      'br-ba-pl-23236-2019',
      'br-ms-pl-130-2025',
    ]);
    // Whoever proves one of these takes it out of this list.
    const unproved = rules.filter(({ status, statusProof }) => status === 'law' && statusProof === null);
    expect(unproved.map(({ id }) => id)).toEqual(['br-sp-lei-15426-2014', 'br-am-lei-360-2016']);
  });

  it.each([
    ['that is not checked and has no note', { checked: false }, '/nation/holidays/0'],
    ['on 29 February', { on: '02-29' }, '/nation/holidays/0/on'],
    ['whose law ends before it begins', { from: 2027, to: 2026 }, '/nation/holidays/0'],
    ['whose page is no address', { lawUrl: 'Lei 1' }, '/nation/holidays/0/lawUrl'],
    ['that is transferred where no law transfers', { transferred: true }, '/nation'],
  ])('refuses a holiday %s', (_, change, place) => {
    edit('holidays-br.json', (rules) => {
      rules.nation['holidays'] = [{ name: 'Natal', on: '12-25', law: 'Lei federal 662/1949', ...change }];
    });
    expect(problems()).toHaveLength(1);
    expect(problems()[0]).toContain(`holidays-br.json: ${place} `);
  });

  it('refuses holidays without one of the states', () => {
    edit('holidays-br.json', (rules) => {
      delete rules.states['TO'];
    });
    expect(problems()).toHaveLength(1);
    expect(problems()[0]).toContain('/states/TO');
  });

  it('refuses files that are missing or are not JSON', () => {
    writeFileSync(join(folder, 'br.json'), '{');
    rmSync(join(folder, 'sequence.json'));
    expect(problems()).toHaveLength(2);
  });
});
