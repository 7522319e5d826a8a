import { randomUUID } from 'node:crypto';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { endPromise } from '../../debts/queries/person-requests.ts';
import type { SeenDebts } from '../../debts/queries/persons.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { type MadeContact, recordContact } from '../../debts/use-cases/move-debt.ts';
import { hashesOf } from '../../genuine/use-cases/keep-sent-texts.ts';
import { type LedgerRow, ledgerRows } from '../../messaging/queries/contact-ledger.ts';
import { type BookedMessage, textFor, textVersionFor } from '../../messaging/use-cases/booked-message.ts';
import type { Candidate } from '../../messaging/use-cases/candidates.ts';
import {
  bookingOf,
  type LedgerKey,
  ledgerKeyOf,
  type NewReservation,
  releaseReservations,
  reservationOf,
} from '../../messaging/use-cases/contact-ledger.ts';
import { formsOfText } from '../../messaging/use-cases/keep-sent-text.ts';
import { ledgerFor, NO_CONTACTS } from '../../policy/rules/contact-ledger.ts';
import { type ContactDecision, type ContactPurpose, decideContact } from '../../policy/rules/contact-policy.ts';
import type { ContactQuestion } from '../../policy/rules/contact-question.ts';
import { slotAfterContact, stepsAfter } from '../../policy/rules/next-slot.ts';
import type { CollectionDeps } from '../deps.ts';
import { bookContact } from '../queries/contact-gate.ts';
import { questionAbout, sequenceOf, verdictOf } from './ask-policy.ts';
import { reservationAt } from './next-slot.ts';

export interface ContactDraft {
  readonly purpose: ContactPurpose;
  readonly text: string;
  /** The text for channels that take short ones. */
  readonly short: string;
  readonly own?: BookedMessage['own'];
  /** The other debts that the text speaks of. */
  readonly others: readonly { readonly id: string }[];
  /** The debt when the text was composed. A contact for another debt, or a message of the debtor, may change it. */
  readonly composedFor?: {
    readonly contactsMade: number;
    readonly phone: string;
    /** What the text asks for. */
    readonly owedCentavos: number;
    readonly dueDate: string;
    readonly pageId: string | null;
    /** The debts as they were read for the text. */
    readonly seen: SeenDebts;
  };
  /** The senders that may carry the message, the first one first. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  /** One attempt books one message, however often the activity is retried. */
  readonly attemptKey: string;
}

export interface GateContext {
  readonly tx: Tx;
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

/** The rules that the asking debt has passed. */
type PassedRules = Extract<ContactDecision, { readonly allowed: true }>;

export interface BookedContact {
  readonly purpose: ContactPurpose;
  readonly messageId: string;
  /** The debtor's phone that the message goes to. */
  readonly phone: string;
  readonly at: number;
  /** The debts as they were before the contact. */
  readonly debts: readonly DebtContext[];
}

/** Books one message and one contact of the person, and advances every debt that the message speaks of. */
export async function bookContactOf(
  context: GateContext,
  passed: PassedRules,
  draft: ContactDraft,
): Promise<BookedContact> {
  const { tx, deps, debt, others, key, now } = context;
  const messageId = randomUUID();
  const { purpose } = draft;
  const debts = [debt, ...others];
  const advances = debts.map((each) => advanceOf(context, each, { messageId, purpose, passed }));
  const slots = advances.flatMap(({ slot }) => slot ?? []);
  await bookContact(tx, {
    ...(await messageOf(context, draft, messageId)),
    ledger: ledgerRows(key.sandbox, [bookingOf({ key, at: now }, messageId), ...slots.map(reservationOf)]),
  });
  const waiting = advances.filter(({ slot }) => slot === null).map((each) => each.debt.id);
  if (waiting.length > 0) await releaseReservations(tx, waiting);
  for (const advance of advances) {
    await recordContact(tx, advance.debt, advance.made);
    if (advance.debt.id !== debt.id) await startUnplanned(tx, deps, advance.debt);
  }
  if (debt.promisedFor !== null && purpose === 'collection') await endPromise(tx, debt.id);
  return { purpose, messageId, phone: debt.debtorPhone, at: now, debts };
}

/** The message as its first sender would carry it, with the hashes of what its recipient may copy. */
async function messageOf({ tx, deps, debt, others, now }: GateContext, draft: ContactDraft, id: string) {
  const { purpose, attemptKey, candidates } = draft;
  const [first] = candidates;
  const text = textFor(first, draft);
  const message = {
    id,
    clientId: debt.clientId,
    debtId: debt.id,
    alsoAbout: others.map((each) => each.id),
    channel: first.sender.channel.name,
    purpose,
    senderId: first.sender.id,
    phone: debt.debtorPhone,
    text,
    textVersion: textVersionFor(first, draft),
    attemptKey,
    at: new Date(now),
  };
  return { message, hashes: hashesOf(deps, await formsOfText(tx, deps, debt, first, { id, purpose, text })) };
}

interface Advance {
  readonly debt: DebtContext;
  readonly made: MadeContact;
  /** The slot that the debt waits for now; null when it waits for none, so that an earlier reservation is released. */
  readonly slot: NewReservation | null;
}

/** Returns the verdict for a debt's timeline, its next step, and the slot that follows. */
function advanceOf(
  { deps, debt: asking, clock, now, rows, key: askingKey, question }: GateContext,
  debt: DebtContext,
  {
    messageId,
    purpose,
    passed,
  }: { readonly messageId: string; readonly purpose: ContactPurpose; readonly passed: PassedRules },
): Advance {
  const key = ledgerKeyOf(debt, deps.personKeys);
  // Another debt of the person may have a phone in a place with other rules.
  const own =
    debt.id === asking.id
      ? question
      : questionAbout(debt, deps.policy, {
          channel: question.channel,
          now,
          ledger: NO_CONTACTS,
          suppressed: question.suppressions,
          inboxWaiting: question.inboxWaiting,
        });
  const { rules, ruleIds } = debt.id === asking.id ? passed : decideContact(own);
  const booking: LedgerRow = { ...askingKey, kind: 'booking', at: new Date(now) };
  const following = slotAfterContact({
    purpose,
    debtId: debt.id,
    question: { ...own, ledger: ledgerFor([...rows, booking], key) },
    sequence: sequenceOf(debt, deps.policy),
    step: debt.step,
    at: now,
  });
  return {
    debt,
    made: {
      verdict: verdictOf(own, { allowed: true, rules, ruleIds, notBefore: null }),
      messageId,
      purpose,
      step: stepsAfter({ purpose, step: debt.step }),
      nextContactAt: following.at,
      // Another debt's clock follows to the moment of the contact. Sandbox clocks run apart from each other.
      clockOffsetMs: clock.exact ? now - deps.now().getTime() : 0,
      at: now,
    },
    slot: following.slot === null ? null : reservationAt(deps, { key, clock, now, at: following.slot }),
  };
}

/**
 * Starts the workflow of a debt that moved on before its campaign has planned it: a message to the person, or one from
 * the person, was about it too. The campaign's workflow starts queued debts only. `debt` is as it was before.
 */
export async function startUnplanned(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows'>,
  debt: DebtContext,
): Promise<void> {
  if (debt.status !== 'QUEUED' || debt.nextContactAt !== null) return;
  await addOutbox(tx, deps.workflows.wakeDebt(debt, 'stateChanged'));
}
