import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { CORRECTIONS, type Correction, INTEREST_KINDS, type InterestKind } from '../rules/late-payment-terms.ts';

/** One version of what a client charges for late payment. No row ever changes, because debts keep the version they took. */
export const LatePaymentTermsVersion = defineEntity({
  name: 'LatePaymentTermsVersion',
  tableName: 'late_payment_terms',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The order of storing: of two versions that begin on one day the later one counts. */
    version: p.integer(),
    effectiveFrom: p.date(),
    /** Percentages are in hundredths of a percent, so that they are exact. */
    fineBasisPoints: p.integer(),
    interestKind: p.text().$type<InterestKind>(),
    interestBasisPoints: p.integer().nullable(),
    correction: p.text().$type<Correction>(),
    graceDays: p.integer(),
    businessDayShift: p.boolean(),
    clause: p.text().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'late_payment_terms_version', properties: ['clientId', 'version'] }],
  checks: [
    { name: 'late_payment_terms_version_counts', expression: 'version > 0' },
    { name: 'late_payment_terms_fine_lawful', expression: 'fine_basis_points >= 0 and fine_basis_points <= 200' },
    {
      name: 'late_payment_terms_interest_lawful',
      expression: 'interest_basis_points >= 0 and interest_basis_points <= 100',
    },
    { name: 'late_payment_terms_interest_known', expression: oneOf('interest_kind', INTEREST_KINDS) },
    { name: 'late_payment_terms_correction_known', expression: oneOf('correction', CORRECTIONS) },
    { name: 'late_payment_terms_grace_bounded', expression: 'grace_days >= 0 and grace_days <= 30' },
  ],
  ...tenantTable(),
});
