import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import type { GuardProblem } from '../../../kernel/message-guard.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { judgeStaffText, MAX_STAFF_TEXT } from '../../debts/rules/staff-messages.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
import type { DebtFacts } from '../../messaging/ports/collection-agent.ts';
import { insertStaffMessage, lastWrittenBy, staffMessage } from '../../messaging/queries/staff-messages.ts';
import { knownFacts } from '../../messaging/texts/known-facts.ts';
import { type StaffText, staffContact, staffReply } from '../../messaging/texts/staff-messages.ts';
import { chargedIn, messageValues } from '../../messaging/texts/values.ts';
import { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import type { CollectionDeps } from '../deps.ts';
import { decideStaffMessage } from './decide-staff-message.ts';
import { takeOver } from './staff-conversation.ts';

export interface StaffMessage {
  readonly clientId: string;
  readonly debtId: string;
  /** A repetition with the same id writes nothing again. */
  readonly messageId: string;
  readonly text: string;
  /** The writer has seen the warnings about the text. */
  readonly confirm: boolean;
  readonly source: RequestSource;
}

export interface Written {
  readonly id: string;
  readonly purpose: 'collection' | 'reply';
  readonly at: string;
  readonly channel: string;
}

/** The text in every form in which it may be sent, by its purpose. */
export const formsOf = (text: string, purpose: 'collection' | 'reply', facts: DebtFacts): StaffText =>
  purpose === 'reply' ? staffReply(text) : staffContact(text, facts);

/**
 * Takes a message that a person at the client writes to the debtor. It is checked at once, and the debt's workflow sends
 * it, after the gate has decided again. The agent is silent from now on.
 */
export const writeToDebtor =
  (deps: CollectionDeps) =>
  async ({ clientId, debtId, messageId, text, confirm, source }: StaffMessage): Promise<Written> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const seen = await loadDebt(tx, debtId);
      if (seen === null) throw new AppError('not_found');
      await lockDebtsOfPerson(tx, seen);
      const debt = (await loadDebt(tx, debtId)) ?? seen;
      const earlier = await staffMessage(tx, { debtId, id: messageId });
      if (earlier !== undefined) return answerOf(earlier);
      const facts = factsOf(debt, deps);
      const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
      const hasShort = (purpose: 'collection' | 'reply') => formsOf(text, purpose, facts).short !== null;
      const decision = await decideStaffMessage(tx, deps, { by: 'api', debt, now, hasShort });
      const purpose = decision.allowed ? decision.purpose : 'reply';
      await judge(tx, debt, facts, { text, purpose, confirm });
      if (!decision.allowed) {
        const detail = `These rules forbid it now: ${decision.verdict.rules.join(', ')}.`;
        throw new AppError('contact_blocked', { detail, verdict: decision.verdict });
      }
      const { phone, candidates } = decision;
      const channel = candidates[0].sender.channel.name;
      const message = { id: messageId, clientId, debtId, channel, purpose, phone, text, at: new Date(now) };
      await insertStaffMessage(tx, message);
      await takeOver(
        tx,
        deps,
        debt,
        candidates.map(({ sender }) => sender),
      );
      await addRequestAudit(tx, {
        clientId,
        source,
        action: 'debt_answered',
        target: debtId,
        details: { messageId, purpose },
      });
      await addOutbox(tx, deps.workflows.wakeDebt(debt, 'messageReceived'));
      return answerOf(message);
    });

const answerOf = (message: {
  readonly id: string;
  readonly purpose: string;
  readonly at: Date;
  readonly channel: string;
}): Written => ({
  id: message.id,
  purpose: message.purpose === 'collection' ? 'collection' : 'reply',
  at: message.at.toISOString(),
  channel: message.channel,
});

/** Throws when the text breaks the law, or may be wrong and is not confirmed. */
async function judge(
  tx: Tx,
  debt: DebtContext,
  facts: DebtFacts,
  {
    text,
    purpose,
    confirm,
  }: { readonly text: string; readonly purpose: 'collection' | 'reply'; readonly confirm: boolean },
): Promise<void> {
  const answered = !debt.erased && (await lastWrittenBy(tx, debt)) !== undefined;
  const known = [debt.debtorName, ...knownFacts(facts, { date: null, answered, texts: 'full' })];
  const { firstName } = messageValues(facts);
  const required = purpose === 'collection' && firstName !== undefined ? [firstName] : [];
  const rules = { known, required, paid: debt.status === 'PAID', charged: chargedIn(facts) !== null };
  const { forbidden, warnings } = judgeStaffText(text, rules);
  const isTooLong = [...formsOf(text, purpose, facts).text].length > MAX_STAFF_TEXT;
  const errors = [
    ...[...forbidden, ...(isTooLong ? (['too_long'] as const) : [])].map((code) => problemOf(code, code)),
    ...(confirm ? [] : warnings).map((code) => problemOf(`warning_${code}`, code)),
  ];
  if (errors.length > 0) throw new AppError('validation_failed', { errors });
}

const problemOf = (code: string, problem: GuardProblem): FieldProblem => ({
  pointer: '/text',
  code,
  message: MESSAGES[problem],
});

const MESSAGES: Readonly<Record<GuardProblem, string>> = {
  threat: 'The text threatens, or speaks of police, courts, credit bureaus or restrictions',
  shame: 'The text shames or insults the debtor',
  third_party: 'The text speaks of family, employer or other third parties',
  disclosure: 'The text discloses the debt',
  hidden_characters: 'The text has characters that are invisible, spaced apart or of another alphabet',
  too_long: 'The text is too long with what the law requires in a first message',
  missing: 'The text does not address the debtor by name',
  placeholder: 'The text has a placeholder that nobody has filled in',
  number: 'The text has a number that is none of the debt, or an amount before the debtor has answered',
  link: 'The text has a link or an address that is not the debt’s page',
  date: 'The text names a day',
  offer: 'The text offers a discount, an agreement or other terms',
  false_urgency: 'The text presses for time',
  loan: 'The text speaks of borrowing the money elsewhere',
  admission: 'The text asks the debtor to admit the debt',
  asks_for_data: 'The text asks for personal data, or for a payment by another way than the debt’s page',
  false_claim: 'The text says that the debt is paid or cancelled, or who is writing',
};
