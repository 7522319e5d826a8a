import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, instant } from './columns.ts';
import { Debt } from './debt.ts';
import type { MessageDocument } from './message.ts';
import { tenantTable } from './tenant-table.ts';

/** What the sandbox's channel and mailer would have sent. Its id is the message's: a message is there once. */
export const SandboxOutbox = defineEntity({
  name: 'SandboxOutbox',
  tableName: 'sandbox_outbox',
  properties: {
    id: id(),
    /** The order of sending, for cursors. */
    seq: p.bigint('number').autoincrement(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** Null for a mail to the client itself, such as a new password's. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').nullable(),
    channel: p.text(),
    to: p.text().fieldName('recipient'),
    purpose: p.text(),
    text: p.text(),
    document: p.json<MessageDocument>().nullable(),
    at: instant(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'sandbox_outbox_client_seq', properties: ['clientId', 'seq'] },
    { name: 'sandbox_outbox_debt_seq', properties: ['debtId', 'seq'] },
  ],
  ...tenantTable(),
});
