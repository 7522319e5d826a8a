import { parseCnpj } from '../../kernel/cnpj.ts';
import { parseCpf } from '../../kernel/cpf.ts';
import { RECEIPT_DUTY_YEARS } from '../../kernel/retention-periods.ts';
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
import { runRetention } from './privacy-retention.ts';
import { readSecretLine } from './read-secret-line.ts';

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
    const given = asked?.given === null ? await readSecretLine('CPF of the person, or CNPJ') : asked?.given;
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
