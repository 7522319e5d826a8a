import { defineEntity, p } from '@mikro-orm/postgresql';
import type { SandboxReversal } from '../../../kernel/reversal-kinds.ts';
import { SANDBOX_CHARGE_STATUSES, type SandboxChargeStatus } from '../../../kernel/sandbox-charge-status.ts';
import { centavos, createdAt, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/** A charge at the simulated payment provider. Like the data of a real provider, it refers to no client. */
export const SandboxCharge = defineEntity({
  name: 'SandboxCharge',
  tableName: 'sandbox_charges',
  properties: {
    /** The id is `sbx_` and a UUID. */
    id: p.text().primary(),
    idempotencyKey: p.text(),
    fingerprint: p.text(),
    status: p.text().$type<SandboxChargeStatus>(),
    statusDetail: p.text().nullable(),
    amountCentavos: centavos(),
    paidAmountCentavos: centavos(),
    refundedCentavos: centavos(),
    currency: p.text(),
    externalReference: p.text(),
    brCode: p.text(),
    notificationUrl: p.text(),
    endToEndId: p.text().nullable(),
    expiresAt: instant(),
    paidAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: instant(),
    notifiedAt: instant(),
    /** What went back, one by one. */
    reversals: p.json<readonly SandboxReversal[]>().defaultRaw(`'[]'`),
  },
  uniques: [{ name: 'sandbox_charges_key', properties: ['idempotencyKey'] }],
  indexes: [
    { name: 'sandbox_charges_reference', properties: ['externalReference'] },
    { name: 'sandbox_charges_untold', properties: ['updatedAt'], where: 'notified_at < updated_at' },
  ],
  checks: [{ name: 'sandbox_charges_status_known', expression: oneOf('status', SANDBOX_CHARGE_STATUSES) }],
  ...AUTHENTICATION_TABLE,
});
