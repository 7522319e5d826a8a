import { DAY } from '../../../kernel/calendar.ts';
import { isRealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  setAttachmentAbsent,
  storeAttachment,
  WAITING_ATTACHMENTS,
  type WaitingAttachment,
} from '../../debts/queries/attachments.ts';
import { MessagingError } from '../../messaging/ports/messaging-channel.ts';
import type { CollectionDeps } from '../deps.ts';
import { attachmentContext } from '../staff/read-attachment.ts';

/** A larger file is not kept. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The most that one turn reads; the rest is read with the next one. */
const MAX_FILES = 10;
const MAX_MS = 20_000;
/** Channels keep a file for a few days, Meta for seven. */
const KEPT_MS = 7 * DAY;

interface DebtId {
  readonly clientId: string;
  readonly debtId: string;
}

type ReadDeps = Pick<CollectionDeps, 'db' | 'now' | 'files' | 'note'>;

/**
 * Reads the files of a debt from their channels, and stores them sealed. It comes after the answer, which waits for no
 * file. A failure is of no consequence: the next turn tries again.
 */
export async function readAttachments(deps: ReadDeps, { clientId, debtId }: DebtId): Promise<void> {
  const from = deps.now().getTime();
  const waiting = await deps.db.readPrepared({ clientId }, WAITING_ATTACHMENTS, { debtId, limit: MAX_FILES });
  for (const attachment of waiting) {
    if (deps.now().getTime() - from > MAX_MS) return;
    const store = await readOne(deps, clientId, attachment);
    if (store !== null) await deps.db.tenant(clientId).transactional(store);
  }
}

type Store = (tx: Tx) => Promise<unknown>;

/** Returns how to store what was read, or null when it has to be read again. */
async function readOne(
  { files, now, note }: ReadDeps,
  clientId: string,
  { id, channel: name, senderId, attachmentId, createdAt }: WaitingAttachment,
): Promise<Store | null> {
  const absent: Store = (tx) => setAttachmentAbsent(tx, id);
  if (attachmentId === null || now().getTime() - createdAt.getTime() > KEPT_MS) return absent;
  const channel = files.channelOf(name);
  if (channel === undefined || !isRealChannel(name)) return null;
  if (channel.readAttachment === undefined) return absent;
  try {
    const credentials = await files.credentialsOf(clientId, name, senderId);
    if (credentials === null) return null;
    const { content, contentType } = await channel.readAttachment(attachmentId, credentials, MAX_BYTES);
    const sealed = files.cipher.seal(Buffer.from(content).toString('base64'), attachmentContext(clientId, id));
    return (tx) => storeAttachment(tx, id, { sealed, contentType, bytes: content.byteLength });
  } catch (error) {
    if (error instanceof MessagingError && error.kind === 'rejected') return absent;
    const kind = error instanceof MessagingError ? error.kind : 'failed';
    note('A file that a debtor sent could not be read, and is tried again.', { clientId, channel: name, kind });
    return null;
  }
}
