import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { KEPT_AGREEMENT_OF_DEBT } from '../../debts/queries/debt-context.ts';

const updateDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).updateTable('debts').set({ nextContactAt: null, pausedAt: null }).where('id', 'in', debtIds);

/** Says which agreement decides what is owed of these debts; null when none does any more. */
export const setAgreementOfDebts = (tx: Tx, debtIds: readonly string[], agreementId: string | null) =>
  updateDebts(tx, debtIds).set({ agreementId }).execute();

/**
 * Takes debts out of an agreement that has ended without all of its money: the agreed rest stays owed of each that has an
 * agreement which was broken so, be it this one or an earlier one, and the others are owed as before.
 */
export const setKeptAgreementOfDebts = (tx: Tx, debtIds: readonly string[]) =>
  updateDebts(tx, debtIds).set({ agreementId: KEPT_AGREEMENT_OF_DEBT }).execute();
