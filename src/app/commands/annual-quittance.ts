import { parseCnpj } from '../../kernel/cnpj.ts';
import { parseCpf } from '../../kernel/cpf.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatReais } from '../../kernel/money.ts';
import { createReceiptLinks } from '../../modules/messaging/use-cases/receipt-links.ts';
import { loadPolicy } from '../../modules/policy/use-cases/load-policy.ts';
import { createThreadRenderer } from '../../modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import {
  FIRST_QUITTANCE_YEAR,
  LAST_QUITTANCE_YEAR,
  type QuittanceRefusal,
} from '../../modules/receipts/rules/annual-quittance.ts';
import {
  findDebtOfTaxId,
  issueAnnualQuittance,
  readAnnualQuittance,
  type ShownQuittance,
  type ShownYear,
} from '../../modules/receipts/use-cases/annual-quittance.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createPersonKeys } from '../../platform/shared/person-keys.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';
import { onDatabase } from './on-database.ts';
import { askSecrets } from './read-credentials.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const USAGE = `Usage:
  quita annual-quittance CLIENT YEAR            asks for a CPF (or the CNPJ of a company), or reads it from standard input,
                                                and shows the bills of the person that were due in the year
  quita annual-quittance CLIENT YEAR --confirm  the same, and issues the declaration (Lei 12.007/2009): you confirm for the
                                                client what the command shows
`;

const REFUSALS: Readonly<Record<QuittanceRefusal, string>> = {
  year_not_over: 'the year is not over yet',
  nothing_paid: 'no bill of the year is known here and paid',
  owed: 'these bills are owed',
  money_back: 'the payments of these bills went back',
  too_many: 'the person has more bills than a declaration lists',
};

interface Asked {
  readonly clientId: string;
  readonly year: number;
  readonly confirm: boolean;
}

function readArguments([clientId, year, option, ...more]: readonly string[]): Asked | null {
  if (clientId === undefined || year === undefined || more.length > 0) return null;
  if (option !== undefined && option !== '--confirm') return null;
  if (!UUID.test(clientId)) throw new Error(`There is no client ${clientId}`);
  const number = /^\d{4}$/.test(year) ? Number(year) : 0;
  if (number < FIRST_QUITTANCE_YEAR || number > LAST_QUITTANCE_YEAR)
    throw new Error(`${year} is no year of a quittance`);
  return { clientId, year: number, confirm: option === '--confirm' };
}

/** Amounts are those of the API, in reais. */
const money = (reais: number): string => formatReais(Math.round(reais * 100));

const billLine = (word: string, { debtId, dueDate, amount, invoiceId }: ShownYear['ended'][number]): string =>
  `${word}\t${invoiceId ?? '-'}\tdue ${dueDate}\t${money(amount)}\tdebt ${debtId}`;

const issuedLines = ({ protocol, url }: ShownQuittance, how: string): string[] => [
  `${how}\t${protocol}`,
  `document\t${url}`,
];

function linesOf({ bills, ended, earlierOwed, refusals, statement, issued }: ShownYear): string[] {
  return [
    ...bills.map((bill) => `${billLine('paid', bill)}\tpaid ${bill.paidOn} ${money(bill.paid)}`),
    ...ended.map((bill) => billLine('ended', bill)),
    ...earlierOwed.map((bill) => billLine('excepted', bill)),
    ...refusals.map(({ code, debtIds }) => `refused\t${REFUSALS[code]}\t${debtIds.join(' ')}`.trimEnd()),
    ...(statement === null ? [] : [`\n${statement}`]),
    ...(issued === null ? [] : issuedLines(issued, 'exists')),
  ];
}

/** Returns what the command prints. */
async function work(
  db: Database,
  config: Config,
  { clientId, year, confirm }: Asked,
  taxId: string,
): Promise<string[]> {
  const renderer = createThreadRenderer({ threads: 1 });
  const deps = {
    db,
    now: serviceClock(config.clockOffset),
    policy: loadPolicy(),
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    renderer,
    personKeys: createPersonKeys(config.personSecret),
  };
  try {
    const debt = await findDebtOfTaxId(deps)({ clientId, taxId });
    if (debt === undefined) return ['No debt of this person is stored'];
    const person = { clientId, debtId: debt.id, year };
    const shown = await readAnnualQuittance(deps)(person);
    const lines = linesOf(shown);
    if (shown.refusals.length > 0) process.exitCode = 1;
    if (!confirm || shown.statement === null || shown.issued !== null) return lines;
    const { statement } = shown;
    const { created, ...made } = await issueAnnualQuittance(deps)({ ...person, statement, source: null });
    return [...lines, ...issuedLines(made, created ? 'issued' : 'exists')];
  } finally {
    await renderer.close();
  }
}

export async function runAnnualQuittance(args: readonly string[]): Promise<void> {
  try {
    const asked = readArguments(args);
    if (asked === null) {
      process.stderr.write(USAGE);
      process.exitCode = 1;
      return;
    }
    // A terminal shows the question. A CPF as an argument would stand in the history and the list of processes.
    const question = process.stdin.isTTY === true ? 'CPF of the person, or CNPJ' : '';
    const { taxId: given } = await askSecrets({ taxId: question });
    const taxId = parseCpf(given) ?? parseCnpj(given);
    if (taxId === null) throw new Error('This is not a valid CPF or CNPJ');
    const config = loadWithSecrets([], { neverMade: ['PERSON_SECRET', 'RECEIPT_SECRET'] });
    const command = { name: 'annual-quittance', client: asked.clientId };
    const lines = await onDatabase(config, command, (db) => work(db, config, asked, taxId));
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    const outdated = error instanceof AppError && error.code === 'validation_failed';
    process.stderr.write(`${outdated ? 'The bills have changed meanwhile: run this again' : explain(error)}\n`);
    process.exitCode = 1;
  }
}
