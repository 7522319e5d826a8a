import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { TIMELINE_TRIGGER } from '../../../platform/database/tables/event-triggers.ts';
import { retentionPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from './debt.ts';

export const DEBT_EVENT_KINDS = [
  'needs_person',
  'note',
  'verdict',
  'charge_created',
  'message_sent',
  'message_received',
  'status_changed',
  'debt_changed',
  'payment_approved',
  'payment_duplicate',
  'payment_changed',
  'receipt_issued',
  'email_sent',
] as const;
export type DebtEventKind = (typeof DEBT_EVENT_KINDS)[number];

/**
 * The purge of ended debts keeps these: how the debt ended, and the money, which the client's accounts show for ever.
 * None of them refers to a message or holds a text.
 */
export const LASTING_EVENT_KINDS: readonly DebtEventKind[] = [
  'status_changed',
  'payment_approved',
  'payment_duplicate',
  'payment_changed',
  'receipt_issued',
];

const tenancy = tenantTable();

/**
 * The timeline of a debt, in the order of `seq`. Only `src/modules/debts/use-cases/record-events.ts` and statements that move
 * many debts write it, under a lock of the debt's row, so that `at` never decreases. It has no personal data: an event
 * refers to its text in `messages` or `debt_notes`. Steps that all debts of a campaign take at once (imported, queued, scored) have no
 * event here.
 */
export const DebtEvent = defineEntity({
  name: 'DebtEvent',
  tableName: 'debt_events',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    /** The moment by the debt's own clock. */
    at: instant(),
    kind: p.text().$type<DebtEventKind>(),
    data: p.json<Readonly<Record<string, unknown>>>(),
  },
  indexes: [
    { name: 'debt_events_debt_seq', properties: ['debtId', 'seq'] },
    { name: 'debt_events_client', properties: ['clientId'] },
    // For the settlement report, which lists the money that went back.
    { name: 'debt_events_payment_changes', properties: ['clientId', 'at'], where: "kind = 'payment_changed'" },
  ],
  checks: [{ name: 'debt_events_kind_known', expression: oneOf('kind', DEBT_EVENT_KINDS) }],
  triggers: [TIMELINE_TRIGGER],
  ...tenancy,
  policies: [...tenancy.policies, retentionPolicy('debt_events')],
});
