import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { StoredOffer } from '../../agreements/queries/offers.ts';
import { acceptOffer, activeAgreementOf, textOfOffer } from '../../agreements/use-cases/accept-offer.ts';
import { debtOfOffer } from '../../agreements/use-cases/debt-of-offer.ts';
import { debtWithOffers } from '../../agreements/use-cases/debt-with-offers.ts';
import { findOrMakeOffers } from '../../agreements/use-cases/offers.ts';
import { personOfOffers } from '../../agreements/use-cases/person-of-offers.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { pageOfPerson } from '../../debts/use-cases/rights-link.ts';
import { addNotice, type CheckoutNotice, takeNotice } from './checkout-notices.ts';
import type { PageDeps } from './open-checkout.ts';
import { type ButtonPage, onPage } from './press-button.ts';

export interface OffersPage {
  readonly sandbox: boolean;
  readonly creditor: { readonly name: string; readonly email: string | null };
  /** Names the page of rights of the person; null once they were erased. */
  readonly rightsPageId: string | null;
  /** Empty whatever the reason is: a visitor does not learn why a person is offered nothing. */
  readonly offers: readonly StoredOffer[];
  /** The debts of the offers. */
  readonly debts: readonly Pick<DebtContext, 'id' | 'invoiceId' | 'dueDate'>[];
  readonly notice: CheckoutNotice | null;
}

type Facts = Pick<OffersPage, 'sandbox' | 'creditor' | 'rightsPageId'>;

const facts = async (tx: Tx, deps: PageDeps, debt: DebtContext): Promise<Facts> => ({
  sandbox: debt.sandbox || deps.sandboxOnly,
  creditor: { name: debt.clientName, email: debt.contactEmail },
  rightsPageId: await pageOfPerson(tx, debt),
});

/** Returns the offers to the person of a page, which are made when they are asked for first. */
export const openOffersPage =
  (deps: PageDeps) =>
  async (page: ButtonPage, noticeId?: string): Promise<OffersPage> => {
    const { shown, clientId, debtId } = await onPage(deps, page, async (tx, debt, toPay) => {
      const ids = toPay.map(({ id }) => id);
      const asked = await debtWithOffers(tx, deps, debt, ids);
      const person = asked === null ? null : await personOfOffers(tx, deps, { clientId: debt.clientId, debtId: asked });
      const offers = person === null ? [] : (await findOrMakeOffers(tx, person)).offers;
      const debts = (person?.rows ?? []).filter(({ id }) =>
        offers.some((offer) => offer.debts.some((one) => one.debtId === id)),
      );
      return { shown: { ...(await facts(tx, deps, debt)), offers, debts }, clientId: debt.clientId, debtId: debt.id };
    });
    const notice = noticeId === undefined ? null : await takeNotice(deps.db, { clientId, debtIds: [debtId], noticeId });
    return { ...shown, notice };
  };

/** Where a visitor is sent who cannot be asked about an offer. */
export interface SentOn {
  readonly to: 'page' | 'offers';
  readonly noticeId: string | null;
}

export interface OfferQuestion extends Facts {
  readonly number: number;
  /** What is stored when the offer is accepted. */
  readonly text: string;
}

/** Returns what a visitor accepts by the button of the page. */
export const readOfferOnPage =
  (deps: PageDeps) =>
  (page: ButtonPage & { readonly offerId: string }): Promise<OfferQuestion | SentOn> =>
    onPage(deps, page, async (tx, debt): Promise<OfferQuestion | SentOn> => {
      const { offerId } = page;
      const debtId = await debtOfOffer(tx, debt, offerId);
      const person = await personOfOffers(tx, deps, { clientId: debt.clientId, debtId });
      const offer = person.standing.find(({ id }) => id === offerId);
      if (offer !== undefined) {
        return {
          ...(await facts(tx, deps, debt)),
          number: offer.number,
          text: await textOfOffer(tx, person, offer),
        };
      }
      if ((await activeAgreementOf(tx, debtId)) !== undefined) return { to: 'page', noticeId: null };
      return sendOn(tx, debt, 'offers-ended', 'offers');
    });

/**
 * Accepts an offer by the button of the page. The second press of a browser finds the agreement of the first; a program is
 * refused.
 */
export const acceptOnPage =
  (deps: PageDeps) =>
  (page: ButtonPage & { readonly offerId: string; readonly isBrowser: boolean }): Promise<SentOn> =>
    onPage(deps, page, async (tx, debt) => {
      const { offerId } = page;
      const accepted = await acceptOffer(tx, deps, {
        clientId: debt.clientId,
        debtId: await debtOfOffer(tx, debt, offerId),
        offer: { id: offerId },
        by: 'page',
        in: 'debtId' in page ? page.debtId : page.pageId,
      });
      if (accepted.kind === 'accepted') return sendOn(tx, debt, 'agreed', 'page');
      if (!page.isBrowser) throw new AppError('offer_ended');
      return accepted.kind === 'ended'
        ? sendOn(tx, debt, 'offers-ended', 'offers')
        : sendOn(tx, debt, 'agreed-before', 'page');
    });

async function sendOn(
  tx: Tx,
  { id: debtId, clientId }: DebtContext,
  notice: CheckoutNotice,
  to: SentOn['to'],
): Promise<SentOn> {
  return { to, noticeId: await addNotice(tx, { clientId, debtId, notice }) };
}
