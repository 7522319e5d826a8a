import { parseArgs } from 'node:util';
import { localDate, parseLocalDate } from '../../kernel/calendar.ts';
import { replayForAll } from '../../modules/campaigns/use-cases/replay-policy.ts';
import { checkPolicy } from '../../modules/policy/adapters/check/threads/check-threads.ts';
import { EACH_AREA_CODE, withoutWindow } from '../../modules/policy/rules/campaign-settings.ts';
import { boundaryMinutes, type Counterexample } from '../../modules/policy/rules/check/compare.ts';
import { differenceOf } from '../../modules/policy/rules/pack-difference.ts';
import { bindingPack, type PolicyPack } from '../../modules/policy/rules/policy-pack.ts';
import type { ClientReplay } from '../../modules/policy/rules/replay.ts';
import { packDifferenceText } from '../../modules/policy/texts/pack-difference.ts';
import { loadPolicy, type Policy } from '../../modules/policy/use-cases/load-policy.ts';
import { readPack } from '../../modules/policy/use-cases/read-pack.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';

const USAGE = `Usage:
  quita policy check FILE   decides by the engine and by a second, plain reading of the rules, and compares: each boundary
                            of two years with the minutes beside it, in each state, on each channel, with each history,
                            and a sample. Exit code 0: they agree; 1: the first counterexamples; 2: FILE is no pack
      [--from YYYY-MM-DD] [--days 731] [--sample 1000000] [--seed N] [--threads N]
      [--places 11,97]    the boundaries at these area codes alone
  quita policy diff A B     which minutes of an ordinary week open and close from pack A to pack B, as tables in
                            Portuguese. Exit code 0: nothing differs; 1: something does; 2: a file is no pack
      [--on YYYY-MM-DD]
  quita policy replay FILE --from YYYY-MM-DD --to YYYY-MM-DD
                            how many contacts of the ledger the pack would have forbidden, by client and rule; nothing is
                            changed. Exit code 0, or 2 when FILE is no pack
      [--sandbox]           the contacts of sandbox campaigns, instead of those of real ones

FILE, A and B are packs as policies/br.json, or the pack of a bill (policies/bills), which is read as if it were in force.
docs/policy.md has examples.
`;

const BRAZIL = -3;
const today = (): string => localDate(Date.now(), BRAZIL);

const OPTIONS = {
  from: { type: 'string' },
  days: { type: 'string', default: '731' },
  sample: { type: 'string', default: '1000000' },
  seed: { type: 'string' },
  threads: { type: 'string' },
  places: { type: 'string' },
  on: { type: 'string' },
  to: { type: 'string' },
  sandbox: { type: 'boolean', default: false },
} as const;

/** A mistake in the call or in a file, which is printed without a stack. */
class Refusal extends Error {}

const whole = (name: string, given: string, [least, most]: readonly [number, number]): number => {
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Refusal(`--${name} is a whole number from ${least} to ${most}`);
};

const dateOr = (name: string, given: string | undefined): string => {
  const date = given === undefined ? today() : parseLocalDate(given);
  if (date !== null) return date;
  throw new Refusal(`--${name} is a date, such as 2027-03-01`);
};

function placesOf(given: string): readonly string[] {
  const codes = given.split(',');
  if (codes.length <= 100 && codes.every((code) => /^\d{2}$/.test(code))) return codes;
  throw new Refusal('--places is a list of area codes, such as 11,97');
}

const shown = ({ at, areaCode, channel, history, engine, plain }: Counterexample, index: number): string =>
  [
    `${index + 1}. ${new Date(at).toISOString()}, area code ${areaCode}, ${channel}: ${history}`,
    `   the engine ${engine}`,
    `   the plain reading ${plain}`,
  ].join('\n');

/** A law has two times of day. A pack with very many makes the check take days. */
const MAX_BOUNDARIES = 60;

function requireCheckable(pack: PolicyPack, policy: Policy): void {
  if (boundaryMinutes(pack).length > MAX_BOUNDARIES)
    throw new Refusal(
      `The ${pack.rules.length} rules have more than ${MAX_BOUNDARIES} times of day, too many to compare`,
    );
  for (const collectsFor of ['itself', 'others'] as const) {
    const closed = withoutWindow(bindingPack(pack, collectsFor), policy.holidays, Date.now(), EACH_AREA_CODE);
    if (closed.length === 0) continue;
    const who = collectsFor === 'itself' ? 'its own debts' : 'the debts of others';
    throw new Refusal(
      `The windows contradict each other: a client that collects ${who} could contact nobody in the area codes ${closed.join(', ')}`,
    );
  }
}

type Given = ReturnType<typeof parse>['values'];

async function check(path: string, values: Given): Promise<number> {
  const policy = loadPolicy();
  const pack = await readPack(path, policy.pack);
  const from = dateOr('from', values.from);
  const days = whole('days', values.days, [1, 3_660]);
  const sample = whole('sample', values.sample, [0, 100_000_000]);
  const seed = whole('seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), [0, 999_999_999]);
  requireCheckable(pack, policy);
  process.stdout.write(
    `${pack.id} ${pack.version}, ${pack.rules.length} rules: ${days} days from ${from}, sample ${sample}, seed ${seed}\n`,
  );
  const started = performance.now();
  const { counterexamples, decisions } = await checkPolicy({
    pack,
    holidays: policy.holidays.rules,
    from,
    days,
    sample,
    seed,
    ...(values.threads === undefined ? {} : { threads: whole('threads', values.threads, [1, 64]) }),
    ...(values.places === undefined ? {} : { places: placesOf(values.places) }),
    onProgress: (done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} parts`);
    },
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  process.stdout.write(`${decisions.toLocaleString('en')} decisions in ${seconds} s\n`);
  if (counterexamples.length === 0) {
    process.stdout.write('The engine and the plain reading agree on each of them\n');
    return 0;
  }
  process.stdout.write(`The engine and the plain reading differ:\n${counterexamples.map(shown).join('\n')}\n`);
  return 1;
}

async function diff(one: string, other: string, values: Given): Promise<number> {
  const { pack } = loadPolicy();
  const [before, after] = [await readPack(one, pack), await readPack(other, pack)];
  const found = differenceOf(before, after, dateOr('on', values.on));
  process.stdout.write(packDifferenceText(before, after, found));
  return found.dated.length + found.rules.length === 0 ? 0 : 1;
}

const counts = ({ contacts, forbidden, unknownPlace, byRule }: Omit<ClientReplay, 'clientId'>): string => {
  const unknown = unknownPlace === 0 ? '' : `, ${unknownPlace} not judged because the phone was erased`;
  const rules = byRule.map(({ ruleId, contacts: count }) => `\n  ${count}\t${ruleId}`).join('');
  return `${contacts} contacts, ${forbidden} forbidden${unknown}${rules}`;
};

function totalOf(clients: readonly ClientReplay[]): Omit<ClientReplay, 'clientId'> {
  const sum = (of: (one: ClientReplay) => number): number => clients.reduce((all, one) => all + of(one), 0);
  const byRule = new Map<string, number>();
  for (const { ruleId, contacts } of clients.flatMap((one) => one.byRule))
    byRule.set(ruleId, (byRule.get(ruleId) ?? 0) + contacts);
  return {
    contacts: sum(({ contacts }) => contacts),
    forbidden: sum(({ forbidden }) => forbidden),
    unknownPlace: sum(({ unknownPlace }) => unknownPlace),
    byRule: [...byRule].map(([ruleId, contacts]) => ({ ruleId, contacts })),
  };
}

async function replay(path: string, values: Given): Promise<number> {
  const policy = loadPolicy();
  const pack = await readPack(path, policy.pack);
  if (values.from === undefined || values.to === undefined) throw new Refusal('Give --from and --to, both included');
  const period = { from: dateOr('from', values.from), to: dateOr('to', values.to), sandbox: values.sandbox };
  if (period.to < period.from) throw new Refusal('--to is before --from');
  const clients = await onDatabase(loadWithSecrets([]), { name: 'policy replay' }, (db) =>
    replayForAll({ db, policy }, pack, period),
  );
  const lines = clients.map((client) => `client ${client.clientId}: ${counts(client)}`);
  process.stdout.write(`${pack.id} ${pack.version} from ${period.from} to ${period.to}: ${counts(totalOf(clients))}\n`);
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [action, one, other, ...more] = positionals;
  if (action === 'check' && one !== undefined && other === undefined) return check(one, values);
  if (action === 'diff' && one !== undefined && other !== undefined && more.length === 0)
    return diff(one, other, values);
  if (action === 'replay' && one !== undefined && other === undefined) return replay(one, values);
  process.stderr.write(USAGE);
  return 2;
}

export async function runPolicy(args: readonly string[]): Promise<void> {
  process.exitCode = await run(args).catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    return 2;
  });
}
