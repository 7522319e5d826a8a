import { debtWithOffers } from '../../agreements/use-cases/debt-with-offers.ts';
import { debtsOnPage, isPageClosed } from '../../debts/queries/persons.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { chargedOf, owedNow } from '../../debts/use-cases/owed.ts';
import { type CheckoutNotice, takeNotice } from './checkout-notices.ts';
import { type Checkout, type PageDeps, type PageRequest, readCheckout } from './open-checkout.ts';
import { ownerOfDebtorPage } from './owner-of-debtor-page.ts';
import { agreementOfDebt } from './payable.ts';

/** Codes are made when the page is opened, so that a person with many debts does not keep the provider busy. */
const MAX_CODES = 6;

/** The page of a person: all debts that a client collects from them. */
export interface PersonPage {
  /** The debts that are shown with their codes, those to be paid first. Each agreement is there by one of its debts. */
  readonly debts: readonly Checkout[];
  /** Further debts to be paid, of which the page only names the address. */
  readonly further: readonly FurtherDebt[];
  /** The page leads to offers. */
  readonly hasOffers: boolean;
  /** The result of the button that was just pressed. It is shown once. */
  readonly notice: CheckoutNotice | null;
}

export interface FurtherDebt {
  readonly debtId: string;
  readonly invoiceId: string | null;
  readonly description: string | null;
  readonly amountCentavos: number;
  /** Something is added to its principal, now or later. */
  readonly isCharged: boolean;
  readonly dueDate: string;
  /** It has no page of its own any more. */
  readonly pageClosed: boolean;
}

/** Returns null when there is nothing that the visitor may see, as after a wrong person was reported. */
export const openPersonPage =
  (deps: PageDeps) =>
  async (pageId: string, { noticeId, asked }: PageRequest = {}): Promise<PersonPage | null> => {
    const owner = await ownerOfDebtorPage(deps.db, pageId);
    const all = await deps.db
      .tenant(owner.clientId)
      .transactional(async (tx) => ((await isPageClosed(tx, pageId)) ? [] : debtsOnPage(tx, owner)));
    const shown = all.filter(({ wrongPerson, status }) => !wrongPerson && status !== 'STOPPED');
    const toPay = eachAgreementOnce(shown.filter(({ status }) => status !== 'PAID'));
    const paid = shown.filter(({ status }) => status === 'PAID');
    const withCodes = [...toPay.slice(0, MAX_CODES), ...paid.slice(-MAX_CODES)];
    const opened = await Promise.all(withCodes.map(({ id }) => readCheckout(deps, owner.clientId, id, asked)));
    const debts = opened.filter((checkout) => checkout !== null);
    if (debts.length === 0) return null;
    const further = toPay.slice(MAX_CODES).map((debt) => {
      const owed = owedNow(deps, debt);
      return {
        debtId: debt.id,
        invoiceId: debt.invoiceId,
        description: debt.description,
        amountCentavos: owed.total,
        isCharged: chargedOf(debt, owed) !== null,
        dueDate: debt.dueDate,
        pageClosed: debt.pageClosed,
      };
    });
    const { clientId } = owner;
    const notice =
      noticeId === undefined
        ? null
        : await takeNotice(deps.db, { clientId, debtIds: all.map(({ id }) => id), noticeId });
    const first = toPay[0];
    const ids = toPay.map(({ id }) => id);
    const hasOffers =
      first !== undefined &&
      (await deps.db.tenant(clientId).transactional((tx) => debtWithOffers(tx, deps, first, ids))) !== null;
    return { debts, further, hasOffers, notice };
  };

/** Debts of one agreement are paid together, so that one of them stands for it, before the debts that are paid alone. */
function eachAgreementOnce(debts: readonly DebtContext[]): readonly DebtContext[] {
  const agreed = debts.filter((debt) => agreementOfDebt(debt) !== null);
  const once = agreed.filter(
    (debt, at) => agreed.findIndex((one) => agreementOfDebt(one) === agreementOfDebt(debt)) === at,
  );
  return [...once, ...debts.filter((debt) => agreementOfDebt(debt) === null)];
}
