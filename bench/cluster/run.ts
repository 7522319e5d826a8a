/**
 * `npm run cluster -- up|campaign [debts]|kill [debts]|suites [path …]|rates [workflows] [--shards N] [--connections N]
 * [--seed N]` runs the product on this machine as a deployment of several machines runs it: Temporal's real server with
 * its data in PostgreSQL, its four services apart, two API processes behind a proxy, two workers and two relays.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check } from '../../testing/checker/check.ts';
import { loadFacts } from '../../testing/checker/load-facts.ts';
import { noDebtLost, nothingIncomingUnhandled, noWorkflowFailed } from '../../testing/checker/work.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { cpuSecondsOf } from '../support/cpu.ts';
import { runCampaign } from './campaign.ts';
import { killInTurn } from './kill-in-turn.ts';
import { compareRates } from './rates.ts';
import { runSuites } from './run-suites.ts';
import { startTemporalCluster } from './temporal-cluster.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    shards: { type: 'string', default: '16' },
    connections: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const [command = 'up', given, ...others] = positionals;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'quita-cluster-'));

/** The processes of the product and of the servers would outlive this one. */
const ending = new AbortController();
const ended = once(ending.signal, 'abort').then(() => 'ended' as const);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

const engineOptions = { shards: Number(values.shards), connections: Number(values.connections) };
if (command === 'suites') {
  const code = await runSuites(
    folder,
    given === undefined ? [] : [given, ...others],
    say,
    engineOptions,
    ending.signal,
  );
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else say(`The logs are in ${folder}`);
  process.exit(code);
}
if (command === 'rates') {
  await compareRates(folder, Number(given ?? 400), say, ending.signal);
  rmSync(folder, { recursive: true, force: true });
  process.exit(ending.signal.aborted ? 1 : 0);
}
if (!['up', 'campaign', 'kill'].includes(command)) {
  process.stderr.write(
    'Usage: npm run cluster -- up|campaign [debts]|kill [debts]|suites [path …]|rates [workflows]\n',
  );
  process.exit(2);
}

const stack = await startStack({
  folder,
  apis: 2,
  workers: 2,
  relays: 2,
  log: say,
  // A campaign measures the servers and not the copying of their traffic.
  direct: command === 'campaign',
  engine: (where, log, databaseUrl) => startTemporalCluster(where, log, { databaseUrl, ...engineOptions }),
});

/** CPU seconds by kind of process, because two of a kind share their work. */
function cpuOfParts({ processes }: Stack): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const { name, pid } of processes()) {
    const part = name.replace(/-\d$/, '');
    parts.set(part, (parts.get(part) ?? 0) + cpuSecondsOf(pid ?? 0));
  }
  return parts;
}

/** Returns what is wrong at the end of the campaign. */
async function playCampaign(): Promise<readonly string[]> {
  const before = cpuOfParts(stack);
  const run = await runCampaign(
    stack,
    Number(given ?? (command === 'kill' ? 300 : 20_000)),
    say,
    command === 'kill' ? (isOver) => killInTurn(stack, { seed: Number(values.seed), isOver, say }) : undefined,
  );
  say(
    `${run.debts} debts collected and settled in ${run.seconds.toFixed(1)} s, ${run.contactsPerSecond.toFixed(1)} a second`,
  );
  const used = [...cpuOfParts(stack)].map(
    ([part, seconds]) => `${part} ${(((seconds - (before.get(part) ?? 0)) * 1_000) / run.debts).toFixed(0)} ms`,
  );
  // A process that was killed takes its time with it.
  if (command === 'campaign') say(`CPU of a debt, with its import: ${used.join(', ')}`);
  const facts = await loadFacts({ databaseUrl: stack.databaseUrl, temporalAddress: stack.temporalAddress });
  const violations = check(facts, [noDebtLost, noWorkflowFailed, nothingIncomingUnhandled]);
  return [...run.wrong, ...violations.map(({ rule, what }) => `${rule}: ${what}`)];
}

let failed = true;
try {
  say(`Quita on a cluster: ${stack.url}, Temporal ${stack.temporalAddress}, logs in ${folder}`);
  for (const { name, pid } of stack.processes()) say(`  ${name.padEnd(18)} pid ${pid}`);
  if (command === 'up') say('Ctrl-C ends all of it.');
  const wrong = await Promise.race([ended, ...(command === 'up' ? [] : [playCampaign()])]);
  if (wrong === 'ended') {
    failed = command !== 'up';
    if (failed) say('The campaign was ended before its end.');
  } else {
    failed = wrong.length > 0;
    say(
      failed
        ? wrong.join('\n')
        : 'Each debt was contacted, never twice on a day, settled once and has one receipt; nothing is left over.',
    );
  }
} finally {
  await stack.stop();
  if (failed) say(`The logs are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
// A campaign that was ended still asks for its state.
process.exit(failed ? 1 : 0);
