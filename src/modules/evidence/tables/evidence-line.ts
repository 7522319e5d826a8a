import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { ERASURE_DUTIES, type ErasureDuty } from '../rules/erasure-duties.ts';

const tenancy = tenantTable();

/**
 * The chain of a debt: a line for each entry of its timeline and for each change of delivery, numbered from 1 in the
 * order of writing. Triggers write it in the transaction of the entry (`src/platform/database/routines/evidence.sql`),
 * and nobody else may. Nothing but an erasure changes a line, and nothing deletes one.
 */
export const EvidenceLine = defineEntity({
  name: 'EvidenceLine',
  tableName: 'evidence_lines',
  properties: {
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').primary().deleteRule('cascade'),
    seq: p.integer().primary(),
    /** By the debt's own clock, and never before the line before it. */
    at: instant(),
    kind: p.text(),
    contentHash: p.blob(),
    /** Covers the hash of the line before. */
    hash: p.blob(),
    /** Null once the content is erased, so that nobody can guess it from its hash. */
    salt: p.blob().nullable(),
    /** The rest of the entry with the words that belong to it, as canonical JSON (RFC 8785). */
    content: p.text().nullable(),
    erasedAt: instant().nullable(),
    erasedFor: p.text().$type<ErasureDuty>().nullable(),
  },
  indexes: [{ name: 'evidence_lines_client', properties: ['clientId'] }],
  checks: [
    { name: 'evidence_lines_duty_known', expression: oneOf('erased_for', ERASURE_DUTIES) },
    {
      name: 'evidence_lines_whole_or_erased',
      expression:
        '(content is null) = (salt is null) and (content is null) = (erased_at is not null) and (content is null) = (erased_for is not null)',
    },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), functionsPolicy('insert')],
});
