import {
  applyState,
  type DebtPayments,
  type MoneyQuestions,
  moneyQuestions,
  openOn,
  type Payment,
  type PaymentChange,
} from '../../debts/rules/debt-payments.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import {
  type Charges,
  changedCredit,
  chargedSoFar,
  chargesOf,
  creditedColumns,
  minus,
  withCredits,
} from './credited-parts.ts';
import {
  type ChargeColumns,
  cameWithSettling,
  chargesRecovered,
  hasSettled,
  type KnownCharge,
  type KnownDebt,
  paymentOf,
  paymentsOf,
  recoveredOf,
} from './known-debt.ts';

export interface ConfirmedCharge extends KnownCharge {
  readonly approvedAt: Date | null;
  readonly settledCentavos: number | null;
}

/** A debt as it is without payments that were recorded by mistake. */
export interface TakenBack {
  /** What is stored of each charge that changes, those that were taken back among them. */
  readonly columns: ReadonlyMap<string, Partial<ChargeColumns>>;
  /** Whether what is left covers the debt. */
  readonly settled: boolean;
  readonly recoveredCentavos: number;
  readonly recovered: Charges;
  readonly charged: Charges;
  readonly asks: MoneyQuestions;
  /** Payments that settled the debt with what was taken back, and do not settle it alone. */
  readonly noLongerSettling: readonly string[];
  /** Payments that settle the debt now, which something else had settled. */
  readonly settling: readonly string[];
  /** Whether what was taken back had paid any of the debt, so that receipts of the others may state it. */
  readonly counted: boolean;
}

/** What a row keeps of a payment that counts for nothing any more. */
export const undoneColumns = (now: Date): Partial<ChargeColumns> => ({
  status: 'CANCELLED',
  approvedAt: null,
  underpaidAt: null,
  duplicate: false,
  paidCentavos: 0,
  settledCentavos: null,
  coveredCentavos: null,
  refundedCentavos: 0,
  chargedBackAt: null,
  creditedOn: null,
  waivesRest: false,
  principalCentavos: 0,
  fineCentavos: 0,
  interestCentavos: 0,
  correctionCentavos: 0,
  undoneAt: now,
});

type Debt<Charge extends ConfirmedCharge> = Omit<KnownDebt, 'charges'> & { readonly charges: readonly Charge[] };

/** Returns what a debt is without these payments, as if they had never been recorded. */
export function takenBack(debt: Debt<ConfirmedCharge>, ids: ReadonlySet<string>, now: Date): TakenBack {
  const before = paymentsOf(debt);
  const left = debt.charges.filter(({ id }) => !ids.has(id));
  const counted = debt.charges.some((charge) => ids.has(charge.id) && charge.paidCentavos > 0 && !charge.duplicate);
  // What came when the debt was settled already, or did not settle it, changes nothing of the others.
  const roles = before.settled && counted ? decideAgain(debt, ids, now) : null;
  const after: DebtPayments = roles?.debt ?? {
    ...before,
    payments: before.payments.filter(({ id }) => !ids.has(id)),
  };
  const credited = creditedColumns(after);
  const columns = new Map<string, Partial<ChargeColumns>>();
  for (const charge of left) {
    const changed = { ...roles?.columns.get(charge.id), ...changedCredit(charge, credited) };
    if (Object.keys(changed).length > 0) columns.set(charge.id, changed);
  }
  for (const id of ids) columns.set(id, undoneColumns(now));
  const changed = left.map((charge) => ({ ...charge, ...columns.get(charge.id) }));
  const isSecond = (id: string): boolean =>
    changed.some((charge) => charge.id === id && charge.duplicate && !cameWithSettling(charge, changed));
  const settledBy = new Set(roles?.settledBy ?? []);
  return {
    columns,
    settled: after.settled,
    recoveredCentavos: recoveredOf(after) - recoveredOf(before),
    recovered: minus(chargesRecovered(after, credited), chargesRecovered(before, creditedColumns(before))),
    charged: minus(chargedSoFar(withCredits(left, credited)), chargedSoFar(debt.charges)),
    asks: moneyQuestions(after, isSecond),
    noLongerSettling:
      roles === null ? [] : left.filter((one) => hasSettled(one) && !settledBy.has(one.id)).map(({ id }) => id),
    settling: left.filter((one) => !hasSettled(one) && settledBy.has(one.id)).map(({ id }) => id),
    counted,
  };
}

const confirmedAt = ({ approvedAt, underpaidAt }: ConfirmedCharge): number =>
  (approvedAt ?? underpaidAt)?.getTime() ?? 0;

interface Roles {
  readonly debt: DebtPayments;
  readonly columns: ReadonlyMap<string, Partial<ChargeColumns>>;
  readonly settledBy: readonly string[];
}

/**
 * Decides about the payments that are left in the order in which they were confirmed, with what went back of them since. A
 * second payment of which nothing is left went back because the debt was paid, so that it does not pay the debt now either.
 */
function decideAgain(known: Debt<ConfirmedCharge>, ids: ReadonlySet<string>, now: Date): Roles {
  const confirmed = known.charges
    .filter(({ id, paidCentavos }) => paidCentavos > 0 && !ids.has(id))
    .toReversed()
    .toSorted((one, other) => confirmedAt(one) - confirmedAt(other));
  let debt: DebtPayments = {
    indebted: known.indebted,
    settled: false,
    coveredCentavos: null,
    payments: confirmed.map((charge) => (hasGoneBack(charge) ? paymentOf(charge) : unconfirmed(charge.id))),
  };
  const columns = new Map<string, Partial<ChargeColumns>>();
  const settledBy: string[] = [];
  for (const charge of confirmed.filter((one) => !hasGoneBack(one))) {
    const { id, paidCentavos, refundedCentavos, chargedBackAt, providerUpdatedAt, creditedOn } = charge;
    const at = providerUpdatedAt?.getTime() ?? null;
    const state = { paidCentavos, refundedCentavos, chargedBack: chargedBackAt !== null, at };
    const waivesRest = givesUpRest(debt, charge, known, ids);
    const change = applyState(debt, id, state, { on: creditedOn, waivesRest });
    if (change === null) continue;
    debt = change.debt;
    columns.set(id, changedOnly(charge, { ...roleColumns(charge, change, now), waivesRest }));
    if (change.outcome === 'settled') settledBy.push(id);
  }
  return { debt, columns, settledBy };
}

const hasGoneBack = (charge: ConfirmedCharge): boolean => charge.duplicate && keptCentavos(paymentOf(charge)) === 0;

const unconfirmed = (id: string): Payment => ({
  id,
  paidCentavos: 0,
  refundedCentavos: 0,
  chargedBack: false,
  on: null,
  waivesRest: false,
  reportedAt: null,
});

/**
 * Money from outside gives up the rest by the same rule as when it is recorded: where it covers the open principal, also if
 * it came when the debt was paid. What gave up a rest that it did not cover was told to, and still does. What a debt got of
 * an agreement gave up the discount because its share was whole, which it is not without another part of it.
 */
function givesUpRest(debt: DebtPayments, charge: KnownCharge, known: KnownDebt, ids: ReadonlySet<string>): boolean {
  const { duplicate, method, creditedOn, waivesRest, paidCentavos } = charge;
  if (isPart(charge)) return waivesRest && !known.charges.some((one) => isPart(one) && ids.has(one.id));
  if (method === null || creditedOn === null) return waivesRest;
  const followsRule = duplicate || (waivesRest && coveredPrincipal(known, charge));
  return followsRule ? openOn(debt, creditedOn).principal <= paidCentavos : waivesRest;
}

const isPart = ({ partOf = null }: KnownCharge): boolean => partOf !== null;

/** Whether the payment that settled a debt had covered all of its principal with those before it. */
function coveredPrincipal({ indebted, charges }: KnownDebt, { id, coveredCentavos }: KnownCharge): boolean {
  const { fine, interest, correction } = chargesOf(charges.filter((one) => one.id !== id && !one.duplicate));
  return (coveredCentavos ?? 0) - fine - interest - correction >= indebted.principalCentavos;
}

function roleColumns(
  charge: ConfirmedCharge,
  { outcome, othersCentavos, debt }: PaymentChange,
  now: Date,
): Partial<ChargeColumns> {
  if (outcome === 'underpaid') {
    return {
      status: charge.status === 'APPROVED' ? 'PENDING' : charge.status,
      approvedAt: null,
      underpaidAt: charge.underpaidAt ?? now,
      duplicate: false,
      settledCentavos: null,
      coveredCentavos: null,
    };
  }
  const settles = outcome === 'settled';
  return {
    status: 'APPROVED',
    approvedAt: charge.approvedAt ?? now,
    underpaidAt: null,
    duplicate: !settles,
    settledCentavos: settles ? charge.paidCentavos + othersCentavos : null,
    coveredCentavos: settles ? debt.coveredCentavos : null,
  };
}

/** What is not stored yet. */
function changedOnly(charge: ConfirmedCharge, columns: Partial<ChargeColumns>): Partial<ChargeColumns> {
  const stored = charge as unknown as Readonly<Record<string, unknown>>;
  const isChanged = Object.entries(columns).some(([name, value]) => stored[name] !== value);
  return isChanged ? columns : {};
}
