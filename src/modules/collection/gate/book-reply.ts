import { randomUUID } from 'node:crypto';
import { areaCodeOf } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { AgentMessage } from '../../messaging/ports/collection-agent.ts';
import { type ReceivedMessage, repliesOfDebt, setAnswered } from '../../messaging/queries/conversations.ts';
import { sameTexts } from '../../messaging/texts/known-facts.ts';
import { type BookedMessage, type PixOfMessage, textFor } from '../../messaging/use-cases/booked-message.ts';
import type { Candidate } from '../../messaging/use-cases/candidates.ts';
import { bookMessage } from '../../messaging/use-cases/send-message.ts';
import { mayReply, startOfToday } from '../../policy/rules/message-policy.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import type { CollectionDeps } from '../deps.ts';

export interface Answer {
  readonly debt: DebtContext;
  readonly phone: string;
  /** The sender that may carry the answer first. */
  readonly candidate: Candidate;
  /** What the debtor wrote in this turn. */
  readonly written: readonly ReceivedMessage[];
  readonly reply: AgentMessage;
  /** The Pix code that may come with the answer. */
  readonly pix: PixOfMessage | null;
  readonly now: number;
  readonly attemptKey: string;
  /** The same text may be said again on another day, because it answers something new. */
  readonly isDaily: boolean;
  /** It confirms what binds the debtor from now on. */
  readonly isConfirmation: boolean;
}

/**
 * Books the answer to a turn. Returns null when none is sent: every text of the turn was answered before, the debtor has
 * this answer already, or has had as many today as the policy allows. A request for silence is confirmed also after
 * those, once, so that the debtor learns that it was obeyed, and so is an agreement.
 */
export async function bookReply(
  tx: Tx,
  deps: Pick<CollectionDeps, 'policy' | 'publicUrl' | 'textHashes'>,
  { debt, phone, candidate, written, reply, pix, now, attemptKey, isDaily, isConfirmation }: Answer,
): Promise<BookedMessage | null> {
  if (written.every(({ wasAnswered }) => wasAnswered)) return null;
  const { purpose, text, short, template } = reply;
  const { holidays } = deps.policy;
  const pack = bindingPack(deps.policy.pack, debt.collectsFor);
  const { policyChannel: channel } = candidate.sender.channel.capabilities;
  const context = { pack, holidays, channel, phoneAreaCode: areaCodeOf(phone), now };
  const today = new Date(startOfToday(context));
  const sent = await repliesOfDebt(tx, debt.id, {
    phone,
    texts: sameTexts(textFor(candidate, { text, short })),
    since: today,
    withPix: pix?.textAbove == null ? null : { texts: sameTexts(pix.textAbove), chargeId: pix.chargeId },
    textSince: isDaily ? today : null,
  });
  if (sent.hadThisText) return null;
  if (purpose === 'reply' && !isConfirmation && !mayReply(context, { toThisMessage: 0, today: sent.since }))
    return null;
  const message = {
    id: randomUUID(),
    purpose,
    phone,
    text,
    short,
    template,
    at: now,
    ...(pix === null ? {} : { pix }),
  };
  if (!(await bookMessage(tx, deps, debt, candidate, { ...message, attemptKey }))) return null;
  await setAnswered(
    tx,
    written.map(({ id }) => id),
  );
  return message;
}
