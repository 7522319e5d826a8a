import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { check } from '../../testing/checker/check.ts';
import { collectionsOf, isReminder } from '../../testing/checker/contacts.ts';
import type { Facts } from '../../testing/checker/facts.ts';
import { loadFacts } from '../../testing/checker/load-facts.ts';
import { ofKind, readLog } from '../../testing/checker/log.ts';
import { PLANTS, type Plant, plant } from './plant.ts';
import { type FinishedRun, playCampaign } from './run.ts';

const TIMEOUT = 420_000;
const DEBTS = 20;

let folder: string;
let run: FinishedRun;
let facts: Facts;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quita-chaos-'));
  run = await playCampaign({ folder, seed: 7, debts: DEBTS, short: true, contacts: 1, say: () => {} });
  facts = await loadFacts(run.sources);
}, TIMEOUT);
afterAll(async () => {
  await run?.stop();
  rmSync(folder, { recursive: true, force: true });
}, TIMEOUT);

describe('a campaign during which a worker is killed, connections are cut and answers go wrong', () => {
  it('has contacted, been answered and been paid, and broken no rule', () => {
    expect(check(facts)).toEqual([]);
    expect(run.unfinished).toEqual([]);
    expect(run.injected).toBe(3);
    expect(facts.debts).toHaveLength(DEBTS);
    expect(collectionsOf(facts).length).toBeGreaterThan(DEBTS / 2);
    expect(collectionsOf(facts).filter(isReminder).length).toBeGreaterThan(0);
    const kinds = ['message_accepted', 'payment_made', 'notification_accepted', 'event_taken'] as const;
    for (const kind of kinds) expect([kind, ofKind(facts.log, kind).length]).not.toEqual([kind, 0]);
    expect(facts.receipts.length).toBeGreaterThan(0);
  });

  it.each(Object.entries(PLANTS) as [Plant, string][])('does not pass with a planted %s', (name, rule) => {
    const logFile = join(folder, `${name}.jsonl`);
    copyFileSync(run.sources.logFile, logFile);
    plant(name, facts, logFile);
    const broken = check({ ...facts, log: readLog(logFile) }).map((violation) => violation.rule);
    expect(broken).toContain(rule);
  });

  // Several processes write the log, so that neighbours may be milliseconds out of order. The clock of an entry is that of
  // the step before it in the file.
  it('keeps the log of the fakes on the right side of each step of the clock', () => {
    const entries = readFileSync(run.sources.logFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at: number; kind: string });
    const steps = entries.flatMap((entry, index) => (entry.kind === 'clock' ? [{ ...entry, index }] : []));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(entries.slice(0, step.index).filter(({ at }) => at > step.at)).toEqual([]);
      expect(entries.slice(step.index).filter(({ at }) => at < step.at)).toEqual([]);
    }
  });
});
