import type { EntityManager } from '@mikro-orm/postgresql';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { learnRecipient } from '../queries/recipients.ts';
import type { Attempt } from './attempt-to-send.ts';
import type { BookedMessage } from './booked-message.ts';
import { type Candidate, realNameOf } from './candidates.ts';
import type { MessagingDeps } from './deps.ts';
import { storeOptOut } from './receive-opt-out.ts';
import { recipientOf } from './recipient-of.ts';
import { startSender, stopSender } from './sender-state.ts';

/**
 * Stores what an attempt has told of the sender and of the person: whom the channel does not reach, who asked it for
 * silence, and whether the sender works.
 */
export async function learnFromAttempt(
  em: EntityManager,
  deps: Pick<MessagingDeps, 'now' | 'note' | 'personKeys' | 'workflows'>,
  debt: DebtContext,
  { sender, known }: Candidate,
  message: Pick<BookedMessage, 'id' | 'phone' | 'purpose'>,
  attempt: Attempt,
): Promise<void> {
  const channel = realNameOf(sender);
  const { clientId, id: debtId } = debt;
  if (attempt.outcome === 'failed' && attempt.cause === 'silence' && message.purpose !== 'opt_out_confirmation') {
    const { phone } = message;
    const channelMessageId = `silence:${message.id}`;
    await storeOptOut(em, deps, { clientId, debtId, channel: sender.channel.name, phone, channelMessageId });
  }
  if (channel === null || known === null) return;
  const key = { clientId, channel, senderId: known.senderId };
  const recipient = recipientOf(deps.personKeys, debt, { channel, phone: message.phone });
  if (attempt.outcome === 'sent') {
    if (known.state !== 'ready') await startSender(em, deps, key);
    const { channelUserId } = attempt.sent;
    if (channelUserId !== null && channelUserId !== known.channelUserId) {
      await learnRecipient(em, recipient, { channelUserId });
    }
    return;
  }
  if (attempt.outcome !== 'failed') return;
  if (attempt.cause === 'recipient') await learnRecipient(em, recipient, { unreachableAt: deps.now() });
  if (attempt.cause === 'sender') {
    const state = attempt.kind === 'unauthorized' ? 'failing' : 'paused';
    await stopSender(em, deps, key, { state, reason: attempt.failure });
  }
}
