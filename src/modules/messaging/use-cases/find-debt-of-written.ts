import { inboundPhones } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtOfPhone } from '../../debts/queries/debt-phones.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { isPhoneOfAnother, sentPhoneRequest } from '../queries/phone-requests.ts';
import { ASKED_FOR_SILENCE } from '../queries/suppressions.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { type DebtOfWriter, findDebtOfWriter, type Writer } from './find-debt-of-writer.ts';

/** An event that somebody wrote, which only one client receives. */
export type Written = Extract<ChannelEvent, { kind: 'message' | 'opt_out' }>;

export const isWritten = (event: ChannelEvent): event is Written =>
  event.kind === 'message' || event.kind === 'opt_out';

/**
 * Returns when somebody wrote. A channel may tell a message days later, where the service could not be reached. A moment
 * in the future is a mistake of a clock.
 */
export const writtenAt = ({ at }: { readonly at?: Date }, now: Date): Date => (at !== undefined && at < now ? at : now);

const writerOf = (event: Written): Writer => ({
  fromPhone: event.fromPhone,
  channelUserId: event.channelUserId ?? null,
  inReplyTo: event.inReplyTo ?? null,
});

/** What somebody wrote, with the debt that it is about; null when the person has none with the client. */
export interface Found {
  readonly event: Written;
  readonly debt: DebtOfWriter | null;
  /** The request that a card answers, by which alone the debt was found; null for what the person wrote. */
  readonly requestId: string | null;
}

/** Finds the debt of what somebody wrote, by who wrote it or else by the card that answers our request for the phone. */
export async function findDebtOfWritten(
  tx: Tx,
  deps: Pick<ChannelEventDeps, 'personKeys'>,
  channel: ReceivedBy['channel'],
  event: Written,
): Promise<Found> {
  const debt = await findDebtOfWriter(tx, channel, writerOf(event));
  const byCard = debt === null ? await findDebtOfCard(tx, deps, channel, event) : null;
  return { event, debt, requestId: null, ...byCard };
}

/**
 * A card proves nothing: its sender chooses what stands in it. So only one is looked at of somebody whom we have asked,
 * and it leads to nobody who is known to be another person, or who has asked any client for silence.
 */
async function findDebtOfCard(
  tx: Tx,
  { personKeys }: Pick<ChannelEventDeps, 'personKeys'>,
  channel: ReceivedBy['channel'],
  event: Written,
): Promise<Pick<Found, 'debt' | 'requestId'> | null> {
  if (event.kind !== 'message' || event.card?.phone == null) return null;
  const { fromPhone, channelUserId } = event;
  if (fromPhone !== null || channelUserId === null) return null;
  const request = await sentPhoneRequest(tx, { channel, personKey: personKeys.channelUser(channel, channelUserId) });
  if (request === undefined) return null;
  const phones = inboundPhones(event.card.phone);
  const debt = phones.length === 0 ? undefined : await debtOfPhone(tx, phones, false);
  if (debt === undefined) return null;
  const phoneKey = personKeys.phone(debt.phone);
  if (await isPhoneOfAnother(tx, { channel, phoneKey, channelUserId })) return null;
  const keys = { personKeys: [personKeys.person(debt.debtorTaxId)], phoneKeys: [phoneKey] };
  const [silence] = await ASKED_FOR_SILENCE.run(tx, keys);
  return silence?.asked === false ? { debt, requestId: request.id } : null;
}
