import { hash } from 'node:crypto';
import { localDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import { lockDebtsOfPerson } from '../../debts/queries/debt-locks.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import {
  billsOfPerson,
  type DebtOfQuittance,
  debtOfQuittance,
  type StoredQuittance,
  validQuittance,
} from '../queries/annual-quittances.ts';
import { decideQuittance, type QuittanceDecision } from '../rules/annual-quittance.ts';
import type { QuittanceFacts, QuittedBill } from '../tables/annual-quittance.ts';
import { quittanceStatement } from '../texts/quittance-statement.ts';
import { creditorOf } from './creditor.ts';
import type { ReceiptDeps } from './deps.ts';
import { readSettledPaymentsOf, type SettledPayment } from './read-settled-payments.ts';
import { revocationsOf } from './revocations.ts';

export type QuittanceDeps = Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'receiptLinks' | 'renderer'> & {
  readonly personKeys: Pick<PersonKeys, 'person'>;
};

type StoredBill = Awaited<ReturnType<typeof billsOfPerson>>[number];

export interface YearBill extends StoredBill {
  readonly covered: boolean;
  /** Null for a bill that is not paid. */
  readonly payment: SettledPayment | null;
}

export interface QuittanceOfYear {
  readonly year: number;
  readonly debt: DebtOfQuittance;
  readonly decision: QuittanceDecision<YearBill>;
  readonly facts: QuittanceFacts;
  readonly contentHash: string;
  readonly statement: string;
  /** The valid declaration of exactly these bills. */
  readonly issued: StoredQuittance | null;
}

export interface YearOfPerson {
  readonly clientId: string;
  /** Any debt of the person, by which no CPF stands in a request. */
  readonly debtId: string;
  readonly year: number;
}

/** Reads what is known of a year. With `lock`, nothing of it changes before the transaction ends. */
export async function readQuittanceYear(
  tx: Tx,
  deps: QuittanceDeps,
  { clientId, debtId, year }: YearOfPerson,
  { lock }: { readonly lock: boolean },
): Promise<QuittanceOfYear> {
  const debt = await debtOfQuittance(tx, debtId);
  if (debt === undefined) throw new AppError('not_found');
  if (debt.erasedAt !== null) throw new AppError('not_found', { detail: 'The data of this person was erased.' });
  const { debtorTaxId: taxId, sandbox } = debt;
  if (lock) await lockDebtsOfPerson(tx, { clientId, debtorTaxId: taxId, sandbox });
  const personKey = deps.personKeys.person(taxId);
  const bills = await withPayments(tx, deps, await billsOfPerson(tx, { clientId, taxId, personKey, sandbox, year }));
  const utcOffset = displayOffset(areaCodeOf(debt.debtorPhone));
  const today = localDate(debtNow(debt.clockOffsetMs, deps.now().getTime()), utcOffset);
  const decision = decideQuittance(year, { bills, today });
  const { paid, earlierOwed, ended } = decision;
  const contentHash = hash('sha256', contentOf(year, decision));
  return {
    year,
    debt,
    decision,
    contentHash,
    facts: {
      creditor: creditorOf(debt),
      debtor: maskedDebtor(debt.debtorName, taxId),
      bills: paid.flatMap((bill) => quitted(bill, utcOffset)),
      earlierOwed: earlierOwed.map(({ invoiceId, dueDate }) => ({ invoiceId, dueDate })),
      utcOffset,
    },
    statement: quittanceStatement({ year, earlierOwed: earlierOwed.length, ended: ended.length }),
    issued: (await validQuittance(tx, { clientId, contentHash })) ?? null,
  };
}

async function withPayments(tx: Tx, deps: QuittanceDeps, bills: readonly StoredBill[]): Promise<YearBill[]> {
  const paid = bills.filter(({ status }) => status === 'PAID');
  const payments = await readSettledPaymentsOf(
    tx,
    deps,
    paid.map(({ identityId }) => identityId),
  );
  const revoked = await revocationsOf(tx, [...payments.values()]);
  return bills.map((bill) => {
    const payment = bill.status === 'PAID' ? (payments.get(bill.identityId) ?? null) : null;
    return { ...bill, payment, covered: payment !== null && !revoked.has(payment.paymentId) };
  });
}

/** What makes two declarations the same one: the debts and payments, and what is excepted. */
const contentOf = (year: number, { paid, earlierOwed }: QuittanceDecision<YearBill>): string =>
  JSON.stringify([
    year,
    paid.map(({ identityId, dueDate, payment }) => [
      identityId,
      dueDate,
      payment?.paymentId,
      payment?.facts.payment.amountCentavos,
    ]),
    earlierOwed.map(({ identityId }) => identityId),
  ]);

function quitted({ invoiceId, description, payment, ...bill }: YearBill, utcOffset: number): QuittedBill[] {
  if (payment === null) return [];
  const { amountCentavos, paidAt } = payment.facts.payment;
  return [
    {
      invoiceId,
      description,
      dueDate: bill.dueDate,
      originalAmountCentavos: bill.originalAmountCentavos,
      paidCentavos: amountCentavos,
      paidOn: localDate(Date.parse(paidAt), utcOffset),
    },
  ];
}
