/** The rules about the amounts of offers and agreements, computed a second time from the contract. */
import { type AgreementFact, type Facts, groupBy, type OfferFact, type PolicyFact, type Rule } from './facts.ts';
import { ofKind } from './log.ts';
import { businessDayAfter, isBusinessDay } from './place.ts';

const DAY = 24 * 3_600_000;

const sumOf = <One>(all: readonly One[], amount: (one: One) => number): number =>
  all.reduce((sum, one) => sum + amount(one), 0);

const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** The amounts of an accepted agreement are those of the offer, whatever has happened since; only a date may move. */
export const agreedAmountsStay: Rule = (facts) => {
  const offers = new Map(facts.offers.map((one) => [one.id, one]));
  return facts.agreements.flatMap((agreement) => {
    const offer = offers.get(agreement.offerId);
    const isSame = offer !== undefined && amountsOf(agreement) === amountsOfOffer(offer);
    const { id, totalCentavos, discountCentavos, instalments, debts } = agreement;
    const isWhole =
      sumOf(instalments, ({ amountCentavos }) => amountCentavos) === totalCentavos &&
      sumOf(debts, ({ centavos }) => centavos) === totalCentavos &&
      sumOf(debts, ({ owedCentavos }) => owedCentavos) === totalCentavos + discountCentavos;
    return [
      ...(isSame ? [] : [`agreement ${id} has other amounts than the offer that was accepted`]),
      ...(isWhole ? [] : [`instalments, shares and discount of agreement ${id} are not what was owed`]),
    ];
  });
};

const amountsOf = ({ totalCentavos, discountCentavos, instalments, debts }: AgreementFact): string =>
  JSON.stringify([
    totalCentavos,
    discountCentavos,
    instalments.map(({ number, amountCentavos }) => [number, amountCentavos]),
    debts.map(({ debtId, centavos, owedCentavos }) => [debtId, centavos, owedCentavos]),
  ]);

const amountsOfOffer = ({ debts, ...offer }: OfferFact): string =>
  amountsOf({
    ...offer,
    debts: debts.map((one) => ({ ...one, centavos: one.owedCentavos - one.discountCentavos })),
  } as unknown as AgreementFact);

/** Whatever the policy makes is within it. An owner may offer more by hand. */
export const offersAreWithinPolicy: Rule = (facts) => {
  const policies = new Map(facts.policies.map((one) => [`${one.clientId} ${one.version}`, one.policy]));
  const phones = phonesOf(facts);
  return facts.offers
    .filter(({ madeBy }) => madeBy !== 'staff')
    .flatMap((offer) => {
      const policy = policies.get(`${offer.clientId} ${offer.policyVersion}`) ?? null;
      if (policy === null) return [`offer ${offer.id} was made without a policy`];
      return outsideOf(offer, policy, phones.get(offer.debts[0]?.debtId ?? '') ?? '').map(
        (what) => `offer ${offer.id}: ${what}`,
      );
    });
};

function phonesOf({ log, debts }: Facts): ReadonlyMap<string, string> {
  const imported = groupBy(ofKind(log, 'debt_imported'), ({ clientId, invoiceId }) => `${clientId} ${invoiceId}`);
  return new Map(
    debts.map(({ id, clientId, invoiceId }) => [id, imported.get(`${clientId} ${invoiceId}`)?.[0]?.phone ?? '']),
  );
}

function outsideOf(offer: OfferFact, policy: NonNullable<PolicyFact['policy']>, phone: string): string[] {
  const { debts, instalments, totalCentavos, discountCentavos, entryCentavos, madeOn, validUntil } = offer;
  const found: string[] = [];
  for (const { debtId, owedCentavos, discountCentavos: given, originalCentavos, paidCentavos, dueDate } of debts) {
    const late = Math.round((Date.parse(madeOn) - Date.parse(dueDate)) / DAY);
    const band = policy.bands.find(({ fromDays, toDays }) => late >= fromDays && late <= (toDays ?? late));
    const base = policy.discountOn === 'all' ? owedCentavos : owedCentavos - (originalCentavos - paidCentavos);
    // Compared in hundredths of a percent, so that nothing is rounded.
    if (given * 10_000 > base * Math.round((band?.maxDiscountPercent ?? 0) * 100)) {
      found.push(`${given} centavos of the ${owedCentavos} of debt ${debtId} are given up`);
    }
  }
  const first = instalments[0]?.dueDate ?? madeOn;
  const latest = daysLater(madeOn, policy.maxDaysToFirst);
  const latestOpen = isBusinessDay(phone, latest) ? latest : businessDayAfter(phone, latest);
  const entry = Math.min(totalCentavos, Math.ceil((totalCentavos * Math.round(policy.minEntryPercent * 100)) / 10_000));
  const small = instalments.filter(({ amountCentavos }) => amountCentavos < policy.minInstalmentCentavos);
  return [
    ...found,
    ...(sumOf(debts, (one) => one.discountCentavos) === discountCentavos ? [] : ['the discounts are not the discount']),
    ...(sumOf(instalments, (one) => one.amountCentavos) === totalCentavos ? [] : ['the instalments are not the total']),
    ...(instalments.length > policy.maxInstalments ? [`${instalments.length} instalments`] : []),
    ...(instalments.length > 1 && small.length > 0 ? [`an instalment of ${small[0]?.amountCentavos} centavos`] : []),
    ...(instalments.length > 1 && entryCentavos < entry ? [`an entry of ${entryCentavos} centavos`] : []),
    ...(first > latestOpen ? [`the first instalment is due on ${first}`] : []),
    ...(validUntil > daysLater(madeOn, policy.holdDays) ? [`it can be accepted until ${validUntil}`] : []),
  ];
}

/**
 * Charged = paid + given up + open. A kept agreement gives up the whole discount and takes no centavo more than the share
 * of each debt; one that is undone gives up nothing, so that a debt is PAID by its whole principal and by nothing less.
 */
export const nothingIsGivenUpBeyondAgreed: Rule = (facts) => {
  const charges = groupBy(facts.charges, ({ debtId }) => debtId);
  const debts = new Map(facts.debts.map((one) => [one.id, one]));
  const agreementOf = new Map(facts.charges.map((one) => [one.id, one.agreementId]));
  return facts.agreements.flatMap((agreement) => {
    const { id, status, endedAt, acceptedAt, afterBreach, debts: shares } = agreement;
    if (endedAt === null) return [];
    const bySharesOnly = status === 'COMPLETED' || (status === 'BROKEN' && afterBreach === 'keep');
    return shares.flatMap(({ debtId, centavos }) => {
      const debt = debts.get(debtId);
      const isLast = !facts.agreements.some(
        (other) => other.acceptedAt > acceptedAt && other.debts.some((one) => one.debtId === debtId),
      );
      if (debt === undefined || !isLast) return [];
      const all = charges.get(debtId) ?? [];
      const parts = all.filter(({ partOf }) => partOf !== null && agreementOf.get(partOf) === id);
      const [credited, whole] = bySharesOnly
        ? [sumOf(parts, ({ creditedCentavos }) => creditedCentavos), centavos]
        : [sumOf(all, ({ principalCentavos }) => principalCentavos), debt.amountCentavos];
      const isRight = credited <= whole && (debt.status === 'PAID') === (credited === whole);
      return isRight
        ? []
        : [`debt ${debtId} of agreement ${id} is ${debt.status} with ${credited} centavos credited of ${whole}`];
    });
  });
};
