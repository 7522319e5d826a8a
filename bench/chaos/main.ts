/**
 * Plays a campaign under faults, and proves from the database, the log of the fakes and Temporal's histories that nothing
 * was lost and nobody was contacted wrongly.
 *
 *   npm run chaos -- [--seed N] [--debts N] [--contacts N] [--short] [--keep] [--plant NAME]
 *
 * The same seed gives the same debtors and the same faults. With `--plant` and a name of `plant.ts` the run must fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check, RULES } from '../../testing/checker/check.ts';
import { collectionsOf, isReminder } from '../../testing/checker/contacts.ts';
import type { Facts } from '../../testing/checker/facts.ts';
import { loadFacts } from '../../testing/checker/load-facts.ts';
import { ofKind } from '../../testing/checker/log.ts';
import { MAX_CONTACTS } from './days.ts';
import { PLANTS, type Plant, plant } from './plant.ts';
import { playCampaign } from './run.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    debts: { type: 'string' },
    contacts: { type: 'string', default: String(MAX_CONTACTS) },
    short: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
});
const seed = Number(values.seed);
const debts = Number(values.debts ?? (values.short ? 20 : 300));
const planted = values.plant as Plant | undefined;
const contacts = Number(values.contacts);
if (!(contacts >= 1 && contacts <= MAX_CONTACTS)) throw new Error(`--contacts is from 1 to ${MAX_CONTACTS}.`);
if (!Number.isSafeInteger(seed) || !(debts >= 1 && debts <= 5_000)) throw new Error('--seed and --debts are numbers.');
if (planted !== undefined && !(planted in PLANTS))
  throw new Error(`--plant is one of ${Object.keys(PLANTS).join(', ')}.`);

function report(facts: Facts, seconds: number, injected: number, unfinished: readonly string[]): void {
  const statuses = Map.groupBy(facts.debts, ({ status }) => status);
  const counts = [...statuses].map(([status, group]) => `${group.length} ${status}`).join(', ');
  say('');
  say(`${injected} faults in ${Math.round(seconds)} s, seed ${seed}`);
  say(`${facts.debts.length} debts: ${counts}`);
  const contacts = collectionsOf(facts);
  const reminders = contacts.filter(isReminder).length;
  say(
    `${contacts.length} contacts, of which ${reminders} remind, ${ofKind(facts.log, 'message_accepted').length} messages of debtors`,
  );
  const uncertain = facts.messages.filter(({ delivery }) => delivery === 'unknown').length;
  say(`${uncertain} messages whose sending is uncertain, which were not repeated`);
  const duplicates = facts.charges.filter(({ duplicate }) => duplicate).length;
  say(
    `${ofKind(facts.log, 'payment_made').length} payments (${duplicates} were too many), ${facts.receipts.length} receipts`,
  );
  say(`${facts.events.length} events, ${ofKind(facts.log, 'event_taken').length} posts taken by the receivers`);
  say(`${facts.workflows.length} workflow runs`);
  for (const line of unfinished) say(`a day ended before everything was done: ${line}`);
}

const folder = mkdtempSync(join(tmpdir(), 'quita-chaos-'));
const began = Date.now();
/** The processes of the product would outlive this one. */
const ending = new AbortController();
const STOP_WITHIN_MS = 40_000;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    ending.abort();
    // A day that is being played may wait for processes that have ended.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  });
}
let failed = true;
try {
  const run = await playCampaign({ folder, seed, debts, short: values.short, contacts, say, signal: ending.signal });
  try {
    if (planted !== undefined) plant(planted, await loadFacts(run.sources), run.sources.logFile);
    const facts = await loadFacts(run.sources);
    report(facts, (Date.now() - began) / 1_000, run.injected, run.unfinished);
    const violations = check(facts);
    const broken = new Set(violations.map(({ rule }) => rule));
    for (const { name } of RULES) say(`${broken.has(name) ? 'BROKEN' : 'ok    '} ${name}`);
    for (const { rule, what } of violations) say(`${rule}: ${what}`);
    failed = violations.length > 0;
  } finally {
    await run.stop();
  }
} finally {
  if (values.keep) say(`Data, logs and the log of the fakes are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
