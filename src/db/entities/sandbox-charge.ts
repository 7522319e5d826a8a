import { defineEntity, p } from '@mikro-orm/postgresql';
import { centavos, createdAt, instant, oneOf } from './columns.ts';

const SANDBOX_CHARGE_STATUSES = ['pending', 'approved', 'cancelled', 'refunded', 'charged_back'] as const;
export type SandboxChargeStatus = (typeof SANDBOX_CHARGE_STATUSES)[number];

/** What the simulated payment provider remembers: another company's table, as it were, so it knows no client of ours. */
export const SandboxCharge = defineEntity({
  name: 'SandboxCharge',
  tableName: 'sandbox_charges',
  properties: {
    /** `sbx_` and a UUID. */
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
  },
  uniques: [{ name: 'sandbox_charges_key', properties: ['idempotencyKey'] }],
  indexes: [
    { name: 'sandbox_charges_reference', properties: ['externalReference'] },
    { name: 'sandbox_charges_untold', properties: ['updatedAt'], where: 'notified_at < updated_at' },
  ],
  checks: [{ name: 'sandbox_charges_status_known', expression: oneOf('status', SANDBOX_CHARGE_STATUSES) }],
});
