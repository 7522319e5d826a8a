import { addDays, localDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import type { SharedDeps } from '../../deps.ts';
import { allIndices } from '../../terms/queries/index-values.ts';
import { termsVersions } from '../../terms/queries/late-payment-terms.ts';
import { indexSeriesOf } from '../../terms/rules/index-series.ts';
import { termsFor } from '../../terms/rules/late-payment-terms.ts';
import { owedOn } from '../../terms/rules/owed-on.ts';
import { makeOffers } from '../rules/offers.ts';
import { type OffersPolicy, owedCentavos } from '../rules/offers-policy.ts';
import { type OfferView, offeredTerms } from './offers.ts';
import { requireUsable } from './offers-policy.ts';

/** What a policy would offer of one debt. */
export interface OffersPreview {
  /** What is owed with the charges of the client's terms. */
  readonly owed: number;
  readonly charges: number;
  readonly items: readonly Omit<OfferView, 'id' | 'debtIds' | 'acceptedAt' | 'text'>[];
  /** Why there are none: a person decides. */
  readonly reason: 'needs_person' | null;
}

/** America/Sao_Paulo, where the days of the figures begin. Nobody lives anywhere in an example. */
const UTC_OFFSET = -3;

/** Returns what a policy would offer today of a debt that is late by so many days; it stores nothing. */
export const previewOffers =
  ({ db, now, policy: { holidays } }: Pick<SharedDeps, 'db' | 'now' | 'policy'>) =>
  async (request: {
    readonly clientId: string;
    readonly policy: OffersPolicy;
    readonly example: { readonly amountCentavos: number; readonly daysLate: number };
  }): Promise<OffersPreview> => {
    const { clientId, policy, example } = request;
    requireUsable(policy);
    const today = localDate(now().getTime(), UTC_OFFSET);
    const dueDate = addDays(today, -example.daysLate);
    const calendar = { holidays, states: [] };
    const { terms, indices } = await db.tenant(clientId).transactional(async (tx) => ({
      terms: termsFor(
        (await termsVersions(tx, clientId)).map((version) => version.terms),
        dueDate,
      ),
      indices: indexSeriesOf(await allIndices(tx)),
    }));
    const principalCentavos = example.amountCentavos;
    const { fine, interest, correction } = owedOn({
      terms,
      principalCentavos,
      dueDate,
      calendar,
      indices,
      credits: [],
      on: today,
    });
    const debt = {
      debtId: 'example',
      dueDate,
      daysLate: example.daysLate,
      principalCentavos,
      chargesCentavos: fine + interest + correction,
    };
    const owed = owedCentavos(debt);
    const needsPerson = policy.personAboveCentavos !== null && owed > policy.personAboveCentavos;
    const offers = needsPerson ? [] : makeOffers({ policy, debts: [debt], today, calendar, nextNumber: 1 });
    return {
      owed: toReais(owed),
      charges: toReais(debt.chargesCentavos),
      items: offers.map(offeredTerms),
      reason: offers.length === 0 ? 'needs_person' : null,
    };
  };
