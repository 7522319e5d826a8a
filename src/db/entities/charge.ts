import { defineEntity, p } from '@mikro-orm/postgresql';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-status.ts';
import { Client } from './client.ts';
import { centavos, createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { Debt } from './debt.ts';
import { functionsPolicy, tenantTable } from './tenant-table.ts';

const CHARGE_PROVIDERS = ['sandbox', 'mercadopago'] as const;
export type ChargeProvider = (typeof CHARGE_PROVIDERS)[number];

const tenancy = tenantTable({ debtColumn: 'debt_id' });

/**
 * One Pix charge. Its id is the payment's id, the key that makes asking the provider twice safe, and the reference the
 * provider gives back. Written down before the provider is asked, so that none is lost between asking and storing.
 */
export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /** From 1; a renewed charge is the next one. */
    attempt: p.integer(),
    provider: p.text().$type<ChargeProvider>(),
    providerPaymentId: p.text().nullable(),
    /** The provider's id in lower case: notifications may carry it so. Null until the provider has made the charge. */
    providerPaymentKey: p.text().nullable(),
    status: p.text().$type<PaymentStatus>(),
    /** What is asked for. */
    amountCentavos: centavos(),
    /** What came, however much was asked for. */
    paidCentavos: centavos().default(0),
    refundedCentavos: centavos().default(0),
    brCode: p.text().nullable(),
    /** As asked of the provider, and later as it answered. */
    expiresAt: instant(),
    /** When we were sure of it; from then on it is final. */
    approvedAt: instant().nullable(),
    /** When the provider says that it was paid. */
    paidAt: instant().nullable(),
    endToEndId: p.text().nullable(),
    /** Paid, but less than asked for: the debt stays open. */
    underpaidAt: instant().nullable(),
    chargedBackAt: instant().nullable(),
    /** The debt was paid already when this was: the client pays it back. */
    duplicate: p.boolean().default(false),
    /** Why nothing goes on here, as told on the timeline; null while all is well. */
    problem: p.text().nullable(),
    /** Making it failed: not again before this. */
    retryAt: instant().nullable(),
    lastAskedAt: instant().nullable(),
    /** When the provider is asked without having been told of anything; null: never more. */
    askAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    { name: 'charges_debt_attempt', properties: ['debtId', 'attempt'] },
    { name: 'charges_provider_payment', properties: ['providerPaymentKey', 'provider'] },
  ],
  indexes: [
    { name: 'charges_client', properties: ['clientId'] },
    {
      name: 'charges_settled',
      expression:
        'create index "charges_settled" on "charges" ("client_id", "approved_at", "id") where approved_at is not null and not duplicate and underpaid_at is null',
    },
    { name: 'charges_approved', properties: ['approvedAt'], where: 'approved_at is not null' },
    { name: 'charges_ask', properties: ['askAt'], where: 'ask_at is not null' },
  ],
  checks: [
    { name: 'charges_provider_known', expression: oneOf('provider', CHARGE_PROVIDERS) },
    { name: 'charges_status_known', expression: oneOf('status', PAYMENT_STATUSES) },
    { name: 'charges_amount_positive', expression: 'amount_centavos > 0' },
    { name: 'charges_approved_at', expression: "(status = 'APPROVED') = (approved_at is not null)" },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
