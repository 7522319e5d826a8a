import { defineEntity, p } from '@mikro-orm/postgresql';
import { ATTACHMENT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import {
  ATTACHMENT_KINDS,
  ATTACHMENT_STATES,
  type AttachmentKind,
  type AttachmentState,
} from '../../debts/rules/attachment-kinds.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { Message } from './message.ts';

const tenancy = tenantTable();

/** A file or place that a debtor sent with a message. Its content is encrypted, and purged with its row. */
export const Attachment = defineEntity({
  name: 'Attachment',
  tableName: 'attachments',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    messageId: () => p.manyToOne(Message).mapToPk().fieldName('message_id'),
    kind: p.text().$type<AttachmentKind>(),
    channel: p.text(),
    /** The sender of the client that received it, by whose credentials the content is read. */
    senderId: p.text(),
    /** By which the channel gives the content; null when it sends none. */
    attachmentId: p.text().nullable(),
    contentType: p.text().nullable(),
    /** The debtor's name of the file, which is personal data. */
    filename: p.text().nullable(),
    state: p.text().$type<AttachmentState>().default('waiting'),
    /** The content that `src/kernel/ports/credential-cipher.ts` has sealed, bound to client and attachment. */
    sealed: p.text().nullable(),
    bytes: p.integer().nullable(),
    createdAt: createdAt(),
    readAt: instant().nullable(),
  },
  indexes: [
    { name: 'attachments_message', properties: ['messageId'] },
    { name: 'attachments_debt', properties: ['debtId', 'createdAt'] },
    { name: 'attachments_client', properties: ['clientId'] },
    { name: 'attachments_created', properties: ['createdAt'] },
  ],
  checks: [
    { name: 'attachments_kind_known', expression: oneOf('kind', ATTACHMENT_KINDS) },
    { name: 'attachments_state_known', expression: oneOf('state', ATTACHMENT_STATES) },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${ATTACHMENT_DAYS} days'::interval)`),
  ],
});
