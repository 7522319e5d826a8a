import { isLive } from '../../../kernel/debt-status.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { Understanding } from '../../messaging/ports/collection-agent.ts';
import { closePages, debtsOnPhone, setWrongPerson } from '../../messaging/queries/conversations.ts';
import { isWrongPhone, type SuppressionKey, suppress } from '../../messaging/use-cases/suppressions.ts';
import type { CollectionDeps } from '../deps.ts';
import { useNextPhone } from './use-next-phone.ts';

interface Report {
  readonly understood: Understanding;
  readonly phone: string;
  readonly now: number;
}

/** A wrong number ends the debts that have no other phone in use by now. */
export const endsWithPhone = ({ debtorPhone }: DebtContext, phone: string): boolean => debtorPhone === phone;

/**
 * Never uses the phone for this person again: each debt goes on with its next phone where it has one, except after news
 * of a death. Whoever holds the phone may have the addresses of the pages, so they change.
 */
export async function giveUpPhone(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  key: SuppressionKey,
  { understood, phone, now }: Report,
): Promise<void> {
  if (!(await isWrongPhone(tx, key))) await closePages(tx, debt);
  await suppress(tx, 'wrong_person', key);
  for (const each of understood.mentionsDeath ? [] : await debtsOnPhone(tx, debt, phone)) {
    const isAnswered = each.id === debt.id;
    const at = isAnswered ? now : debtNow(each.clockOffsetMs, deps.now().getTime());
    const handedOver = await useNextPhone(tx, deps, each, { problem: 'wrong_person', at });
    // The timer of another debt's workflow is set to a later moment.
    if (handedOver && !isAnswered && isLive(each.status)) {
      await addOutbox(tx, deps.workflows.wakeDebt(each, 'stateChanged', 'phone changed'));
    }
  }
  await setWrongPerson(tx, debt, { phone, orListed: understood.mentionsDeath });
}
