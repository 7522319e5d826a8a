import { parseCnpj } from '../../kernel/cnpj.ts';
import { parseCpf } from '../../kernel/cpf.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  MAX_TIMELINE_DAYS,
  RECEIPT_DUTY_YEARS,
  SHORTEST_TIMELINE_DAYS,
  TIMELINE_DAYS,
} from '../../kernel/retention-periods.ts';
import { type Retention, readRetention, setRetention } from '../../modules/accounts/use-cases/retention.ts';
import {
  type Erasure,
  eraseDebtor,
  type KeptReceipt,
  type RefusedDebt,
} from '../../modules/privacy/use-cases/erase-debtor.ts';
import type { Database } from '../../platform/database/database.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createPersonKeys } from '../../platform/shared/person-keys.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';
import { askSecrets } from './read-credentials.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BOUNDS = `Give a whole number of days from ${SHORTEST_TIMELINE_DAYS} to ${MAX_TIMELINE_DAYS}, or default:
- until ${SHORTEST_TIMELINE_DAYS} days a payment may be returned and files of debtors are kept, and the staff need to see what they
  belong to;
- ten years are the longest limitation period (Civil Code, art. 205), and data has to have an end (LGPD, arts. 15, 16).`;

const KEPT = `Receipts, payments, amounts, statuses and suppressions stay: docs/privacy.md has the list.`;

/** `undefined` only shows the time, null is the time of the deployment. */
function readDays(given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === 'default') return null;
  const days = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (days >= SHORTEST_TIMELINE_DAYS && days <= MAX_TIMELINE_DAYS) return days;
  throw new Error(BOUNDS);
}

const line = (clientId: string, { days, own }: Retention): string =>
  `${clientId}\t${days} days\t${own ? `its own time; the default is ${TIMELINE_DAYS}` : 'the default'}
Timeline and messages of a debt are removed so long after its last change, once it has ended. ${KEPT}`;

/** Returns false when the arguments are no use of the command. */
async function runRetention(args: readonly string[]): Promise<boolean> {
  const [clientId, given, ...more] = args;
  if (clientId === undefined || more.length > 0) return false;
  if (!UUID.test(clientId)) throw new Error(`There is no client ${clientId}`);
  const days = readDays(given);
  const work = (db: Database): Promise<Retention> =>
    days === undefined ? readRetention({ db })(clientId) : setRetention({ db })({ clientId, days });
  try {
    const command = { name: 'privacy retention', client: clientId };
    const retention = await onDatabase(loadWithSecrets([]), command, work);
    process.stdout.write(`${line(clientId, retention)}\n`);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? new Error(`There is no client ${clientId}`) : error;
  }
  return true;
}

/** A terminal shows the question. */
async function askForTaxId(): Promise<string> {
  const { taxId } = await askSecrets({ taxId: process.stdin.isTTY === true ? 'CPF of the person, or CNPJ' : '' });
  return taxId;
}

const USAGE = `Usage:
  quita privacy erase              asks for a CPF (or the CNPJ of a company), or reads it from standard input, and makes
                                   the personal data of this debtor's closed debts unreadable
  quita privacy erase --cpf CPF    the same; the CPF then stands in the shell's history and the list of processes
  quita privacy erase --cnpj CNPJ  the same for a company
  quita privacy retention CLIENT   shows for how many days timeline and messages of the client's ended debts are kept
  quita privacy retention CLIENT DAYS|default
                                   sets it
`;

const WHY_KEPT = `
What is kept, and why:
- The receipt, whole, for ${RECEIPT_DUTY_YEARS} years after the payment, or after its issue where that was later: it is the
  proof of the payment (Civil Code, arts. 319 and 320) for as long as the debt might be claimed again (Civil Code,
  art. 206 § 5 I) or damages be claimed (Consumer Code, art. 27). LGPD, arts. 7 VI and 16 I allow it. Then it is
  shortened by itself: debtor, invoice, payment ids and document go; protocol, amount, dates and creditor stay.
- An annual quittance, in the same way, for as long after its issue.
- Amounts, dates, status and invoice number of the debt: the creditor's own accounts.
- A key made of the CPF or CNPJ, unreadable without PERSON_SECRET: a paid debt must not be collected again.
- Who must not be contacted any more, under such keys: forgetting it would break what the person asked for.
docs/privacy.md has the whole list, and what to do about backups.`;

const REASONS: Readonly<Record<RefusedDebt['because'], (debt: RefusedDebt) => string>> = {
  open: ({ status }) => `the debt is ${status}: the data of an open debt is kept until it is closed`,
  busy: () => 'a message waits to be understood or the receipt to be issued: run this again when that is done',
};

const receiptLine = ({ protocol, debtId, dutyEnds, shortened }: KeptReceipt): string =>
  shortened
    ? `shortened\t${protocol}\tdebt ${debtId}\tthe duty to keep it ended on ${dutyEnds.toISOString().slice(0, 10)}`
    : `kept\t${protocol}\tdebt ${debtId}\treceipt, whole until ${dutyEnds.toISOString().slice(0, 10)}`;

function report({ erased, refused, receipts }: Erasure): string[] {
  if (erased.length + refused.length === 0) return ['No debt of this person is stored'];
  return [
    ...erased.map(({ id, clientId }) => `erased\t${id}\tclient ${clientId}`),
    ...refused.map((debt) => `refused\t${debt.id}\tclient ${debt.clientId}\t${REASONS[debt.because](debt)}`),
    ...receipts.map(receiptLine),
    ...(erased.length > 0 ? [WHY_KEPT] : []),
  ];
}

type Kind = 'CPF' | 'CNPJ' | 'CPF or CNPJ';

const PARSERS: Readonly<Record<Kind, (given: string) => string | null>> = {
  CPF: parseCpf,
  CNPJ: parseCnpj,
  'CPF or CNPJ': (given) => parseCpf(given) ?? parseCnpj(given),
};

interface Asked {
  readonly kind: Kind;
  /** Null when it is read from standard input. */
  readonly given: string | null;
}

function readArguments([name, first, ...rest]: readonly string[]): Asked | null {
  if (name !== 'erase') return null;
  if (first === undefined) return { kind: 'CPF or CNPJ', given: null };
  const at = first.indexOf('=');
  const flag = at === -1 ? first : first.slice(0, at);
  const [given, ...more] = at === -1 ? rest : [first.slice(at + 1), ...rest];
  const kind = flag === '--cpf' ? 'CPF' : flag === '--cnpj' ? 'CNPJ' : null;
  return kind === null || given === undefined || more.length > 0 ? null : { kind, given };
}

export async function runPrivacy(args: readonly string[]): Promise<void> {
  try {
    if (args[0] === 'retention' && (await runRetention(args.slice(1)))) return;
    const asked = readArguments(args);
    const given = asked?.given === null ? await askForTaxId() : asked?.given;
    if (asked === null || given === undefined || given === '') {
      process.stderr.write(USAGE);
      process.exitCode = 1;
      return;
    }
    const taxId = PARSERS[asked.kind](given);
    if (taxId === null) throw new Error(`This is not a valid ${asked.kind}`);
    const config = loadWithSecrets([], { neverMade: ['PERSON_SECRET'] });
    const personKeys = createPersonKeys(config.personSecret);
    const erase = (db: Database) => eraseDebtor({ db, personKeys, now: serviceClock(config.clockOffset) })(taxId);
    const erasure = await onDatabase(config, { name: 'privacy erase' }, erase);
    process.stdout.write(`${report(erasure).join('\n')}\n`);
    if (erasure.refused.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
