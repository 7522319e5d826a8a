import { localDate } from '../../../kernel/calendar.ts';
import { removalBegan, setRemoval, standingListings } from '../../debts/queries/bureau-listings.ts';
import { ENDS_LISTINGS } from '../../debts/rules/bureau-listings.ts';
import { keepClock, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { askForRemoval } from '../../debts/use-cases/inbox-items.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ListingNext, ListingTask } from '../rules/listing-task.ts';
import { nextReminder, removalTerm } from '../rules/listing-terms.ts';
import { type BureauDeps, placeOfDebt } from './debt-place.ts';

const DONE: ListingNext = { until: null };

/** Asks the staff to remove the listings of a debt that is paid or agreed about, and says when to ask again. */
export const followListings =
  ({ db, policy, bureauTerms }: Pick<SharedDeps, 'db' | 'policy'> & BureauDeps) =>
  ({ clientId, debtId, clock }: ListingTask): Promise<ListingNext> =>
    db.tenant(clientId).transactional(async (tx) => {
      const debt = await loadDebt(tx, debtId, { forUpdate: true });
      if (debt === null) return DONE;
      const standing = await standingListings(tx, debtId);
      if (standing.length === 0) return DONE;
      await keepClock(tx, debt, clock.offsetMs);
      if (!ENDS_LISTINGS.includes(debt.status)) {
        await setRemoval(tx, debtId, null);
        return DONE;
      }
      const place = placeOfDebt(debt, policy.holidays);
      const began = (await removalBegan(tx, debtId))?.getTime() ?? clock.at;
      const removeBy = removalTerm(bureauTerms, place, localDate(began, place.utcOffset));
      const until = nextReminder(place, { removeBy, after: clock.at });
      const remindAt = until === null ? null : new Date(until);
      await setRemoval(tx, debtId, { removeBy: new Date(removeBy), remindAt });
      await askForRemoval(tx, debtId, new Date(removeBy));
      return { until };
    });
