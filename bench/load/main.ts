/**
 * `npm run load [-- --minutes N] [--rate N] [--seed N] [--json FILE]` runs PostgreSQL, Temporal, API, worker and relay
 * in processes of their own on this machine, with local fakes of Mercado Pago and WhatsApp, and lets debtors, staff, the
 * bank and the channel call them for ten minutes at half of the rate that a ramp has found before. It ends with a verdict
 * on each promise, and with exit code 1 when one is broken. `--keep` leaves the folder of logs and data.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTemporalConfig } from '../../src/platform/config/temporal-config.ts';
import { machine } from '../support/machine.ts';
import { linesOf } from './print.ts';
import { runLoad } from './run-load.ts';
import { judge } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const numberOf = (name: 'minutes' | 'rate' | 'seed'): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write(`--${name} must be a number above 0.\n`);
  return process.exit(2);
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A worker's memory grows until its cache of workflows is full, which is not what a run of minutes asks about. */
const prepared = Math.ceil(readTemporalConfig().worker.maxCachedWorkflows * 1.2);

const plan = {
  prepared,
  seconds: numberOf('minutes') * 60,
  seed: numberOf('seed'),
  rate: values.rate === undefined ? undefined : numberOf('rate'),
  sampleEveryMs: 2_000,
  drainWithinMs: 60_000,
};
const folder = mkdtempSync(join(tmpdir(), 'quita-load-'));
try {
  const seen = await runLoad({ ...plan, folder, tell: say });
  const verdicts = judge(seen);
  for (const line of linesOf(seen, verdicts)) say(line);
  if (values.json !== undefined) {
    const file = {
      machine: machine(),
      plan,
      ...seen,
      processes: [...seen.processes],
      nodes: [...seen.nodes],
      verdicts,
    };
    writeFileSync(values.json, `${JSON.stringify(file, null, 2)}\n`);
  }
  const broken = verdicts.filter(({ passed }) => passed === false);
  if (broken.length > 0) process.exitCode = 1;
  say('');
  say(broken.length === 0 ? 'No promise was broken.' : `Broken: ${broken.map(({ what }) => what).join(', ')}.`);
} finally {
  if (values.keep) say(`Logs and data: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
