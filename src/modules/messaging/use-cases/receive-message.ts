import { randomUUID } from 'node:crypto';
import { storable } from '../../../kernel/received-text.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { insertAttachment } from '../../debts/queries/attachments.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, rowForDebtor } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ReceivedAttachment } from '../ports/channel-webhook.ts';
import { insertReceivedMessage } from '../queries/messages.ts';
import { CHANNEL_OPT_OUT_TEXT } from '../texts/timeline-texts.ts';

export interface ReceivedMessage {
  readonly clientId: string;
  readonly debtId: string;
  readonly channel: string;
  /** The debtor's phone that it came from. Without it the phone in use is meant, as for a button of the page. */
  readonly phone?: string | undefined;
  /** The sender of the client that received it. */
  readonly senderId?: string;
  /** A repeated delivery of the same message has the same id. */
  readonly channelMessageId: string;
  readonly text: string;
  /** The intent of the button that the debtor pressed. */
  readonly button?: Intent | null;
  /** How long the text was before it was cut. */
  readonly cutFrom?: number | null;
  /** The file or place that came with the text, or without one. */
  readonly attachment?: ReceivedAttachment | null;
}

/**
 * Stores a debtor's message in any status of the debt and wakes the debt's workflow, which understands and answers it. A
 * message about a row that an import has continued is about the current row, unless that names another person.
 */
export async function storeReceived(
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'workflows'>,
  message: ReceivedMessage,
): Promise<'stored' | 'repeated' | 'unknown_debt'> {
  const named = await loadDebt(tx, message.debtId);
  const debt = named === null ? null : await loadDebt(tx, rowForDebtor(named), { forUpdate: true });
  if (debt === null || debt.erased) return 'unknown_debt';
  const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
  const id = randomUUID();
  const stored = await insertReceivedMessage(tx, {
    id,
    clientId: debt.clientId,
    debtId: debt.id,
    channel: message.channel,
    phone: message.phone ?? debt.debtorPhone,
    text: message.text,
    senderId: message.senderId ?? null,
    button: message.button ?? null,
    cutFrom: message.cutFrom ?? null,
    channelMessageId: message.channelMessageId,
    at: new Date(at),
  });
  if (stored === undefined) return 'repeated';
  if (message.attachment != null) await storeAttachment(tx, debt, { ...message, id }, message.attachment);
  await recordEntries(tx, debt.id, at, [{ kind: 'message_received', messageId: id, channel: message.channel }]);
  await countInCampaign(tx, debt, { messagesReceived: 1 });
  await addOutbox(tx, deps.workflows.wakeDebt(debt, 'messageReceived'));
  return 'stored';
}

const MAX_NAME = 255;

/** The worker reads the content later, when the channel has one to give. */
const storeAttachment = (
  tx: Tx,
  debt: DebtContext,
  message: Pick<ReceivedMessage, 'channel' | 'senderId'> & { readonly id: string },
  { kind, attachmentId, contentType, filename }: ReceivedAttachment,
) =>
  insertAttachment(tx, {
    clientId: debt.clientId,
    debtId: debt.id,
    messageId: message.id,
    channel: message.channel,
    senderId: message.senderId ?? '',
    kind,
    attachmentId: shortened(attachmentId),
    contentType: shortened(contentType),
    filename: shortened(filename),
    state: attachmentId === null ? 'absent' : 'waiting',
  });

const shortened = (text: string | null): string | null => (text === null ? null : storable(text.slice(0, MAX_NAME)));

export const receiveMessage =
  (deps: Pick<SharedDeps, 'db' | 'now' | 'workflows'>) =>
  (message: ReceivedMessage): Promise<'stored' | 'repeated' | 'unknown_debt'> =>
    deps.db.tenant(message.clientId).transactional((tx) => storeReceived(tx, deps, message));

/** Stores that the person asked the channel itself for silence, as a message that says so. */
export const storeOptOut = (
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'workflows'>,
  optOut: {
    readonly clientId: string;
    readonly debtId: string;
    readonly channel: string;
    readonly phone?: string;
    readonly channelMessageId: string;
  },
): Promise<'stored' | 'repeated' | 'unknown_debt'> =>
  storeReceived(tx, deps, { ...optOut, text: CHANNEL_OPT_OUT_TEXT, button: 'opt_out' });
