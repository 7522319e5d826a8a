import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';

/** The next act of a simulated debtor. It is stored so that it survives a restart. */
export const SandboxAct = defineEntity({
  name: 'SandboxAct',
  tableName: 'sandbox_acts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    kind: p.text().$type<'pay' | 'say'>(),
    text: p.text().nullable(),
    /** The phone on which the simulated debtor acts, in E.164 format. */
    phone: p.text().nullable(),
    /** The moment in real time; a process that performs the act moves it to the end of its lease. */
    dueAt: instant(),
    doneAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'sandbox_acts_due', properties: ['dueAt'], where: 'done_at is null' },
    { name: 'sandbox_acts_debt', properties: ['debtId'] },
    { name: 'sandbox_acts_client', properties: ['clientId'] },
  ],
  checks: [{ name: 'sandbox_acts_kind_known', expression: oneOf('kind', ['pay', 'say']) }],
  ...tenantTable(),
});
