import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { INBOX_REASONS, type InboxReason } from '../rules/inbox-reasons.ts';
import { Debt } from './debt.ts';

/**
 * A debt that waits for the client's staff. An item is written in the transaction of the change that causes it and
 * closed in that of the change that ends it. The same reason later is another item. It has no personal data.
 */
export const InboxItem = defineEntity({
  name: 'InboxItem',
  tableName: 'inbox_items',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    reason: p.text().$type<InboxReason>(),
    /** In real time, also for a sandbox debt: staff compare waits with each other, and sandbox clocks run apart. */
    since: createdAt(),
    closedAt: instant().nullable(),
    /** The item is hidden until then. */
    snoozedUntil: instant().nullable(),
    /** Staff have answered the person: the item waits for the person until then, in real time. */
    waitingUntil: instant().nullable(),
    /** Until when the client can act, such as the end of the term in which a return may be contested. */
    dueAt: instant().nullable(),
    /** The member who has taken the case, or was given it. All open items of a debt have the same. */
    assigneeId: p.uuid().nullable(),
    /** When a digest was handed to the mail server, or booked for that. */
    toldAt: instant().nullable(),
    /** The mail that told it; also the beginning of its Message-ID. */
    digestId: p.uuid().nullable(),
  },
  indexes: [
    { name: 'inbox_items_debt', properties: ['debtId'] },
    { name: 'inbox_items_told', properties: ['clientId', 'toldAt'] },
    {
      name: 'inbox_items_open',
      expression:
        'create unique index "inbox_items_open" on "inbox_items" ("debt_id", "reason") where closed_at is null',
    },
    // The order of the list: disputes first, then the longest wait.
    {
      name: 'inbox_items_order',
      expression:
        'create index "inbox_items_order" on "inbox_items" ("client_id", (reason <> \'disputed\'), "since", "id") where closed_at is null',
    },
    { name: 'inbox_items_reason', properties: ['clientId', 'reason', 'since', 'id'], where: 'closed_at is null' },
    {
      name: 'inbox_items_assignee',
      properties: ['clientId', 'assigneeId'],
      where: 'closed_at is null and assignee_id is not null',
    },
    { name: 'inbox_items_untold', properties: ['clientId', 'since'], where: 'told_at is null and closed_at is null' },
  ],
  checks: [{ name: 'inbox_items_reason_known', expression: oneOf('reason', INBOX_REASONS) }],
  ...tenantTable(),
});
