import { defineEntity, p } from '@mikro-orm/postgresql';
import { centavos, id } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { Agreement } from './agreement.ts';

const tenancy = tenantTable();

/** One debt of an agreement, with its share of what was agreed. */
export const AgreementDebt = defineEntity({
  name: 'AgreementDebt',
  tableName: 'agreement_debts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    agreementId: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id').deleteRule('cascade'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /** The place in the order in which money is credited, from 1. */
    position: p.integer(),
    /** What was owed on the day of the offer. */
    owedCentavos: centavos(),
    discountCentavos: centavos(),
  },
  uniques: [{ name: 'agreement_debts_position', properties: ['agreementId', 'position'] }],
  indexes: [
    { name: 'agreement_debts_client', properties: ['clientId'] },
    { name: 'agreement_debts_debt', properties: ['debtId'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
