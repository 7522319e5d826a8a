import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import { type DebtEvent, LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import type { Intent } from '../../domain/intents.ts';
import type { Understanding } from '../../ports/collection-agent.ts';
import { debtNow } from './clock.ts';
import { lockPersons, releaseHolds } from './contact-ledger.ts';
import { ledgerKeyOf } from './contact-question.ts';
import { type DebtContext, loadDebt } from './debt-context.ts';
import type { CollectionDeps, Sender } from './deps.ts';
import { moveDebt } from './move-debt.ts';
import { suppress } from './suppressions.ts';

/** What the wish that the message is about does to the debt. What else it says is answered, and moves nothing. */
const MOVES: Partial<Record<Intent, DebtEvent>> = {
  wrong_person: 'wrong_person',
  opt_out: 'opted_out',
  dispute: 'disputed',
  hardship: 'held',
  human: 'held',
  negotiate: 'held',
};

/**
 * Said once for all of the person's debts with this client; the first one counts. Somebody else on this phone who asks
 * for silence asks it for the phone: the person who owes has asked for nothing.
 */
const SILENCES = [
  { wish: 'wrong_person', event: 'wrong_person' },
  { wish: 'opt_out', event: 'opted_out' },
] as const;

const MARK_WRONG_PERSON = `
  update debts set wrong_person_at = now(), updated_at = now()
  where debtor_cpf = $1 and debtor_phone = $2 and sandbox = $3 and wrong_person_at is null`;
const PROMISE = 'update debts set promised_for = $2, updated_at = now() where id = $1';
const SAID_PAID = 'update debts set said_paid_at = $2, updated_at = now() where id = $1';

// All of the person's debts at once and in one order: two of them that obey at the same time wait instead of deadlocking.
const HOLD_ALL = 'select id from debts where debtor_cpf = $1 and sandbox = $2 order by id for no key update';

/** Said beside something else it is checked all the same. */
export const saysPaid = ({ intent, also }: Understanding): boolean =>
  intent === 'already_paid' || also.includes('already_paid');

/** Does what the debtor asks for, whatever the state of the debt. Doing it again changes nothing. */
export async function obeyDebtor(
  em: EntityManager,
  deps: CollectionDeps,
  debtId: string,
  understood: Understanding,
  { now, sender }: { readonly now: number; readonly sender: Sender },
): Promise<DebtContext> {
  const seen = await loadDebt(em, debtId);
  if (seen === null) throw new Error('the debt does not exist');
  const { intent, also, date } = understood;
  const key = { ...ledgerKeyOf(seen, deps.personKeys), sender: sender.number };
  // As at the gate: what it books meanwhile for this person was booked before the wish.
  await lockPersons(em, [key]);
  // Silence is obeyed wherever it is asked for; only a message that is about nothing else may stop a debt for good.
  const silence = SILENCES.find(({ wish }) => intent === wish || (wish === 'opt_out' && also.includes(wish)));
  if (silence !== undefined) await runInTransaction(em, HOLD_ALL, [seen.debtorCpf, seen.sandbox]);
  const debt = (await loadDebt(em, debtId, { hold: true })) ?? seen;

  if (silence !== undefined) {
    await suppress(em, silence.wish, key);
    if (silence.wish === 'wrong_person') {
      await runInTransaction(em, MARK_WRONG_PERSON, [debt.debtorCpf, debt.debtorPhone, debt.sandbox]);
    }
    await silenceOtherDebts(em, deps, debt, silence.event);
  }
  const event = silence?.event ?? MOVES[intent];
  if (saysPaid(understood)) await runInTransaction(em, SAID_PAID, [debtId, new Date(now)]);
  if (event !== undefined) {
    await moveDebt(em, deps.workflows, debtId, event, now);
    await releaseHolds(em, [debtId]);
  } else if (intent === 'promise' && date !== null) {
    await moveDebt(em, deps.workflows, debtId, 'promised', now);
    // Also where the status stays (draft, dispute, hold): whoever goes on with it has to wait for that day.
    await runInTransaction(em, PROMISE, [debtId, date]);
  }
  return (await loadDebt(em, debtId)) ?? debt;
}

/** Asked of the creditor, not of one bill; a wrong number is wrong for all that went there. */
const OTHER_DEBTS = `
  select id from debts
  where debtor_cpf = $1 and sandbox = $2 and id <> $3 and status = any ($4) and ($5::text is null or debtor_phone = $5)
  order by id`;

async function silenceOtherDebts(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  event: 'opted_out' | 'wrong_person',
): Promise<void> {
  const phone = event === 'wrong_person' ? debt.debtorPhone : null;
  const others = await runInTransaction<{ id: string }>(em, OTHER_DEBTS, [
    debt.debtorCpf,
    debt.sandbox,
    debt.id,
    LIVE_DEBT_STATUSES,
    phone,
  ]);
  for (const { id } of others) {
    // By its own clock: sandbox clocks run apart.
    const other = await loadDebt(em, id);
    if (other === null) continue;
    await moveDebt(em, deps.workflows, id, event, debtNow(other.clockOffsetMs, deps.now().getTime()));
    await addOutbox(em, deps.workflows.wakeDebt(other, 'stateChanged'));
  }
  await releaseHolds(
    em,
    others.map(({ id }) => id),
  );
}
