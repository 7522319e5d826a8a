import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { LocalDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import type { SharedDeps } from '../../deps.ts';
import { allIndices } from '../../terms/queries/index-values.ts';
import { termsVersions } from '../../terms/queries/late-payment-terms.ts';
import { creditsOf } from '../../terms/rules/credits.ts';
import { type IndexSeries, indexSeriesOf } from '../../terms/rules/index-series.ts';
import { type LatePaymentTerms, type StoredTerms, termsFor } from '../../terms/rules/late-payment-terms.ts';
import { owedOn } from '../../terms/rules/owed-on.ts';
import { countDraftDebts, type DueDates, nextDraftDebts } from '../queries/draft-debts.ts';
import { debtNow } from './clock.ts';
import { debtorDay, indebtedFor } from './owed.ts';
import { type QuotedAmounts, quotedAmounts } from './quote-debt.ts';

/** What a worked example is about. */
export interface ExampleDebt {
  readonly amountCentavos: number;
  readonly dueDate: LocalDate;
  readonly on: LocalDate;
}

/** What terms would charge, and for which debts, before they are stored. */
export interface TermsPreview {
  readonly example: QuotedAmounts | null;
  readonly debts: {
    readonly count: number;
    /** The original amounts together. */
    readonly principal: number;
    /** What is owed of them today by the terms that they would take now, and by the new ones. Null for too many debts. */
    readonly before: number | null;
    readonly after: number | null;
    readonly campaignCount: number;
    readonly campaigns: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  };
}

/** More debts are counted without their totals, and so are those that take longer: somebody waits while typing. */
const MAX_COMPUTED = 20_000;
const MAX_MS = 2_000;
const DEBTS_AT_ONCE = 500;
/** Between slices of so many milliseconds other requests get their turn. */
const SLICE_MS = 10;
const MAX_CAMPAIGNS = 50;

/** Positions in a campaign begin with 0. */
const BEFORE_THE_FIRST = -1;

/** Stands for the version that is not stored. */
const NEW_ID = '';

/** Returns what the terms charge in an example and for which debts of drafts; it stores nothing. */
export const previewTerms =
  (deps: Pick<SharedDeps, 'db' | 'now' | 'policy'>) =>
  async (request: {
    readonly clientId: string;
    readonly terms: LatePaymentTerms;
    readonly example?: ExampleDebt | undefined;
  }): Promise<TermsPreview> => {
    const { clientId, terms, example } = request;
    const read = await deps.db.tenant(clientId).transactional(async (tx) => {
      const stored = (await termsVersions(tx, clientId)).map((version) => version.terms);
      const dueDates = { from: terms.effectiveFrom, until: nextBeginning(stored, terms.effectiveFrom) };
      const [campaigns, indices] = [await countDraftDebts(tx, clientId, dueDates), await allIndices(tx)];
      return { stored, dueDates, campaigns, indices: indexSeriesOf(indices) };
    });
    const { campaigns, indices } = read;
    const count = campaigns.reduce((sum, campaign) => sum + campaign.count, 0);
    const totals = count > MAX_COMPUTED ? null : await totalsOf(deps, { ...request, ...read });
    return {
      example: example === undefined ? null : exampleOf(deps, terms, indices, example),
      debts: {
        count,
        principal: toReais(campaigns.reduce((sum, campaign) => sum + campaign.principalCentavos, 0)),
        before: totals === null ? null : toReais(totals.before),
        after: totals === null ? null : toReais(totals.after),
        campaignCount: campaigns.length,
        campaigns: campaigns
          .slice(0, MAX_CAMPAIGNS)
          .map(({ id, name, count: ofDebts }) => ({ id, name, count: ofDebts })),
      },
    };
  };

/** Returns when a later version takes over; one that begins on the same day as the new one is replaced by it. */
const nextBeginning = (stored: readonly StoredTerms[], from: LocalDate): LocalDate | null =>
  stored
    .map(({ effectiveFrom }) => effectiveFrom)
    .filter((beginning) => beginning > from)
    .toSorted()[0] ?? null;

function exampleOf(
  { policy }: Pick<SharedDeps, 'policy'>,
  terms: LatePaymentTerms,
  indices: IndexSeries,
  { amountCentavos: principalCentavos, dueDate, on }: ExampleDebt,
): QuotedAmounts {
  // Nobody lives anywhere in an example, so that only the nation's holidays count.
  const calendar = { holidays: policy.holidays, states: [] };
  return quotedAmounts(owedOn({ terms, principalCentavos, dueDate, calendar, indices, credits: [], on }), terms);
}

/** Adds up what is owed today, in slices and with a short transaction for each page of debts. */
async function totalsOf(
  { db, now, policy }: Pick<SharedDeps, 'db' | 'now' | 'policy'>,
  given: {
    readonly clientId: string;
    readonly terms: LatePaymentTerms;
    readonly stored: readonly StoredTerms[];
    readonly dueDates: DueDates;
    readonly campaigns: readonly { readonly id: string }[];
    readonly indices: IndexSeries;
  },
): Promise<{ readonly before: number; readonly after: number } | null> {
  const { clientId, terms, stored, dueDates, campaigns, indices } = given;
  const taken: StoredTerms = { ...terms, id: NEW_ID };
  const at = now().getTime();
  const began = performance.now();
  let [before, after, computed] = [0, 0, 0];
  for (const { id: campaignId } of campaigns) {
    for (let [last, isLast] = [BEFORE_THE_FIRST, false]; !isLast; ) {
      const page = { campaignId, after: last, limit: DEBTS_AT_ONCE };
      const debts = await db.tenant(clientId).transactional((tx) => nextDraftDebts(tx, clientId, dueDates, page));
      let since = performance.now();
      for (const debt of debts) {
        const day = debtorDay(debt, debtNow(debt.clockOffsetMs, at));
        const question = {
          ...indebtedFor({ ...debt, terms: taken, indices: null }, policy.holidays),
          indices,
          credits: creditsOf(debt.credits),
          on: day,
        };
        before += owedOn({ ...question, terms: termsFor(stored, debt.dueDate) }).total;
        after += owedOn(question).total;
        if (performance.now() - since > SLICE_MS) {
          await yieldToEventLoop();
          since = performance.now();
        }
      }
      computed += debts.length;
      isLast = debts.length < DEBTS_AT_ONCE;
      // An import can add debts while this counts.
      if (computed > MAX_COMPUTED || (computed >= DEBTS_AT_ONCE && performance.now() - began > MAX_MS)) return null;
      last = debts.at(-1)?.position ?? last;
    }
  }
  return { before, after };
}
