import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  CONTINUED_DEBT_STATUSES,
  DEBT_STATUSES,
  type DebtStatus,
  ENDED_DEBT_STATUSES,
  LIVE_DEBT_STATUSES,
} from '../../../kernel/debt-status.ts';
import { centavos, createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { DEBT_EVENT_TRIGGERS } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { ScoreReason } from '../rules/score.ts';
import { Campaign } from './campaign.ts';

/** The triggers that update `campaign_status_counts` and `campaign_due_counts`. */
const countOn = (event: 'insert' | 'update' | 'delete', tables: string, condition = '') => ({
  name: `debts_counted_on_${event}`,
  timing: 'after' as const,
  events: [event],
  forEach: 'statement' as const,
  expression: `create trigger "debts_counted_on_${event}" after ${event} on "debts" referencing ${tables} for each statement ${condition}execute function count_debts_by_status()`,
});

// There is one trigger for each event, because only a trigger of one event and all columns may have transition tables.
const DEBT_COUNT_TRIGGERS = [
  countOn('insert', 'new table as added'),
  // Triggers update a debt only to number its events, which changes no count.
  countOn('update', 'old table as removed new table as added', 'when (pg_trigger_depth() = 0) '),
  countOn('delete', 'old table as removed'),
];

const tenancy = tenantTable({ debtColumn: 'id' });

/** Live debts that wait for no pause. */
const WAITING_DEBT = `status in (${LIVE_DEBT_STATUSES.map((status) => `'${status}'`).join(', ')}) and paused_at is null`;

// The spelling is that of PostgreSQL's catalogue, because the schema would otherwise seem to differ from the entities.
const RETENTION_FROM = `CASE
    WHEN ((status = ANY (ARRAY[${ENDED_DEBT_STATUSES.map((status) => `'${status}'::text`).join(', ')}])) AND ((timeline_purged_at IS NULL) OR (timeline_purged_at < updated_at))) THEN updated_at
    ELSE NULL::timestamp with time zone
END`;

export const Debt = defineEntity({
  name: 'Debt',
  tableName: 'debts',
  properties: {
    id: id(),
    /** The client of the campaign; the one foreign key of both costs an import half of what two would. */
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id').createForeignKeyConstraint(false),
    campaignId: () =>
      p
        .manyToOne(Campaign)
        .mapToPk()
        .joinColumns('campaign_id', 'client_id')
        .referencedColumnNames('id', 'client_id')
        .ownColumns('campaign_id')
        .columnTypes('uuid', 'uuid'),
    /** The order of import, from 1, over all imports into the campaign. */
    position: p.integer(),
    debtorName: p.text(),
    /** The name as searches compare it, made by `nameKeyOf`; empty once the debtor is erased. */
    nameKey: p.text().default(''),
    /** The phone in use, in E.164 format. Further phones are in `debt_phones`. */
    debtorPhone: p.text(),
    /** The CPF of a person (11 digits) or the CNPJ of a company (14 characters); empty once the debtor is erased. */
    debtorTaxId: p.text(),
    /** The e-mail address in use. */
    debtorEmail: p.text().nullable(),
    /** The e-mail addresses of a debt that has several, in the order in which the client gave them. */
    debtorEmails: p.array<string>().columnType('text[]').nullable(),
    originalAmountCentavos: centavos(),
    dueDate: p.date(),
    /**
     * The version of the terms of late payment that the debt took at its launch; null when nothing is charged, and in a
     * draft. No version is ever deleted, so that an import needs no foreign key to check.
     */
    termsId: p.uuid().nullable(),
    /**
     * The agreement that says what is owed of the debt: an active one, or a broken one under which the agreed rest stays
     * owed. The module of agreements comes after this one.
     */
    agreementId: p.uuid().nullable(),
    invoiceId: p.text().nullable(),
    /** When the debtor agreed, as `YYYY-MM-DD` or as a moment in UTC: clients often know the day only. */
    consentAt: p.text().nullable(),
    /** How the debtor agreed, in the client's words. */
    consentSource: p.text().nullable(),
    /** What the debt is for, in words that the debtor may read. */
    description: p.text().nullable(),
    /** The invoice without regard to capitals, by which two imports of one debt are recognised. */
    invoiceKey: p.text().nullable(),
    /** Rows of one debt share it: a debt that has ended may be imported again. */
    identityId: p.uuid().defaultRaw('gen_random_uuid()'),
    /**
     * The row that an import made of this debt after this row had ended. The row without it is the current one: it alone
     * is collected, shown, paid and asked for.
     */
    continuedBy: p.uuid().nullable(),
    /** Amount and due date as they were imported, once the client has corrected one of them. */
    importedAmountCentavos: centavos().nullable(),
    importedDueDate: p.date().nullable(),
    /** When staff began a new sequence for the debt, by the debt's own clock. */
    restartedAt: instant().nullable(),
    /** When a correction removed what had ended the debt, so that staff may begin a new sequence at once. */
    endCorrectedAt: instant().nullable(),
    status: p.text().$type<DebtStatus>(),
    /** Whether the debt is collected in the sandbox, which the launch decides. */
    sandbox: p.boolean().default(false),
    score: p.integer().nullable(),
    /** The reasons of the score (LGPD art. 20). */
    scoreReasons: p.json<readonly ScoreReason[]>().nullable(),
    scoredAt: instant().nullable(),
    /** How far the debt's own clock is ahead of real time; it is 0 outside the sandbox. */
    clockOffsetMs: p.bigint('number').default(0),
    /** The moment of the latest event; no later event has an earlier moment. */
    lastEventAt: instant().nullable(),
    /** The number of steps of the sequence that are done. */
    step: p.integer().default(0),
    nextContactAt: instant().nullable(),
    /** True after the settings of the campaign have changed, until the next contact is planned by the new ones. */
    /** The moment of the last reminder before the due date, by the debt's own clock: each day has one at most. */
    remindedAt: instant().nullable(),
    isPlanOutdated: p.boolean().default(false),
    /** When the phone was reported to belong to another person, to whom nothing of the debt may be shown. */
    wrongPersonAt: instant().nullable(),
    /**
     * When a phone that may have got the address of the debt's page turned out to belong to another person. The page
     * shows nothing since then, and messages lead to the person's page, which has a new address.
     */
    pageClosedAt: instant().nullable(),
    /**
     * Set when the last verdict was a pause of campaign or client; the schedule that wakes such debts finds them by it.
     */
    pausedAt: instant().nullable(),
    /** When timeline and messages were last purged. */
    timelinePurgedAt: instant().nullable(),
    /**
     * The last change of an ended debt, from which the retention of its timeline and messages counts. Null while the debt
     * is open, and after the purge until the debt changes again.
     */
    retentionFrom: instant().generated(`(${RETENTION_FROM}) stored`).nullable(),
    erasedAt: instant().nullable(),
    /** HMAC(CPF or CNPJ) of an erased debtor, so that an erased and paid debt is still recognised as a duplicate. */
    erasedPersonKey: p.text().nullable(),
    /** The number of the last event that its client was told; its import is the first one. */
    eventCount: p.bigint('number').default(1),
    /** The member who imported it: `ACTING_MEMBER`. */
    importedBy: p.uuid().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    // Indexes of the campaign are written out, because the property would add the client, with which it is one key.
    {
      name: 'debts_campaign_position',
      expression: 'create unique index "debts_campaign_position" on "debts" ("campaign_id", "position")',
    },
    {
      name: 'debts_client_invoice_key',
      expression:
        'create index "debts_client_invoice_key" on "debts" ("client_id", "invoice_key" text_pattern_ops) where invoice_key is not null',
    },
    // Serves beginnings of names and the order by name. Every search without another filter uses it too, because it has
    // all debts of a client.
    {
      name: 'debts_client_name',
      expression: 'create index "debts_client_name" on "debts" ("client_id", "name_key" collate "C", "id")',
    },
    {
      name: 'debts_invoice_key',
      properties: ['invoiceKey', 'clientId'],
      where: 'invoice_key is not null',
    },
    // It finds the rows of a debt, and lets one of them be the current one, which nothing continues.
    {
      name: 'debts_current',
      expression: 'create unique index "debts_current" on "debts" ("identity_id", "continued_by") nulls not distinct',
    },
    {
      name: 'debts_imported_as',
      properties: ['debtorTaxId', 'clientId', 'importedAmountCentavos', 'importedDueDate'],
      where: 'imported_amount_centavos is not null',
    },
    // The most selective column comes first: until ANALYZE has run for a new client, the planner estimates one row for
    // every index that begins with the client, and it chose one with 50,000 rows for each of 50,000 lookups.
    { name: 'debts_person', properties: ['debtorTaxId', 'clientId', 'originalAmountCentavos', 'dueDate'] },
    { name: 'debts_phone', properties: ['debtorPhone', 'clientId'] },
    {
      name: 'debts_campaign_status_position',
      expression: 'create index "debts_campaign_status_position" on "debts" ("campaign_id", "status", "position")',
    },
    {
      name: 'debts_campaign_queue',
      expression:
        'create index "debts_campaign_queue" on "debts" ("campaign_id", "score" desc, "id" desc) where status = \'QUEUED\' and scored_at is not null',
    },
    {
      name: 'debts_erased_person',
      properties: ['erasedPersonKey', 'clientId'],
      where: 'erased_person_key is not null',
    },
    // It finds debts that came into a running campaign, among many that are queued and have their plan.
    {
      name: 'debts_unplanned',
      expression:
        'create index "debts_unplanned" on "debts" ("campaign_id", "position") where status = \'QUEUED\' and next_contact_at is null and paused_at is null',
    },
    // These two find the debts whose workflow should have worked: see `src/modules/collection/queries/lost-workflows.ts`.
    {
      name: 'debts_next_contact',
      properties: ['nextContactAt'],
      where: `${WAITING_DEBT} and not sandbox`,
    },
    // `updated_at` is not indexed, because every event of a timeline changes it.
    {
      name: 'debts_without_moment',
      properties: ['id'],
      where: `${WAITING_DEBT} and (sandbox or next_contact_at is null)`,
    },
    // It has only ended debts, so that imports and contacts do not write it. An index on `updated_at` would be written by
    // every event of a timeline, whatever its condition.
    {
      name: 'debts_retention',
      properties: ['clientId', 'retentionFrom', 'id'],
      where: 'retention_from is not null',
    },
    { name: 'debts_paused', properties: ['pausedAt'], where: 'paused_at is not null' },
  ],
  checks: [
    { name: 'debts_status_known', expression: oneOf('status', DEBT_STATUSES) },
    { name: 'debts_amount_positive', expression: 'original_amount_centavos > 0' },
    {
      name: 'debts_continued_ended',
      expression: `continued_by is null or ${oneOf('status', CONTINUED_DEBT_STATUSES)}`,
    },
    {
      name: 'debts_imported_whole',
      expression: '(imported_amount_centavos is null) = (imported_due_date is null)',
    },
    { name: 'debts_consent_dated', expression: 'consent_source is null or consent_at is not null' },
  ],
  triggers: [...DEBT_COUNT_TRIGGERS, ...DEBT_EVENT_TRIGGERS],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), functionsPolicy('update')],
});
