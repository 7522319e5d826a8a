import { defineEntity, p } from '@mikro-orm/postgresql';
import { DEBT_STATUSES, type DebtStatus } from '../../domain/debt-status.ts';
import type { ScoreReason } from '../../domain/score.ts';
import { Campaign } from './campaign.ts';
import { Client } from './client.ts';
import { centavos, createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { DEBT_COUNT_TRIGGERS } from './debt-count-triggers.ts';
import { functionsPolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable({ debtColumn: 'id' });

export const Debt = defineEntity({
  name: 'Debt',
  tableName: 'debts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    /** The order of import, from 1, over all imports into the campaign. */
    position: p.integer(),
    debtorName: p.text(),
    /** E.164. */
    debtorPhone: p.text(),
    /** Eleven digits. */
    debtorCpf: p.text(),
    debtorEmail: p.text().nullable(),
    originalAmountCentavos: centavos(),
    dueDate: p.date(),
    invoiceId: p.text().nullable(),
    status: p.text().$type<DebtStatus>(),
    /** Of the world it is collected in; decided at launch. */
    sandbox: p.boolean().default(false),
    score: p.integer().nullable(),
    /** Why the score is what it is (LGPD art. 20). */
    scoreReasons: p.json<readonly ScoreReason[]>().nullable(),
    scoredAt: instant().nullable(),
    /** How far the debt's own clock runs ahead of the real one; only the sandbox's does. */
    clockOffsetMs: p.bigint('number').default(0),
    /** The timeline never goes back behind this. */
    lastEventAt: instant().nullable(),
    /** Steps of the sequence that are done. */
    step: p.integer().default(0),
    nextContactAt: instant().nullable(),
    /** The date the debtor named, in the debtor's zone. */
    promisedFor: p.date().nullable(),
    saidPaidAt: instant().nullable(),
    /** This phone was said to be somebody else's: nothing of the debt is shown to whoever holds it. */
    wrongPersonAt: instant().nullable(),
    /** The last verdict was the campaign's or the client's pause: the schedule that wakes such debts looks for it. */
    pausedAt: instant().nullable(),
    erasedAt: instant().nullable(),
    /** HMAC(CPF) of an erased debtor, so that an erased debt that was paid is still known as a duplicate. */
    erasedPersonKey: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'debts_campaign_position', properties: ['campaignId', 'position'] }],
  indexes: [
    {
      name: 'debts_client_invoice',
      expression:
        'create index "debts_client_invoice" on "debts" ("client_id", "invoice_id" text_pattern_ops) where invoice_id is not null',
    },
    // What tells most comes first. Statistics do not know a new client yet: they promise PostgreSQL one row for any index
    // that begins with the client, and it took one of 50,000 rows for each of 50,000 look-ups.
    { name: 'debts_person', properties: ['debtorCpf', 'clientId', 'originalAmountCentavos', 'dueDate'] },
    { name: 'debts_phone', properties: ['debtorPhone', 'clientId'] },
    { name: 'debts_campaign_status_position', properties: ['campaignId', 'status', 'position'] },
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
    { name: 'debts_paused', properties: ['pausedAt'], where: 'paused_at is not null' },
  ],
  checks: [
    { name: 'debts_status_known', expression: oneOf('status', DEBT_STATUSES) },
    { name: 'debts_amount_positive', expression: 'original_amount_centavos > 0' },
  ],
  triggers: DEBT_COUNT_TRIGGERS,
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
