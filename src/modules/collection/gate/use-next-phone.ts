import { isLive } from '../../../kernel/debt-status.ts';
import { phonesBehind } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { setPhoneInUse } from '../../debts/queries/debt-phones.ts';
import type { PhoneProblem } from '../../debts/rules/timeline-entry.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { ledgerKeyOf, releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { numbersOf } from '../../messaging/use-cases/deps.ts';
import { readSuppressions, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import type { CollectionDeps } from '../deps.ts';

/**
 * Lets the next phone of the debt take over, and returns false when none is left. The gate decides at once when the next
 * contact may be made, within the step that the debt has reached. Phones in front of the one in use were given up before, and none of them is used again. A phone that this client knows
 * to be wrong or silenced is passed over; what only another client knows stays hidden, and the gate then refuses.
 */
export async function useNextPhone(
  tx: Tx,
  deps: Pick<CollectionDeps, 'personKeys' | 'sendersOf'>,
  debt: DebtContext,
  { problem, at }: { readonly problem: PhoneProblem; readonly at: number },
): Promise<boolean> {
  const next = await nextPhone(tx, deps, debt);
  if (next === null) return false;
  await setPhoneInUse(tx, debt.id, {
    phone: next,
    // After a wrong person the sequence begins again, because the debtor has got none of its messages.
    step: problem === 'wrong_person' ? 0 : debt.step,
    // Whoever got the reminder of this day was somebody else, or nobody.
    remindedAt: problem === 'wrong_person' ? null : debt.remindedAt,
    nextContactAt: isLive(debt.status) ? new Date(at) : null,
  });
  // The timeline is kept after an erasure, so it names the phones by their places in `debtorPhones`.
  const places = { from: debt.phones.indexOf(debt.debtorPhone), to: debt.phones.indexOf(next) };
  await recordEntries(tx, debt.id, at, [{ kind: 'debt_changed', field: 'debtorPhone', reason: problem, ...places }]);
  await releaseReservations(tx, [debt.id]);
  return true;
}

async function nextPhone(
  tx: Tx,
  deps: Pick<CollectionDeps, 'personKeys' | 'sendersOf'>,
  debt: DebtContext,
): Promise<string | null> {
  const phones = phonesBehind(debt.phones, debt.debtorPhone);
  if (phones.length === 0) return null;
  const numbers = numbersOf(await deps.sendersOf(tx, debt));
  const keys = phones.map((debtorPhone) => ledgerKeyOf({ ...debt, debtorPhone }, deps.personKeys));
  const rows = await readSuppressions(tx, keys);
  const at = keys.findIndex((key) => {
    const { wrongPerson, optedOut, phoneSilenced } = suppressedBy(rows, { ...key, numbers });
    return !wrongPerson && !optedOut && !phoneSilenced;
  });
  return phones[at] ?? null;
}
