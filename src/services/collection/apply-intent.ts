import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import {
  lockDebtsOfPerson,
  otherLiveDebts,
  setPromise,
  setSaidPaid,
  setWrongPerson,
} from '../../db/queries/conversations.ts';
import type { DebtEvent } from '../../domain/debt-status.ts';
import type { Intent } from '../../domain/intents.ts';
import type { Understanding } from '../../ports/collection-agent.ts';
import { debtNow } from '../debts/clock.ts';
import { type DebtContext, loadDebt } from '../debts/debt-context.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { ledgerKeyOf, lockPersons, releaseReservations } from '../messaging/contact-ledger.ts';
import type { Sender } from '../messaging/deps.ts';
import { suppress } from '../messaging/suppressions.ts';
import type { CollectionDeps } from './deps.ts';

/** The event that the main intent of a message causes. Other intents are answered and change no status. */
const MOVES: Partial<Record<Intent, DebtEvent>> = {
  wrong_person: 'wrong_person',
  opt_out: 'opted_out',
  dispute: 'disputed',
  hardship: 'held',
  human: 'held',
  negotiate: 'held',
};

/**
 * Requests that apply to all of the person's debts with this client. The first that matches decides: another person on
 * this phone who opts out suppresses only the phone, because the debtor has asked for nothing.
 */
const SUPPRESSION_REQUESTS = [
  { kind: 'wrong_person', event: 'wrong_person' },
  { kind: 'opt_out', event: 'opted_out' },
] as const;

/** A claim of payment is checked with the provider also when it is not the main intent. */
export const saysPaid = ({ intent, also }: Understanding): boolean =>
  intent === 'already_paid' || also.includes('already_paid');

/** Applies what the debtor asks for, whatever the status of the debt. The function is idempotent. */
export async function applyIntent(
  em: EntityManager,
  deps: CollectionDeps,
  debtId: string,
  understood: Understanding,
  { now, sender }: { readonly now: number; readonly sender: Sender },
): Promise<DebtContext> {
  const seen = await loadDebt(em, debtId);
  if (seen === null) throw new Error('The debt does not exist.');
  const { intent, also, date } = understood;
  const key = { ...ledgerKeyOf(seen, deps.personKeys), sender: sender.number };
  // The gate takes the same lock, so a contact that it is booking for this person counts as booked before the request.
  await lockPersons(em, [key]);
  // An opt-out counts beside any other intent. A wrong person, which ends a debt for good, counts only as the main
  // intent.
  const suppression = SUPPRESSION_REQUESTS.find(
    ({ kind }) => intent === kind || (kind === 'opt_out' && also.includes(kind)),
  );
  if (suppression !== undefined) await lockDebtsOfPerson(em, seen);
  const debt = (await loadDebt(em, debtId, { forUpdate: true })) ?? seen;

  if (suppression !== undefined) {
    await suppress(em, suppression.kind, key);
    if (suppression.kind === 'wrong_person') await setWrongPerson(em, debt);
    await suppressOtherDebts(em, deps, debt, suppression.event);
  }
  const event = suppression?.event ?? MOVES[intent];
  if (saysPaid(understood)) await setSaidPaid(em, debtId, new Date(now));
  if (event !== undefined) {
    await moveDebt(em, deps.workflows, debtId, event, now);
    await releaseReservations(em, [debtId]);
  } else if (intent === 'promise' && date !== null) {
    await moveDebt(em, deps.workflows, debtId, 'promised', now);
    // The date is stored also when the status stays (draft, dispute, hold), because a resumed collection has to wait
    // for that day.
    await setPromise(em, debtId, date);
  }
  return (await loadDebt(em, debtId)) ?? debt;
}

/** An opt-out concerns the creditor, not one debt. A wrong number concerns every debt with that number. */
async function suppressOtherDebts(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  event: 'opted_out' | 'wrong_person',
): Promise<void> {
  const { id: debtId, debtorCpf, sandbox } = debt;
  const debtorPhone = event === 'wrong_person' ? debt.debtorPhone : null;
  const others = await otherLiveDebts(em, { debtId, debtorCpf, sandbox, debtorPhone });
  for (const { id } of others) {
    // The event is dated by the other debt's clock, because the clocks of sandbox debts differ.
    const other = await loadDebt(em, id);
    if (other === null) continue;
    await moveDebt(em, deps.workflows, id, event, debtNow(other.clockOffsetMs, deps.now().getTime()));
    await addOutbox(em, deps.workflows.wakeDebt(other, 'stateChanged'));
  }
  await releaseReservations(
    em,
    others.map(({ id }) => id),
  );
}
