import { debtsOnPage, isPageClosed, OWNER_OF_DEBTOR_PAGE } from '../../db/queries/persons.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentDeps } from './deps.ts';
import { type Checkout, readCheckout } from './open-checkout.ts';

/** Codes are made when the page is opened, so that a person with many debts does not keep the provider busy. */
const MOST_CODES = 6;

/** The page of a person: all debts that a client collects from them. */
export interface PersonPage {
  /** The debts that are shown with their codes, those to be paid first. */
  readonly debts: readonly Checkout[];
  /** Further debts to be paid, of which the page only names the address. */
  readonly further: readonly FurtherDebt[];
}

export interface FurtherDebt {
  readonly debtId: string;
  readonly invoiceId: string | null;
  readonly amountCentavos: number;
  readonly dueDate: string;
  /** It has no page of its own any more. */
  readonly pageClosed: boolean;
}

/** Returns null when there is nothing that the visitor may see, as after a wrong person was reported. */
export const openPersonPage =
  (deps: PaymentDeps) =>
  async (pageId: string): Promise<PersonPage | null> => {
    const [owner] = await deps.db.runUnscoped(OWNER_OF_DEBTOR_PAGE, { pageId });
    if (owner === undefined) throw new AppError('not_found');
    const all = await deps.db
      .tenant(owner.clientId)
      .transactional(async (em) => ((await isPageClosed(em, pageId)) ? [] : debtsOnPage(em, owner)));
    const shown = all.filter(({ wrongPerson, status }) => !wrongPerson && status !== 'STOPPED');
    const toPay = shown.filter(({ status }) => status !== 'PAID');
    const paid = shown.filter(({ status }) => status === 'PAID');
    const first = [...toPay.slice(0, MOST_CODES), ...paid.slice(-MOST_CODES)];
    const opened = await Promise.all(first.map(({ id }) => readCheckout(deps, owner.clientId, id)));
    const debts = opened.filter((checkout) => checkout !== null);
    if (debts.length === 0) return null;
    const further = toPay.slice(MOST_CODES).map(({ id, invoiceId, openCentavos, dueDate, pageClosed }) => ({
      debtId: id,
      invoiceId,
      amountCentavos: openCentavos,
      dueDate,
      pageClosed,
    }));
    return { debts, further };
  };
