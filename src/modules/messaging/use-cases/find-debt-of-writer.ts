import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { inboundPhones } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { debtOfPhone } from '../../debts/queries/debt-phones.ts';
import { debtOfAnswered, debtOfChannelUser } from '../queries/writers.ts';

/** What a channel tells about who wrote. */
export interface Writer {
  readonly fromPhone: string | null;
  readonly channelUserId: string | null;
  readonly inReplyTo: string | null;
}

/** The debt that a message is about. */
export interface DebtOfWriter {
  readonly id: string;
  /** The debtor's phone that stands for the conversation. */
  readonly phone: string;
  readonly debtorTaxId: string;
  /** When the conversation last went on; null when it has not begun. */
  readonly talkedAt: Date | null;
}

/**
 * Finds the debt that a message is about: by the phone, by the channel's own id of the person, or by the message that it
 * answers. The address of an e-mail finds nothing, because anybody can write any address into `From`. Only real debts
 * are found, because nobody real writes about another one.
 */
export async function findDebtOfWriter(
  tx: Tx,
  channel: RealChannel,
  { fromPhone, channelUserId, inReplyTo }: Writer,
): Promise<DebtOfWriter | null> {
  const phones = fromPhone === null ? [] : inboundPhones(fromPhone);
  const ofPhone = phones.length === 0 ? undefined : await debtOfPhone(tx, phones, false);
  if (ofPhone !== undefined) return ofPhone;
  const ofUser = channelUserId === null ? undefined : await debtOfChannelUser(tx, channel, channelUserId);
  if (ofUser !== undefined) return ofUser;
  if (inReplyTo === null) return null;
  const messageIds = isUuid(inReplyTo) ? [inReplyTo] : [];
  const answered = await debtOfAnswered(tx, channel, { channelMessageId: inReplyTo, messageIds });
  if (answered === undefined) return null;
  // The phone in use stands for a person who writes by e-mail.
  const phone = channel === 'email' ? answered.debtorPhone : (answered.phone ?? answered.debtorPhone);
  return { ...answered, phone };
}
