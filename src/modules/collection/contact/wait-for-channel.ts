import type { EntityManager } from '@mikro-orm/postgresql';
import { isLive } from '../../../kernel/debt-status.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import type { CollectionDeps } from '../deps.ts';
import { failedContacts, setNextContact } from '../queries/contact-gate.ts';
import { giveUpPhone } from './finish-contact.ts';

/**
 * No channel can carry the next contact. When none reaches the phone, the next phone takes over or the debt ends; when
 * the client's senders cannot send, the contact waits with its step, and the client is told.
 */
export async function waitForChannel(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  { because, now }: { readonly because: 'sender' | 'recipient'; readonly now: number },
): Promise<void> {
  if (because === 'sender') {
    await askStaff(em, debt.id, 'undelivered');
    await setNextContact(em, debt.id, { nextContactAt: new Date(now + SENDER_REST_MS), pausedAt: null });
    return;
  }
  const phone = debt.debtorPhone;
  const { reached } = await failedContacts(em, { ...debt, phone });
  await giveUpPhone(em, deps, debt, { phone, reached, at: now });
}

/** The contact keeps its step and comes when the sender has a turn; the gate then decides about that moment. */
export const postpone = (deps: Pick<CollectionDeps, 'db'>, { clientId, id, step }: DebtContext, at: number) =>
  deps.db.tenant(clientId).transactional(async (em) => {
    await lockDebts(em, [id]);
    const debt = await loadDebt(em, id);
    if (debt === null || !isLive(debt.status) || debt.step !== step) return;
    await setNextContact(em, id, { nextContactAt: new Date(at), pausedAt: null });
  });
