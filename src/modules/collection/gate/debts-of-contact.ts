import type { Tx } from '../../../platform/database/tx.ts';
import { findOrMakeDebtorPage, openDebtsOfPerson } from '../../debts/queries/persons.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { OtherDebts } from '../../messaging/use-cases/debt-facts.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { mayBeMentioned } from '../../policy/rules/next-slot.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import type { Policy } from '../../policy/use-cases/load-policy.ts';
import { questionByDebt, sequenceOf } from './ask-policy.ts';

/** The other live debts of the person with this client, whether or not a message may speak of them now. */
export const otherOpenDebts = async (tx: Tx, debt: DebtContext): Promise<DebtContext[]> =>
  (await openDebtsOfPerson.run(tx, { debtorTaxId: debt.debtorTaxId, sandbox: debt.sandbox })).filter(
    ({ id }) => id !== debt.id,
  );

/**
 * Returns those of the other debts that a message at `now` speaks of: those that may be contacted by their own status,
 * dates, and place. A person with phones in two places may be in either, so a debt whose own window is closed waits for
 * a contact of its own. One whose sequence is used up is left out, because its last message said that none follows.
 * Caps and suppressions are not asked, because the gate decides about them once for the message.
 */
export const debtsToMention = (
  others: readonly DebtContext[],
  policy: Policy,
  { now, channel, purpose }: { readonly now: number; readonly channel: Channel; readonly purpose: ContactPurpose },
): DebtContext[] =>
  others.filter(
    (other) =>
      other.step < sequenceOf(other, policy).steps.length &&
      mayBeMentioned(questionByDebt(other, policy, { now, channel }), purpose),
  );

/**
 * Returns the debts with the page that shows all of them, or null when a text is about one debt alone. A debt whose own
 * page is closed is shown there too.
 */
export const withPage = async (
  tx: Tx,
  debt: DebtContext,
  others: readonly DebtContext[],
): Promise<OtherDebts | null> =>
  others.length === 0 && !debt.pageClosed ? null : { debts: others, pageId: await findOrMakeDebtorPage(tx, debt) };
