import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { readOffer } from '../queries/offers.ts';

/**
 * Returns a debt of an offer, which is the given debt where it is one of them. An offer to another person than the one of
 * the given debt does not exist.
 */
export async function debtOfOffer(
  tx: Tx,
  { id, clientId, debtorTaxId, sandbox, erased }: DebtContext,
  offerId: string,
): Promise<string> {
  const offer = await readOffer(tx, offerId);
  const [first] = offer?.debts ?? [];
  const other = first === undefined ? null : await loadDebt(tx, first.debtId);
  const isTheirs =
    other !== null &&
    !erased &&
    other.clientId === clientId &&
    other.debtorTaxId === debtorTaxId &&
    other.sandbox === sandbox;
  if (!isTheirs) throw new AppError('not_found');
  return offer!.debts.some(({ debtId }) => debtId === id) ? id : other.id;
}
