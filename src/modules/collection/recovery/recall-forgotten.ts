import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { endPromise } from '../../debts/queries/person-requests.ts';
import type { DebtTask, KnownContact } from '../../debts/rules/debt-task.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import {
  addDebtToMessage,
  FORGOTTEN_OF_DEBT,
  insertForgottenMessage,
  messagesOfContacts,
  raiseStep,
  setReminded,
} from '../../messaging/queries/forgotten-contacts.ts';
import { LOST_TEXT } from '../../messaging/texts/timeline-texts.ts';
import { bookContact, ledgerKeyOf, lockPersons } from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';
import { purposeAt, sequenceOf } from '../gate/ask-policy.ts';
import { holdForClient } from '../gate/hold-debt.ts';
import { planAfterContact } from '../planning/plan-next-contact.ts';

/**
 * A database that was restored from a backup may be older than the workflow. Books the contacts that the workflow knows
 * and the database does not, before anything else is decided, so that no cap is exceeded and no step is repeated. Their
 * delivery is `unknown`. When an answer of the debtor or a settlement was forgotten, nobody knows any more what the
 * debtor has asked for, and the client has to decide.
 */
export async function recallForgotten(deps: CollectionDeps, task: DebtTask): Promise<void> {
  const { clientId, debtId, contacts = [], lastHeard = null } = task;
  if (contacts.length === 0 && lastHeard === null) return;
  const [forgotten] = await deps.db.readPrepared({ clientId }, FORGOTTEN_OF_DEBT, {
    debtId,
    contactIds: contacts.map(({ id }) => id),
    heardSeq: lastHeard?.seq ?? null,
    heardAt: lastHeard === null ? null : new Date(lastHeard.at),
  });
  if (forgotten === undefined || !(forgotten.contacts || forgotten.conversation)) return;
  deps.note('the database has forgotten what a workflow knows: was it restored from a backup?', { debtId });
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const seen = await loadDebt(tx, debtId);
    if (seen === null || seen.erased) return;
    await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
    await lockDebts(tx, [debtId]);
    const debt = (await loadDebt(tx, debtId)) ?? seen;
    if (forgotten.contacts) await bookForgotten(tx, deps, debt, task);
    if (forgotten.conversation && lastHeard !== null) {
      await holdForClient(tx, deps, debt, { reason: 'conversation_forgotten', forgotten: lastHeard.seq });
    }
  });
}

async function bookForgotten(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  { contacts = [], clock }: DebtTask,
): Promise<void> {
  const known = new Map((await messagesOfContacts(tx, contacts)).map((message) => [message.id, message]));
  const isAbout = ({ id }: KnownContact): boolean => {
    const message = known.get(id);
    return message !== undefined && (message.debtId === debt.id || message.alsoAbout.includes(debt.id));
  };
  const forgotten = contacts.filter((contact) => !isAbout(contact)).sort((one, other) => one.at - other.at);
  const last = forgotten.at(-1);
  if (last === undefined) return;
  const [sender] = await deps.sendersOf(tx, debt);
  const channel = sender?.channel.name ?? 'unknown';
  const made = forgotten.map(({ id, at }) => ({
    id,
    at,
    purpose: purposeAt(debt, deps.policy, { now: at, channel: 'whatsapp' }),
  }));
  for (const { id, at, purpose } of made) {
    if (known.has(id)) {
      // The workflow of another debt of the person has booked it again already.
      await addDebtToMessage(tx, id, debt.id);
    } else {
      const { id: debtId, clientId } = debt;
      const moment = new Date(at);
      await insertForgottenMessage(tx, { id, clientId, debtId, channel, purpose, text: LOST_TEXT, at: moment });
      await bookContact(tx, ledgerKeyOf(debt, deps.personKeys), at, id);
      await countInCampaign(tx, debt, purpose === 'reminder' ? { remindersSent: 1 } : { contactsSent: 1 });
    }
    const entry = { kind: 'message_sent', messageId: id, channel, purpose } as const;
    await recordEntries(tx, debt.id, at, [entry], { asBooked: true });
  }
  const reminder = made.findLast(({ purpose }) => purpose === 'reminder');
  if (reminder !== undefined) await setReminded(tx, debt.id, new Date(reminder.at));
  const steps = made.filter(({ purpose }) => purpose === 'collection').length;
  if (steps > 0) {
    // A promise was made before these contacts, or it would be known.
    await endPromise(tx, debt.id);
    await raiseStep(tx, debt.id, steps, sequenceOf(debt, deps.policy).steps.length);
    await moveDebt(tx, deps.workflows, debt.id, 'contacted', last.at);
  }
  const after = await loadDebt(tx, debt.id);
  if (after !== null && isLive(after.status)) await planAfterContact(tx, deps, after, clock, last.at);
}
