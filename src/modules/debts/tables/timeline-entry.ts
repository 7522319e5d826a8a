import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, oneOf, writtenBy } from '../../../platform/database/tables/columns.ts';
import { TIMELINE_TRIGGERS } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, retentionPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { TIMELINE_KINDS, type TimelineKind } from '../rules/timeline-entry.ts';
import { Debt } from './debt.ts';

const tenancy = tenantTable();

/**
 * The timeline of a debt, in the order of `seq`. Only `src/modules/debts/use-cases/record-entries.ts` and statements that
 * move many debts write it, under a lock of the debt's row, so that `at` never decreases. It has no personal data: an
 * entry refers to its text in `messages` or `debt_notes`. Steps that all debts of a campaign take at once (imported,
 * queued, scored) have no entry here.
 */
export const TimelineEntry = defineEntity({
  name: 'TimelineEntry',
  tableName: 'debt_events',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    /** The moment by the debt's own clock. */
    at: instant(),
    kind: p.text().$type<TimelineKind>(),
    /** The other members of the entry. `../queries/debt-events.ts` alone writes and reads it. */
    data: p.json<object>(),
    memberId: writtenBy(),
  },
  indexes: [
    { name: 'debt_events_debt_seq', properties: ['debtId', 'seq'] },
    { name: 'debt_events_client', properties: ['clientId'] },
    // For the settlement report, which lists the money that went back.
    { name: 'debt_events_payment_changes', properties: ['clientId', 'at'], where: "kind = 'payment_changed'" },
  ],
  checks: [{ name: 'debt_events_kind_known', expression: oneOf('kind', TIMELINE_KINDS) }],
  triggers: TIMELINE_TRIGGERS,
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), retentionPolicy('debt_events')],
});
