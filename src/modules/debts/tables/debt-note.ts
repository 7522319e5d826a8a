import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, writtenBy } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, retentionPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from './debt.ts';

const tenancy = tenantTable();

/**
 * What the client's staff wrote about a debt: a note, or the reason of a withdrawal. An event of the timeline names it
 * by its id (`noteId`), because the text may name a person and events contain no personal data.
 */
export const DebtNote = defineEntity({
  name: 'DebtNote',
  tableName: 'debt_notes',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    /** Empty once the debtor is erased. */
    text: p.text(),
    memberId: writtenBy(),
    /** The moment of its event, by the debt's own clock. */
    at: instant(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'debt_notes_debt', properties: ['debtId'] },
    { name: 'debt_notes_client', properties: ['clientId'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), retentionPolicy('debt_notes')],
});
