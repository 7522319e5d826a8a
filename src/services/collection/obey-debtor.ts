import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { DebtEvent } from '../../domain/debt-status.ts';
import type { Intent } from '../../domain/intents.ts';
import type { Understanding } from '../../ports/collection-agent.ts';
import { releaseHolds } from './contact-ledger.ts';
import { ledgerKeyOf } from './contact-question.ts';
import { type DebtContext, loadDebt } from './debt-context.ts';
import type { CollectionDeps, Sender } from './deps.ts';
import { moveDebt } from './move-debt.ts';
import { suppress } from './suppressions.ts';

/** What each wish does to the debt, the one that protects most first: of several only the first moves it. */
const MOVES: readonly (readonly [Intent, DebtEvent])[] = [
  ['wrong_person', 'wrong_person'],
  ['opt_out', 'opted_out'],
  ['dispute', 'disputed'],
  ['hardship', 'held'],
  ['human', 'held'],
  ['negotiate', 'held'],
];

const MARK_WRONG_PERSON = `
  update debts set wrong_person_at = now(), updated_at = now()
  where debtor_cpf = $1 and debtor_phone = $2 and sandbox = $3 and wrong_person_at is null`;
const PROMISE = 'update debts set promised_for = $2, updated_at = now() where id = $1';
const SAID_PAID = 'update debts set said_paid_at = $2, updated_at = now() where id = $1';

/** Does what the debtor asks for, whatever the state of the debt. Doing it again changes nothing. */
export async function obeyDebtor(
  em: EntityManager,
  deps: CollectionDeps,
  debtId: string,
  understood: Understanding,
  { now, sender }: { readonly now: number; readonly sender: Sender },
): Promise<DebtContext> {
  const debt = await loadDebt(em, debtId, { hold: true });
  if (debt === null) throw new Error('the debt does not exist');
  const wishes = new Set<Intent>([understood.intent, ...understood.also]);
  const key = { ...ledgerKeyOf(debt, deps.personKeys), sender: sender.number };

  if (wishes.has('wrong_person')) {
    await suppress(em, 'wrong_person', key);
    await runInTransaction(em, MARK_WRONG_PERSON, [debt.debtorCpf, debt.debtorPhone, debt.sandbox]);
  }
  // Somebody else on this phone asks for silence on the phone; the person who owes has asked for nothing.
  if (wishes.has('opt_out') && !wishes.has('wrong_person')) {
    await suppress(em, 'opt_out', key);
    await silenceOtherDebts(em, deps, debt, now);
  }
  const move = MOVES.find(([intent]) => wishes.has(intent));
  if (move !== undefined) {
    await moveDebt(em, deps.workflows, debtId, move[1], now);
    await releaseHolds(em, [debtId]);
  } else if (wishes.has('already_paid')) {
    await runInTransaction(em, SAID_PAID, [debtId, new Date(now)]);
  } else if (understood.intent === 'promise' && understood.date !== null) {
    const moved = await moveDebt(em, deps.workflows, debtId, 'promised', now);
    if (moved !== null) await runInTransaction(em, PROMISE, [debtId, understood.date]);
  }
  return (await loadDebt(em, debtId)) ?? debt;
}

const OTHER_DEBTS = `
  select id from debts
  where debtor_cpf = $1 and sandbox = $2 and id <> $3 and status = any ('{QUEUED,IN_COLLECTION,PROMISED}')
  order by id for no key update`;

/** Who asks for silence asks it of the creditor, not of one bill. */
async function silenceOtherDebts(
  em: EntityManager,
  deps: CollectionDeps,
  debt: DebtContext,
  now: number,
): Promise<void> {
  const others = await runInTransaction<{ id: string }>(em, OTHER_DEBTS, [debt.debtorCpf, debt.sandbox, debt.id]);
  for (const { id } of others) {
    await moveDebt(em, deps.workflows, id, 'opted_out', now);
    const other = await loadDebt(em, id);
    if (other !== null) await addOutbox(em, deps.workflows.wakeDebt(other, 'stateChanged'));
  }
  await releaseHolds(
    em,
    others.map(({ id }) => id),
  );
}
