import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bookContactMessage, setStepDone } from '../../db/queries/contact-gate.ts';
import { nextMove } from '../../domain/collection-sequence.ts';
import type { ContactQuestion, VerdictRule } from '../../domain/contact-question.ts';
import type { DebtClock } from '../../domain/debt-task.ts';
import { type DebtContext, keepClock } from '../debts/debt-context.ts';
import { moveDebt } from '../debts/move-debt.ts';
import { recordEvents } from '../debts/record-events.ts';
import { bookContact, type LedgerKey, type LedgerRow, ledgerFor, ledgerKeyOf } from '../messaging/contact-ledger.ts';
import { questionAbout } from './contact-question.ts';
import type { CollectionDeps } from './deps.ts';
import { nextSlot, reserveSlot } from './next-slot.ts';

export interface ContactDraft {
  readonly text: string;
  /** The other debts that the text speaks of. */
  readonly others: readonly { readonly id: string }[];
  /** The contacts made when the text was composed. Another debt's contact may have made this one meanwhile. */
  readonly contactsMade?: number;
  readonly channel: string;
  readonly senderNumber: string | null;
  /** One attempt books one message, however often the activity is retried. */
  readonly attemptKey: string;
}

export interface GateContext {
  readonly em: EntityManager;
  readonly deps: CollectionDeps;
  /** The debt whose workflow asks, and the other debts that the message speaks of. */
  readonly debt: DebtContext;
  readonly others: readonly DebtContext[];
  readonly key: LedgerKey;
  readonly clock: DebtClock;
  readonly now: number;
  readonly rows: readonly LedgerRow[];
  readonly question: ContactQuestion;
}

export interface BookedContact {
  readonly messageId: string;
  readonly at: number;
  /** The debts as they were before the contact. */
  readonly debts: readonly DebtContext[];
}

/** Books one message and one contact of the person, and advances the step of every debt that the message speaks of. */
export async function bookContactOf(
  context: GateContext,
  rules: readonly VerdictRule[],
  draft: ContactDraft,
): Promise<BookedContact> {
  const { em, debt, others, key, now } = context;
  const messageId = randomUUID();
  const at = new Date(now);
  const { channel, text, attemptKey } = draft;
  const alsoAbout = others.map(({ id }) => id);
  const { clientId, id: debtId } = debt;
  await bookContactMessage(em, { id: messageId, clientId, debtId, alsoAbout, channel, text, attemptKey, at });
  await bookContact(em, key, now, messageId);
  for (const each of [debt, ...others]) await advance(context, each, messageId, rules);
  return { messageId, at: now, debts: [debt, ...others] };
}

/** Records the verdict on a debt's timeline, counts its step as done and reserves the slot that follows. */
async function advance(
  { em, deps, debt: asking, clock, now, rows, key: askingKey, question }: GateContext,
  debt: DebtContext,
  messageId: string,
  rules: readonly VerdictRule[],
): Promise<void> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  // Another debt's clock follows to the moment of the contact. Sandbox clocks run apart from each other.
  if (clock.exact) await keepClock(em, debt.id, now - deps.now().getTime());
  const verdict = { allowed: true, rules, notBefore: null, messageId };
  await recordEvents(em, debt.id, now, [{ kind: 'verdict', data: verdict }]);
  await moveDebt(em, deps.workflows, debt.id, 'contacted', now);
  const next = nextMove(deps.policy.sequence, { contactsMade: debt.step + 1, anchorAt: now, promiseLapsed: false });
  const booking: LedgerRow = { ...askingKey, kind: 'booking', at: new Date(now) };
  const of =
    debt.id === asking.id
      ? question
      : questionAbout(debt, deps.policy, { ...question, suppressed: question.suppressions });
  const later: ContactQuestion = {
    ...of,
    debt: { ...of.debt, status: 'IN_COLLECTION', promisedDate: null },
    ledger: ledgerFor([...rows, booking], key),
  };
  const following = next.kind === 'exhausted' ? { at: null, slot: null } : nextSlot(later, next.notBefore);
  await setStepDone(em, debt.id, debt.step + 1, new Date(following.at ?? next.notBefore));
  await reserveSlot(em, deps, { key, clock, now, at: following.slot });
}
