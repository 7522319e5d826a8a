import type { LocalDate } from '../../../kernel/calendar.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { agreedRest, type InstalmentState } from '../../agreements/rules/agreement-state.ts';
import { movableDaysOf } from '../../agreements/use-cases/move-instalment.ts';
import { dayOfAgreement, paidCentavos, statesOf } from '../../agreements/use-cases/read-agreements.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { latestStatusOfAgreement } from '../queries/charges-of-agreements.ts';
import type { PaymentDeps } from './deps.ts';
import { findOrMakeCharge } from './find-or-make-charge.ts';
import { type CodeOnPage, codeOnPage } from './payment-view.ts';

/** What the code of an agreement asks for: what is open of its next instalment, or its whole rest. */
export type AskedOfAgreement = 'next' | 'rest';

/** An agreement as the debtor sees it. */
export interface AgreementOnPage {
  readonly protocol: string;
  /** Where the Termo de Acordo is. */
  readonly url: string;
  /** The invoices of its debts; null for one without. */
  readonly invoices: readonly (string | null)[];
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly paidCentavos: number;
  readonly openCentavos: number;
  readonly instalments: readonly InstalmentState[];
  /** What is asked for now; null when everything is paid. */
  readonly next: InstalmentState | null;
  /** What the code asks for. */
  readonly asked: AskedOfAgreement;
  readonly code: CodeOnPage | null;
  /** The first and the last day to which each instalment may be moved, and how often the debtor may do so. */
  readonly movable: readonly { readonly number: number; readonly from: LocalDate; readonly until: LocalDate }[];
  readonly movesLeft: number;
  readonly status: PaymentStatus;
}

/**
 * What the page of an agreement waits for. It is APPROVED from a payment on until the next code is made, so that the page
 * is loaded again.
 */
export const statusOfAgreement = (latest: PaymentStatus | null): PaymentStatus =>
  latest === 'APPROVED' || latest === 'REJECTED' ? latest : 'PENDING';

/**
 * Reads an agreement for the page of one of its debts, and makes or renews its code. When the provider fails, the page has
 * no code. Returns null once the agreement has ended.
 */
export async function readAgreementOnPage(
  deps: PaymentDeps,
  given: {
    readonly clientId: string;
    readonly agreementId: string;
    /** A debt of the agreement. */
    readonly debtId: string;
    readonly asked: AskedOfAgreement;
  },
): Promise<AgreementOnPage | null> {
  const { clientId, agreementId, asked } = given;
  const code = await codeOf(deps, given);
  return deps.db.tenant(clientId).transactional(async (tx) => {
    const agreement = await readAgreement(tx, agreementId);
    const first = agreement === undefined ? null : await loadDebt(tx, agreement.debtId);
    if (agreement?.status !== 'ACTIVE' || first === null) return null;
    const states = statesOf(agreement, dayOfAgreement(agreement, deps.now().getTime()));
    const invoices: (string | null)[] = [];
    for (const { debtId } of agreement.debts) invoices.push((await loadDebt(tx, debtId))?.invoiceId ?? null);
    return {
      protocol: agreement.protocol,
      url: deps.receiptLinks.downloadUrl(agreement.protocol),
      invoices,
      totalCentavos: agreement.totalCentavos,
      discountCentavos: agreement.discountCentavos,
      paidCentavos: paidCentavos(agreement),
      openCentavos: agreedRest(agreement),
      instalments: states,
      next: states.find(({ openCentavos }) => openCentavos > 0) ?? null,
      asked,
      code: code === null ? null : codeOnPage(deps, code),
      movable: [...movableDaysOf(deps, agreement, first)].map(([number, days]) => ({
        number,
        from: days[0]!,
        until: days.at(-1)!,
      })),
      movesLeft: agreement.movesLeft,
      status: statusOfAgreement(await latestStatusOfAgreement(tx, agreementId)),
    };
  });
}

async function codeOf(deps: PaymentDeps, { clientId, debtId, asked }: Parameters<typeof readAgreementOnPage>[1]) {
  try {
    return await findOrMakeCharge(deps)({ clientId, debtId, ofAgreement: asked });
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}
