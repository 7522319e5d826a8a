import type { EntityManager } from '@mikro-orm/postgresql';
import type { debtsToContact } from '../../db/queries/contact-plan.ts';
import { setPromise, setSaidPaid } from '../../db/queries/conversations.ts';
import { otherDebtsOfPersons } from '../../db/queries/later-debts.ts';
import { askStaff } from '../debts/inbox-items.ts';
import { moveDebt } from '../debts/move-debt.ts';
import type { CollectionDeps } from './deps.ts';

type PlannedDebt = Awaited<ReturnType<typeof debtsToContact>>[number];

/** A debt that came into a running campaign, as the person's other debts leave it. */
interface Followed {
  readonly debt: PlannedDebt;
  /** The moment of the next message to the person, which will speak of this debt too. */
  readonly joinsAt: number | null;
}

/**
 * What the person has said about other debts holds for a debt that comes later: a promise and a reported payment are
 * taken over, and a request that waits for the client holds the new debt too. Returns the debts that are not held. The
 * caller holds the locks of the persons, so that nothing is said meanwhile.
 */
export async function followPersons(
  em: EntityManager,
  deps: Pick<CollectionDeps, 'workflows' | 'now'>,
  debts: readonly PlannedDebt[],
): Promise<readonly Followed[]> {
  const rows = await otherDebtsOfPersons(
    em,
    debts.map(({ id }) => id),
  );
  const othersOf = new Map(rows.map((row) => [row.debtId, row]));
  const followed: Followed[] = [];
  for (const debt of debts) {
    const others = othersOf.get(debt.id);
    if (others === undefined) {
      followed.push({ debt, joinsAt: null });
      continue;
    }
    if (others.heldFor !== null) {
      await moveDebt(em, deps.workflows, debt.id, 'held', deps.now().getTime());
      await askStaff(em, debt.id, others.heldFor);
      continue;
    }
    const { promisedFor, saidPaidAt, nextContactAt } = others;
    if (promisedFor !== null) await setPromise(em, debt.id, promisedFor);
    if (saidPaidAt !== null) await setSaidPaid(em, debt.id, saidPaidAt);
    const known = { promisedFor: promisedFor ?? debt.promisedFor, saidPaidAt: saidPaidAt ?? debt.saidPaidAt };
    followed.push({ debt: { ...debt, ...known }, joinsAt: nextContactAt?.getTime() ?? null });
  }
  return followed;
}
