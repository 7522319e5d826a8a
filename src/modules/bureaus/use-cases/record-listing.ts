import { addDays, type LocalDate, localDate } from '../../../kernel/calendar.ts';
import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { endListing, insertListing, standingListings } from '../../debts/queries/bureau-listings.ts';
import { ENDS_LISTINGS } from '../../debts/rules/bureau-listings.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { listingRemoved } from '../../debts/use-cases/inbox-items.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { momentOfEvent } from '../../debts/use-cases/write-note.ts';
import type { SharedDeps } from '../../deps.ts';
import { type ListingProblem, listingProblem, noticeDaysIn } from '../rules/listing-terms.ts';
import { type BureauDeps, placeOfDebt } from './debt-place.ts';

export type RecordingDeps = Pick<SharedDeps, 'db' | 'now' | 'policy' | 'workflows'> & BureauDeps;

export interface NewListing {
  readonly clientId: string;
  readonly debtId: string;
  /** The id of the listing. A repetition with the same id records nothing again. */
  readonly listingId: string;
  readonly bureau: string;
  readonly listedOn: LocalDate;
  /** Null where the debtor was told of nothing. */
  readonly notifiedOn: LocalDate | null;
  readonly source: RequestSource;
}

/**
 * A debt of which nothing is owed, or about which the person disputes, is listed nowhere. One that is imported and not yet
 * launched is owed: its creditor may have listed it before.
 */
const LISTED_IN: readonly DebtStatus[] = DEBT_STATUSES.filter(
  (status) => !ENDS_LISTINGS.includes(status) && !['DISPUTED', 'STOPPED'].includes(status),
);

const REFUSALS: Readonly<Record<ListingProblem, (noticeDays: number) => AppError>> = {
  notice_missing: (days) =>
    new AppError('notice_missing', { detail: `The debtor has to be told at least ${days} days before the listing.` }),
  too_early: () =>
    new AppError('debt_state', { detail: 'The state of this debtor wants a longer delay before a listing.' }),
  too_old: () =>
    new AppError('debt_state', { detail: 'Nobody may be listed for a debt that is older than five years.' }),
};

/** Records that the client has listed a debt at a bureau. */
export const recordListing =
  ({ db, now, policy, bureauTerms }: RecordingDeps) =>
  ({ clientId, debtId, listingId, bureau, listedOn, notifiedOn, source }: NewListing): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      const debt = await lockCurrent(tx, debtId);
      const standing = await standingListings(tx, debtId);
      if (standing.some(({ id }) => id === listingId)) return;
      if (!LISTED_IN.includes(debt.status)) throw new AppError('debt_state');
      const at = momentOfEvent(debt, now().getTime());
      const place = placeOfDebt(debt, policy.holidays);
      requirePast(listedOn, localDate(at, place.utcOffset));
      const noticeDays = noticeDaysIn(bureauTerms, place.states);
      if (notifiedOn === null) throw REFUSALS.notice_missing(noticeDays);
      const days = { dueDate: debt.dueDate, notifiedOn, listedOn };
      const problem = listingProblem(bureauTerms, place.states, days);
      if (problem !== null) throw REFUSALS[problem](noticeDays);
      if (standing.some((one) => sameBureau(one.bureau, bureau))) {
        throw new AppError('debt_state', { detail: 'This debt is listed at this bureau already.' });
      }
      await insertListing(tx, { id: listingId, clientId, debtId, bureau, listedOn, notifiedOn });
      await recordEntries(tx, debtId, at, [{ kind: 'listed', listingId, bureau, listedOn, notifiedOn }]);
      await addRequestAudit(tx, { clientId, source, action: 'debt_listed', target: debtId, details: { listingId } });
    });

export interface ListingRemoval {
  readonly clientId: string;
  readonly debtId: string;
  readonly removedOn: LocalDate;
  /** The bureau of which it is; absent for all. */
  readonly bureau?: string | undefined;
  readonly source: RequestSource;
}

/** Records that the listings of a debt were removed, at any time and in any status. */
export const recordRemoval =
  ({ db, now, policy, workflows }: RecordingDeps) =>
  ({ clientId, debtId, removedOn, bureau, source }: ListingRemoval): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      const debt = await lockCurrent(tx, debtId);
      const standing = await standingListings(tx, debtId);
      const ended = standing.filter((one) => bureau === undefined || sameBureau(one.bureau, bureau));
      if (ended.length === 0) throw new AppError('debt_state', { detail: 'This debt is listed nowhere.' });
      const at = momentOfEvent(debt, now().getTime());
      const { utcOffset } = placeOfDebt(debt, policy.holidays);
      requirePast(removedOn, localDate(at, utcOffset));
      if (ended.some(({ listedOn }) => removedOn < listedOn)) throw dayProblem('Not before the listing');
      for (const { id } of ended) await endListing(tx, id, removedOn);
      await recordEntries(
        tx,
        debtId,
        at,
        ended.map(({ id: listingId, bureau: name }) => ({
          kind: 'listing_removed',
          listingId,
          bureau: name,
          removedOn,
        })),
      );
      if (ended.length === standing.length) await listingRemoved(tx, debtId);
      const { id, campaignId, sandbox, clockOffsetMs } = debt;
      await addOutbox(tx, workflows.followListings({ id, clientId, campaignId, sandbox, clockOffsetMs }));
      const details = { listings: ended.length };
      await addRequestAudit(tx, { clientId, source, action: 'listing_removed', target: debtId, details });
    });

const sameBureau = (one: string, other: string): boolean =>
  one.localeCompare(other, 'pt-BR', { sensitivity: 'accent' }) === 0;

async function lockCurrent(tx: Tx, debtId: string): Promise<DebtContext> {
  const debt = await loadDebt(tx, debtId, { forUpdate: true });
  if (debt === null) throw new AppError('not_found');
  if (debt.continuedBy !== null) throw new AppError('debt_state', { detail: 'A later import continues this debt.' });
  return debt;
}

const dayProblem = (message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer: '/at', code: 'date_invalid', message }] });

function requirePast(day: LocalDate, today: LocalDate): void {
  if (day > today) throw dayProblem('Not in the future');
  if (day < addDays(today, -6 * 366)) throw dayProblem('At most six years ago');
}
