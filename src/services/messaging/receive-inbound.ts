import { debtOfPhone } from '../../db/queries/debt-phones.ts';
import { messageOfChannel } from '../../db/queries/messages.ts';
import { inboundPhones } from '../../domain/phone.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { storeReceived } from './receive-message.ts';

/** A message as a channel delivers it: the channel knows the sender's number, not the debt. */
export interface InboundFromPhone {
  /** The client whose number received the message. */
  readonly clientId: string;
  readonly channel: string;
  readonly channelMessageId: string;
  /** As the channel writes it, with or without the ninth digit. */
  readonly fromPhone: string;
  readonly text: string;
}

/**
 * Finds the debt that a message from a phone is about. A message from a number without a debt is ignored and not
 * stored.
 */
export const receiveInbound =
  (deps: Pick<SharedDeps, 'db' | 'now' | 'workflows' | 'sandboxOnly' | 'note'>) =>
  async (message: InboundFromPhone): Promise<'stored' | 'repeated' | 'unknown_number'> => {
    const { clientId, channel, channelMessageId, fromPhone, text } = message;
    const outcome = await deps.db.tenant(clientId).transactional(async (em) => {
      // A repeated delivery belongs to the debt of the first one, even when another conversation has become the newest
      // since.
      if ((await messageOfChannel(em, channel, channelMessageId)) !== undefined) return 'repeated';
      const debt = await debtOfPhone(em, inboundPhones(fromPhone), deps.sandboxOnly);
      if (debt === undefined) return 'unknown_number';
      return storeReceived(em, deps, { clientId, debtId: debt.id, phone: debt.phone, channel, channelMessageId, text });
    });
    if (outcome === 'stored' || outcome === 'repeated') return outcome;
    deps.note('A message was ignored, because no debt has the number of its sender.', { clientId, channel });
    return 'unknown_number';
  };
