import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';

/**
 * A message that the sandbox's channel or mailer would have sent. It has the id of the message, so it is stored once.
 */
export const SandboxOutbox = defineEntity({
  name: 'SandboxOutbox',
  tableName: 'sandbox_outbox',
  properties: {
    id: id(),
    /** The order of sending, for cursors. */
    seq: p.bigint('number').autoincrement(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** Null for a mail to the client itself, such as a password reset. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').nullable(),
    channel: p.text(),
    recipient: p.text(),
    purpose: p.text(),
    text: p.text(),
    document: p.json<ShownDocument>().nullable(),
    /** The Pix code that the debtor could copy in the message. */
    pixCode: p.text().nullable(),
    at: instant(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'sandbox_outbox_client_seq', properties: ['clientId', 'seq'] },
    { name: 'sandbox_outbox_debt_seq', properties: ['debtId', 'seq'] },
  ],
  ...tenantTable(),
});
