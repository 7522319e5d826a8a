import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import { startOfStatisticsDay, statisticsDay } from '../../../kernel/statistics-day.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Component } from '../../terms/rules/credits.ts';
import {
  PAYMENT_LINES,
  PAYMENTS_BY_DAY,
  type PaymentLine,
  type Period,
  RECEIPTS_BY_DAY,
  RETURN_LINES,
  type ReturnLine,
} from '../queries/settlements.ts';

export interface ReadSettlements {
  readonly clientId: string;
  /** The first and the last day, by the clock of São Paulo. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly sandbox: boolean;
}

export interface SettlementFigures {
  readonly payments: number;
  readonly amount: number;
  readonly refunds: number;
  readonly refunded: number;
  readonly receipts: number;
}

export interface SettlementDay extends SettlementFigures {
  readonly date: LocalDate;
}

export interface Settlements {
  readonly days: SettlementDay[];
  readonly totals: SettlementFigures;
}

type Deps = Pick<SharedDeps, 'db'>;

const periodOf = ({ clientId, from, to, sandbox }: ReadSettlements): Period => ({
  clientId,
  sandbox,
  from: new Date(startOfStatisticsDay(from)),
  to: new Date(startOfStatisticsDay(addDays(to, 1))),
});

/** What went back, in centavos: negative when a chargeback was reversed. */
function returnedCentavos({ change, refunded, refundedBefore, paidCentavos }: ReturnLine): number {
  if (change === 'refunded') return refunded - refundedBefore;
  const left = paidCentavos - refundedBefore;
  return change === 'charged_back' ? left : -left;
}

/** Returns one entry for each day of the period, also for those on which nothing happened. */
export const readSettlements =
  ({ db }: Deps) =>
  async (request: ReadSettlements): Promise<Settlements> => {
    const { clientId, from, to } = request;
    const period = periodOf(request);
    const [payments, receipts, returns] = await Promise.all([
      db.readPrepared({ clientId }, PAYMENTS_BY_DAY, period),
      db.readPrepared({ clientId }, RECEIPTS_BY_DAY, period),
      db.readPrepared({ clientId }, RETURN_LINES, period),
    ]);
    const paid = new Map(payments.map((row) => [row.day, row]));
    const issued = new Map(receipts.map((row) => [row.day, row.receipts]));
    const returned = Map.groupBy(returns, ({ at }) => statisticsDay(at.getTime()));
    const inCentavos: SettlementDay[] = [];
    for (let date = from; date <= to; date = addDays(date, 1)) {
      const lines = returned.get(date) ?? [];
      inCentavos.push({
        date,
        payments: paid.get(date)?.payments ?? 0,
        amount: paid.get(date)?.centavos ?? 0,
        refunds: lines.length,
        refunded: lines.reduce((sum, line) => sum + returnedCentavos(line), 0),
        receipts: issued.get(date) ?? 0,
      });
    }
    const sumOf = (key: keyof SettlementFigures) => inCentavos.reduce((sum, day) => sum + day[key], 0);
    return {
      days: inCentavos.map((day) => ({ ...day, amount: toReais(day.amount), refunded: toReais(day.refunded) })),
      totals: {
        payments: sumOf('payments'),
        amount: toReais(sumOf('amount')),
        refunds: sumOf('refunds'),
        refunded: toReais(sumOf('refunded')),
        receipts: sumOf('receipts'),
      },
    };
  };

type Debtor = Pick<
  PaymentLine,
  'debtorName' | 'debtorTaxId' | 'invoiceId' | 'campaignName' | 'protocol' | 'agreementProtocol'
>;
type Origin = Pick<PaymentLine, 'paymentId' | 'provider' | 'providerPaymentId' | 'endToEndId' | 'method'>;

/**
 * How a payment was credited, in reais; what is more than these was not owed. Null for money that went back, and while an
 * agreement holds it.
 */
type Credited = Readonly<Record<Component, number | null>>;

const NOT_CREDITED: Credited = { principal: null, fine: null, interest: null, correction: null };

/** One payment, or money that went back, for the accountant. */
export interface SettlementLine extends Debtor, Origin, Credited {
  readonly at: Date;
  readonly kind: 'paid' | ReturnLine['change'];
  /** Simulated money. */
  readonly sandbox: boolean;
  /** In reais; null when the line is about the other one. */
  readonly amount: number | null;
  readonly refunded: number | null;
}

const PORTION = 250;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const inReais = (centavos: number | null): number | null => (centavos === null ? null : toReais(centavos));

const paymentLine = (line: PaymentLine, sandbox: boolean): SettlementLine => ({
  ...line,
  sandbox,
  kind: 'paid',
  amount: toReais(line.paidCentavos),
  refunded: null,
  principal: inReais(line.principalCentavos),
  fine: inReais(line.fineCentavos),
  interest: inReais(line.interestCentavos),
  correction: inReais(line.correctionCentavos),
});

const returnLine = (line: ReturnLine, sandbox: boolean): SettlementLine => ({
  ...line,
  ...NOT_CREDITED,
  sandbox,
  kind: line.change,
  amount: null,
  refunded: toReais(returnedCentavos(line)),
});

/** Puts the few lines of returned money between the payments, in the order of time. */
async function* linesOf(
  db: Deps['db'],
  period: Period,
  returns: readonly ReturnLine[],
): AsyncGenerator<SettlementLine[]> {
  const { clientId, sandbox } = period;
  let waiting = returns;
  let after = { afterAt: new Date(0), afterId: FIRST_ID };
  for (let more = true; more; ) {
    const page = await db.readPrepared({ clientId }, PAYMENT_LINES, { ...period, ...after, limit: PORTION });
    const last = page.at(-1);
    more = page.length === PORTION && last !== undefined;
    if (last !== undefined) after = { afterAt: last.at, afterId: last.paymentId };
    const due = more ? waiting.filter(({ at }) => at < last!.at) : waiting;
    waiting = waiting.slice(due.length);
    yield [...page.map((line) => paymentLine(line, sandbox)), ...due.map((line) => returnLine(line, sandbox))].sort(
      (one, other) => one.at.getTime() - other.at.getTime(),
    );
  }
}

/**
 * Returns the payments of the period and the money that went back, in portions. A payment does not change once it is
 * confirmed, so pages by moment and id neither skip nor repeat one, and no transaction is open while they are written.
 */
export const exportSettlements =
  ({ db }: Deps) =>
  async (request: ReadSettlements & { readonly source: RequestSource }): Promise<AsyncIterable<SettlementLine[]>> => {
    const { clientId, source, from, to, sandbox } = request;
    const period = periodOf(request);
    const details = { from, to, sandbox };
    await db
      .tenant(clientId)
      .transactional((tx) => addRequestAudit(tx, { clientId, source, action: 'settlements_exported', details }));
    return linesOf(db, period, await db.readPrepared({ clientId }, RETURN_LINES, period));
  };
