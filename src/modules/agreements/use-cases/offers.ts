import type { LocalDate } from '../../../kernel/calendar.ts';
import { addDays } from '../../../kernel/calendar.ts';
import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { recordEach } from '../../debts/use-cases/record-entries.ts';
import { insertOffers, readOffer, type StoredOffer } from '../queries/offers.ts';
import { type NoOfferReason, offeredDebts } from '../rules/offered-debts.ts';
import { makeOffers, makeStaffOffer, type Offer, type OutsidePolicy, type StaffOffer } from '../rules/offers.ts';
import type { OffersPolicy, OwedDebt } from '../rules/offers-policy.ts';
import type { OfferMaker } from '../tables/offer.ts';
import { textOfOffer } from './accept-offer.ts';
import { type OfferDeps, type PersonOfOffers, personOfOffers } from './person-of-offers.ts';

/** An offer as its client sees it, in reais. */
export interface OfferView {
  readonly id: string;
  readonly number: number;
  readonly kind: Offer['kind'];
  readonly debtIds: readonly string[];
  readonly total: number;
  readonly discount: number;
  readonly entry: number;
  readonly instalments: readonly { readonly number: number; readonly dueDate: LocalDate; readonly amount: number }[];
  readonly validUntil: LocalDate;
  readonly acceptedAt: string | null;
  /** The member who made it, of an offer by staff. */
  readonly by?: Author;
  /** What the debtor reads and accepts. */
  readonly text: string;
}

export interface OffersOfDebt {
  readonly items: readonly OfferView[];
  /** Why there are none. */
  readonly reason: NoOfferReason | null;
}

/** What an offer asks for and until when, in reais. */
export const offeredTerms = (offer: Omit<Offer, 'debts'>) => ({
  number: offer.number,
  kind: offer.kind,
  total: toReais(offer.totalCentavos),
  discount: toReais(offer.discountCentavos),
  entry: toReais(offer.entryCentavos),
  instalments: offer.instalments.map(({ number, dueDate, amountCentavos }) => ({
    number,
    dueDate,
    amount: toReais(amountCentavos),
  })),
  validUntil: offer.validUntil,
});

const viewOf = async (tx: Tx, person: PersonOfOffers, offer: StoredOffer): Promise<OfferView> => ({
  id: offer.id,
  debtIds: offer.debts.map(({ debtId }) => debtId),
  ...offeredTerms(offer),
  acceptedAt: offer.acceptedAt?.toISOString() ?? null,
  ...(offer.madeBy === 'staff' ? byMember(offer.memberId, offer.memberName) : {}),
  text: await textOfOffer(tx, person, offer),
});

/** Stores offers and tells them on the timeline of each of their debts. */
export async function storeOffers(
  tx: Tx,
  person: PersonOfOffers,
  { offers, madeBy, id }: { readonly offers: readonly Offer[]; readonly madeBy: OfferMaker; readonly id?: string },
): Promise<StoredOffer[]> {
  const { clientId, id: debtId, sandbox } = person.debt;
  const stored = await insertOffers(
    tx,
    offers.map((offer) => ({
      ...offer,
      ...(id !== undefined && { id }),
      clientId,
      debtId,
      sandbox,
      debts: offer.debts.map((one) => {
        const { originalCentavos, dueDate, paidCentavos } = person.debts.find(({ debtId }) => debtId === one.debtId)!;
        return { ...one, originalCentavos, dueDate, paidCentavos };
      }),
      madeOn: person.today,
      madeBy,
      policyVersion: person.policyVersion,
    })),
  );
  for (const { id: offerId, number, totalCentavos, discountCentavos, instalments, validUntil, debts } of stored) {
    await recordEach(
      tx,
      debts.map((one) => ({
        debtId: one.debtId,
        at: person.momentOf(one.debtId),
        entry: {
          kind: 'offer_made',
          offerId,
          number,
          madeBy,
          total: toReais(totalCentavos),
          discount: toReais(discountCentavos),
          instalments: instalments.length,
          validUntil,
        },
      })),
    );
  }
  return stored;
}

export const contextOf = (
  { today, calendar, nextNumber }: PersonOfOffers,
  policy: OffersPolicy,
  debts: readonly OwedDebt[],
) => ({
  policy,
  debts,
  today,
  calendar,
  nextNumber,
});

interface OffersNow {
  readonly offers: readonly StoredOffer[];
  /** Why there are none. */
  readonly reason: NoOfferReason | null;
}

const none = (reason: NoOfferReason): OffersNow => ({ offers: [], reason });

/** Returns the offers that stand, in the order of their numbers, and makes those of the policy where none of them stands. */
export async function findOrMakeOffers(tx: Tx, person: PersonOfOffers): Promise<OffersNow> {
  const { policy, standing } = person;
  const offered = offeredDebts(policy, person.debts, person.debt.id);
  // Above the amount of the policy a person decides, and may have made an offer.
  const mayStand = offered.reason === null || offered.reason === 'needs_person';
  if (!mayStand || policy === null) return none(offered.reason ?? 'no_policy');
  const isMade = standing.some(({ madeBy }) => madeBy === 'policy');
  const wanted = isMade || offered.reason !== null ? [] : makeOffers(contextOf(person, policy, offered.debts));
  const made = wanted.length === 0 ? [] : await storeOffers(tx, person, { offers: wanted, madeBy: 'policy' });
  const offers = [...standing, ...made];
  // A discount of all charges may leave nothing of a debt to pay, and then the policy makes no offer.
  return offers.length === 0 ? none('needs_person') : { offers, reason: null };
}

/**
 * Returns the offers to the person of a debt. They are made when they are asked for and none of the policy's stands, and
 * are then the same until they end. Offers by staff stand beside them.
 */
export const readOffers =
  (deps: OfferDeps) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<OffersOfDebt> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const person = await personOfOffers(tx, deps, { clientId, debtId });
      const { offers, reason } = await findOrMakeOffers(tx, person);
      const items: OfferView[] = [];
      for (const offer of offers) items.push(await viewOf(tx, person, offer));
      return { items, reason };
    });

/** An offer for a later day would be guesswork. */
const MAX_DAYS_AHEAD = 366;
/** Far more than a negotiation needs. */
const MAX_STANDING = 20;

const OUTSIDE: Readonly<Record<OutsidePolicy, Omit<FieldProblem, 'code'> & { readonly code?: string }>> = {
  discount: { pointer: '/discountPercent', message: 'The discount is larger than the largest of your policy' },
  instalments: { pointer: '/instalments', message: 'Your policy allows fewer instalments' },
  entry: { pointer: '/entryPercent', message: 'The entry is smaller than the smallest of your policy' },
  smallest_instalment: {
    pointer: '/instalments',
    // Two limits may be passed at this field.
    code: 'smallest_instalment',
    message: 'An instalment is smaller than the smallest of your policy',
  },
  first_due_date: { pointer: '/firstDueDate', message: 'Your policy asks for the first payment earlier' },
};

const fieldProblem = (pointer: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer, code: 'invalid_value', message }] });

/** Makes an offer by staff about all debts of the person that may be offered together. */
export const addStaffOffer =
  (deps: OfferDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    /** The id of the offer. A repetition with the same id makes none again. */
    readonly offerId: string;
    readonly terms: StaffOffer;
    readonly isConfirmed: boolean;
    readonly source: RequestSource;
  }): Promise<OfferView> =>
    deps.db.tenant(request.clientId).transactional(async (tx) => {
      const { clientId, debtId, offerId, terms, isConfirmed, source } = request;
      const person = await personOfOffers(tx, deps, { clientId, debtId });
      // An attempt before this one has made the offer and then failed to answer.
      const known = await readOffer(tx, offerId);
      if (known !== undefined) return viewOf(tx, person, known);
      const { policy, today } = person;
      if (terms.firstDueDate < today || terms.firstDueDate > addDays(today, MAX_DAYS_AHEAD)) {
        throw fieldProblem('/firstDueDate', `A date from today (${today}) to ${MAX_DAYS_AHEAD} days ahead`);
      }
      // Without a policy nothing says for how long an offer holds and what follows when it is broken.
      if (policy === null) {
        throw new AppError('offer_outside_policy', { detail: 'The company has no policy of offers.' });
      }
      // A person is deciding, whatever the amount is.
      const offered = offeredDebts({ ...policy, personAboveCentavos: null }, person.debts, person.debt.id);
      if (offered.reason !== null) {
        throw new AppError('debt_state', { detail: `Nothing may be offered about this debt: ${offered.reason}.` });
      }
      if (person.standing.length >= MAX_STANDING) {
        throw new AppError('debt_state', { detail: `A person has at most ${MAX_STANDING} offers at once.` });
      }
      const made = makeStaffOffer(contextOf(person, policy, offered.debts), terms);
      if (made === null) {
        throw fieldProblem(
          terms.discountPercent === 100 ? '/discountPercent' : '/instalments',
          'The offer leaves an instalment of nothing',
        );
      }
      if (made.outside.length > 0 && !isConfirmed) {
        const errors: FieldProblem[] = made.outside.map((limit) => ({ code: 'outside_policy', ...OUTSIDE[limit] }));
        throw new AppError('offer_outside_policy', { errors });
      }
      const [stored] = await storeOffers(tx, person, { offers: [made.offer], madeBy: 'staff', id: offerId });
      await addRequestAudit(tx, {
        clientId,
        source,
        action: 'offer_made',
        target: person.debt.id,
        details: { offerId, number: made.offer.number, outside: made.outside.join(' ') },
      });
      return viewOf(tx, person, stored!);
    });
