import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { newestOffersPolicy } from '../queries/offers-policies.ts';
import { offeredDebts } from '../rules/offered-debts.ts';
import { type OfferDeps, readPersonOfOffers } from './person-of-offers.ts';

/**
 * Returns the first of these debts about which an offer stands or can be made; null where there is none. Nothing is made
 * or locked, so that a page may ask whenever it is shown. `debt` is a current row of the person.
 */
export async function debtWithOffers(
  tx: Tx,
  deps: OfferDeps,
  debt: DebtContext,
  debtIds: readonly string[],
): Promise<string | null> {
  if ((await newestOffersPolicy(tx, debt.clientId))?.policy == null) return null;
  const { policy, debts, standing } = await readPersonOfOffers(tx, deps, debt);
  const reasonOf = (debtId: string) => offeredDebts(policy, debts, debtId).reason;
  const found = debtIds.find(
    (debtId) => reasonOf(debtId) === null || (reasonOf(debtId) === 'needs_person' && standing.length > 0),
  );
  return found ?? null;
}
