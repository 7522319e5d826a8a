import { type Insertable, sql } from 'kysely';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ShownAttachment } from '../rules/shown-entry.ts';

type Attachments = Tables['attachments'];

export const insertAttachment = (
  tx: Tx,
  attachment: Pick<
    Insertable<Attachments>,
    | 'clientId'
    | 'debtId'
    | 'messageId'
    | 'kind'
    | 'channel'
    | 'senderId'
    | 'attachmentId'
    | 'contentType'
    | 'filename'
    | 'state'
  >,
) => queriesIn(tx).insertInto('attachments').values(attachment).execute();

/** Finds the attachments of a debt whose content was not read yet, the newest first: the channel keeps it for days only. */
export const WAITING_ATTACHMENTS = prepared(
  'waiting_attachments',
  (queries, { debtId, limit }: { readonly debtId: string; readonly limit: number }) =>
    queries
      .selectFrom('attachments')
      .select(['id', 'channel', 'senderId', 'attachmentId', 'createdAt'])
      .where('debtId', '=', debtId)
      .where('state', '=', 'waiting')
      .orderBy('createdAt', 'desc')
      .limit(limit),
);

export type WaitingAttachment = ReturnType<typeof WAITING_ATTACHMENTS.rowsOf>[number];

/** Returns nothing when the attachment is gone meanwhile, or was read by another attempt. */
export const storeAttachment = (
  tx: Tx,
  id: string,
  read: { readonly sealed: string; readonly contentType: string; readonly bytes: number },
) =>
  queriesIn(tx)
    .updateTable('attachments')
    .set({ ...read, state: 'stored', readAt: NOW })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();

export const setAttachmentAbsent = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('attachments')
    .set({ state: 'absent', readAt: NOW })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();

export const STORED_ATTACHMENT = prepared(
  'stored_attachment',
  (queries, { debtId, id }: { readonly debtId: string; readonly id: string }) =>
    queries
      .selectFrom('attachments')
      .select(['contentType', 'sealed'])
      .where('id', '=', id)
      .where('debtId', '=', debtId)
      .where('state', '=', 'stored'),
);

/** The attachments of a row of `messages`, as the timeline shows them; null for a message without one. */
export const ATTACHMENTS_OF_MESSAGE = sql<readonly ShownAttachment[] | null>`(
  select json_agg(json_build_object('id', attachments.id, 'kind', attachments.kind,
    'contentType', attachments.content_type, 'filename', attachments.filename, 'bytes', attachments.bytes, 'state', attachments.state)
    order by attachments.created_at, attachments.id)
  from attachments where attachments.message_id = messages.id)`;
