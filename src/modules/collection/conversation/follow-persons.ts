import type { Tx } from '../../../platform/database/tx.ts';
import { nextContactsOfPersons } from '../../debts/queries/later-debts.ts';
import { requestsOfPersons } from '../../debts/queries/person-requests.ts';
import type { CollectionDeps } from '../deps.ts';
import type { debtsToContact } from '../queries/contact-plan.ts';
import { holdForPerson } from './hold-for-person.ts';

type PlannedDebt = Awaited<ReturnType<typeof debtsToContact>>[number];

/** A debt that is planned, as its person's requests leave it. */
interface Followed {
  readonly debt: PlannedDebt;
  /** The moment of the next message to the person, which will speak of this debt too. */
  readonly joinsAt: number | null;
}

/** Of a person who has asked for nothing. */
export const NOTHING_ASKED = { promisedFor: null, saidPaidAt: null, staffAnswersUntil: null, requests: [] };

/**
 * A request that waits for the client holds a new debt of the person too, which then stands in the inbox beside the
 * others. Returns the debts that are not held. The caller holds the locks of the persons: what a person has asked for is
 * read again, because it may have been said after the debts were read.
 */
export async function followPersons(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'now'>,
  debts: readonly PlannedDebt[],
  { isLater }: { readonly isLater: boolean },
): Promise<readonly Followed[]> {
  const taxIds = debts.filter(({ erased }) => !erased).map(({ debtorTaxId }) => debtorTaxId);
  const asked = await requestsOfPersons(tx, { taxIds, sandbox: debts[0]?.sandbox ?? false });
  // The debts of a launch are planned together. A debt that comes later joins the message that is planned already.
  const moments = isLater
    ? await nextContactsOfPersons(
        tx,
        debts.map(({ id }) => id),
      )
    : new Map<string, Date>();
  const followed: Followed[] = [];
  for (const planned of debts) {
    const debt = { ...planned, ...(asked.get(planned.debtorTaxId) ?? NOTHING_ASKED) };
    if (debt.requests.length > 0) {
      await holdForPerson(tx, deps, debt, { requests: debt.requests, at: deps.now().getTime() });
    } else {
      followed.push({ debt, joinsAt: moments.get(debt.id)?.getTime() ?? null });
    }
  }
  return followed;
}
