import { randomBytes } from 'node:crypto';
import type { LocalDate } from '../../../kernel/calendar.ts';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { makeProtocol, PROTOCOL_BYTES } from '../../../kernel/protocol.ts';
import { addAudit, addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { debtOfTaxId, insertQuittance, type StoredQuittance } from '../queries/annual-quittances.ts';
import type { RefusedBills } from '../rules/annual-quittance.ts';
import { quittanceFile } from './quittance-document.ts';
import {
  type QuittanceDeps,
  type QuittanceOfYear,
  readQuittanceYear,
  type YearBill,
  type YearOfPerson,
} from './read-quittance-year.ts';

interface ShownBill {
  readonly debtId: string;
  readonly invoiceId: string | null;
  readonly dueDate: LocalDate;
  readonly status: DebtStatus;
  readonly amount: number;
}

export interface ShownQuittance {
  readonly protocol: string;
  readonly year: number;
  readonly issuedAt: string;
  readonly url: string;
}

/** What is known of a year, and what the client would confirm. */
export interface ShownYear {
  readonly year: number;
  readonly bills: readonly (ShownBill & { readonly paid: number; readonly paidOn: LocalDate })[];
  readonly ended: readonly ShownBill[];
  readonly earlierOwed: readonly ShownBill[];
  readonly refusals: readonly RefusedBills[];
  /** Null while the year cannot be quitted. */
  readonly statement: string | null;
  readonly issued: ShownQuittance | null;
}

const shownBill = ({ debtId, invoiceId, dueDate, status, originalAmountCentavos }: YearBill): ShownBill => ({
  debtId,
  invoiceId,
  dueDate,
  status,
  amount: toReais(originalAmountCentavos),
});

const shownQuittance = (
  { receiptLinks }: Pick<QuittanceDeps, 'receiptLinks'>,
  { protocol, year, issuedAt }: StoredQuittance,
): ShownQuittance => ({
  protocol,
  year,
  issuedAt: issuedAt.toISOString(),
  url: receiptLinks.downloadUrl(protocol),
});

function shownYear(deps: QuittanceDeps, { year, decision, facts, statement, issued }: QuittanceOfYear): ShownYear {
  const { paid, ended, earlierOwed, refusals } = decision;
  return {
    year,
    bills: paid.map((bill, at) => {
      const { paidCentavos, paidOn } = facts.bills[at]!;
      return { ...shownBill(bill), paid: toReais(paidCentavos), paidOn };
    }),
    ended: ended.map(shownBill),
    earlierOwed: earlierOwed.map(shownBill),
    refusals,
    statement: refusals.length > 0 ? null : statement,
    issued: issued === null || refusals.length > 0 ? null : shownQuittance(deps, issued),
  };
}

/** Returns whether a year of a person may be quitted, with its bills and what the client would confirm. */
export const readAnnualQuittance =
  (deps: QuittanceDeps) =>
  (request: YearOfPerson): Promise<ShownYear> =>
    deps.db
      .tenant(request.clientId)
      .transactional(async (tx) => shownYear(deps, await readQuittanceYear(tx, deps, request, { lock: false })));

export interface QuittanceRequest extends YearOfPerson {
  /** What the client confirms, word by word as it was shown. */
  readonly statement: string;
  /** Null for a command of the operator. */
  readonly source: RequestSource | null;
}

/**
 * Issues the declaration of a year, or returns the one that was issued for the same bills. The debts of the person are
 * locked, so that no payment goes back meanwhile and two calls at once issue one.
 */
export const issueAnnualQuittance =
  (deps: QuittanceDeps) =>
  async (request: QuittanceRequest): Promise<ShownQuittance & { readonly created: boolean }> => {
    const { clientId, statement, source } = request;
    const done = await deps.db.tenant(clientId).transactional(async (tx) => {
      const found = await readQuittanceYear(tx, deps, request, { lock: true });
      const { year, debt, decision, issued } = found;
      if (decision.refusals.length > 0) throw refused(decision.refusals);
      if (issued !== null) return { quittance: issued, created: false };
      if (statement !== found.statement) throw notConfirmed();
      const issuedAt = deps.now();
      const quittance = await insertQuittance(tx, {
        clientId,
        debtId: decision.paid[0]!.debtId,
        year,
        sandbox: debt.sandbox,
        protocol: makeProtocol('QA', issuedAt.getUTCFullYear(), randomBytes(PROTOCOL_BYTES)),
        chargeIds: decision.paid.map(({ payment }) => payment!.paymentId),
        contentHash: found.contentHash,
        facts: found.facts,
        statement,
        issuedAt,
      });
      const entry = { clientId, action: 'annual_quittance_issued', target: quittance.protocol } as const;
      const details = { debtId: quittance.debtId, year, bills: decision.paid.length };
      await (source === null
        ? addAudit(tx, { ...entry, actor: 'operator', details })
        : addRequestAudit(tx, { ...entry, source, details }));
      return { quittance, created: true };
    });
    // Drawn now, so that whoever issued it hears of a document that cannot be drawn.
    await quittanceFile(deps, { id: done.quittance.id, clientId });
    return { created: done.created, ...shownQuittance(deps, done.quittance) };
  };

/** Returns a debt of the person whose CPF or CNPJ an operator has typed. */
export const findDebtOfTaxId =
  ({ db }: Pick<QuittanceDeps, 'db'>) =>
  (person: { readonly clientId: string; readonly taxId: string }): Promise<{ readonly id: string } | undefined> =>
    db.tenant(person.clientId).transactional((tx) => debtOfTaxId(tx, person));

const refused = (refusals: readonly RefusedBills[]): AppError =>
  new AppError('quittance_impossible', {
    detail: `The year cannot be quitted: ${refusals.map(({ code }) => code).join(', ')}.`,
  });

const notConfirmed = (): AppError =>
  new AppError('validation_failed', {
    errors: [
      {
        pointer: '/statement',
        code: 'statement_differs',
        message: 'Not the statement of this year as it is now: read it again and send it word by word',
      },
    ],
  });
