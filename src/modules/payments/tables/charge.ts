import { defineEntity, p } from '@mikro-orm/postgresql';
import { PAYMENT_METHODS, type PaymentMethod } from '../../../kernel/payment-methods.ts';
import { PAYMENT_SOURCES, type PaymentSource } from '../../../kernel/payment-providers.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../kernel/payment-status.ts';
import {
  centavos,
  createdAt,
  id,
  instant,
  oneOf,
  updatedAt,
  writtenBy,
} from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Agreement } from '../../agreements/tables/agreement.ts';
import { Debt } from '../../debts/tables/debt.ts';

const tenancy = tenantTable({ debtColumn: 'debt_id' });

/**
 * One Pix charge. Its id is the id of the payment, the idempotency key of the request to the provider, and the
 * reference that the provider returns. The row is stored before the request, so that no charge is lost in between.
 * A payment that the client received elsewhere is a row too, which no provider knows.
 */
export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /**
     * The agreement that the money pays, and which of its instalments the code asks for; null for a code that asks for
     * the whole rest. Such money counts for the agreement's debts by other rows: see `partOf`.
     */
    agreementId: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id').deleteRule('no action').nullable(),
    instalment: p.integer().nullable(),
    /** The payment by an agreement of which this row is what its debt gets; null for every other charge. */
    partOf: p.uuid().nullable(),
    /** The number of the charge of its debt, from 1; a renewed charge has the next number. */
    attempt: p.integer(),
    provider: p.text().$type<PaymentSource>(),
    /** Shown for a payment that the client received elsewhere. */
    memberId: writtenBy(),
    /**
     * The provider's id of the client's account at which the charge is made. Null for the sandbox and for the account of
     * the deployment's configuration.
     */
    accountId: p.text().nullable(),
    providerPaymentId: p.text().nullable(),
    /**
     * The provider's id in lower case, as notifications may contain it. Null until the provider has created the charge.
     */
    providerPaymentKey: p.text().nullable(),
    status: p.text().$type<PaymentStatus>(),
    /** The requested amount. */
    amountCentavos: centavos(),
    /** The paid amount, which may differ from the requested amount. */
    paidCentavos: centavos().default(0),
    refundedCentavos: centavos().default(0),
    /** The debtor's day of which the code asks the total; null for a payment that came from outside. */
    askedOn: p.date().nullable(),
    /** What the code asks for beside the principal. */
    askedFineCentavos: centavos().default(0),
    askedInterestCentavos: centavos().default(0),
    askedCorrectionCentavos: centavos().default(0),
    /** The debtor's day as of which the money counts; null until the payment is confirmed. */
    creditedOn: p.date().nullable(),
    /** True when the creditor gave up what was open of the charges after this payment. */
    waivesRest: p.boolean().default(false),
    /** How the money that the creditor still has was credited. What is more than these was not owed. */
    principalCentavos: centavos().default(0),
    fineCentavos: centavos().default(0),
    interestCentavos: centavos().default(0),
    correctionCentavos: centavos().default(0),
    brCode: p.text().nullable(),
    /**
     * The day on which it is due, for a code that the bank makes for a due date; null for one that can be paid until
     * `expiresAt`.
     */
    dueOn: p.date().nullable(),
    /** The requested expiry, and after the provider's answer the answered one. */
    expiresAt: instant(),
    /** The moment at which the service confirmed the payment; from then on the payment is final. */
    approvedAt: instant().nullable(),
    /** The moment of the payment as the provider reports it. */
    paidAt: instant().nullable(),
    endToEndId: p.text().nullable(),
    /** Set when less than the requested amount was paid; the debt stays open. */
    underpaidAt: instant().nullable(),
    /** Set while the money is charged back; null again when the chargeback was reversed. */
    chargedBackAt: instant().nullable(),
    /** When the provider last changed what is applied here, by its own clock. An older report changes nothing. */
    providerUpdatedAt: instant().nullable(),
    /** What settled the debt: this payment and the earlier ones that were too small. Null unless it settled a debt. */
    settledCentavos: centavos().nullable(),
    /**
     * What payments have to cover for the settlement to stand: what was owed when this payment settled the debt. Values
     * of an index that become known later do not change it. Null unless it settled a debt.
     */
    coveredCentavos: centavos().nullable(),
    /** How a payment was made that the client received elsewhere; null for a charge of a provider. */
    method: p.text().$type<PaymentMethod>().nullable(),
    /** What the client's staff wrote about such a payment. The debtor never sees it. */
    note: p.text().nullable(),
    /**
     * When the client took back what it had recorded about another debt, or twice. Such a row counts for nothing: all of its
     * money is zero, and only the requested amount tells what it was.
     */
    undoneAt: instant().nullable(),
    /** True when the debt had been paid before; the client refunds this payment. */
    duplicate: p.boolean().default(false),
    /** The problem that stops the charge, as the timeline shows it; null without a problem. */
    problem: p.text().nullable(),
    /** The earliest moment of the next attempt after the creation failed. */
    retryAt: instant().nullable(),
    lastAskedAt: instant().nullable(),
    /**
     * Set when a later charge replaced this one before the provider had made it. Its code is shown to nobody, and it is
     * cancelled at the provider if the provider makes it all the same.
     */
    supersededAt: instant().nullable(),
    /**
     * When the reconciliation asks the provider without a notification; null when it asks no more. A run that takes the
     * charge moves it, so that no other run takes it as well.
     */
    askAt: instant().nullable(),
    /** How many questions of the reconciliation in a row the provider has not answered. */
    askFailures: p.integer().default(0),
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
    // For the settlement report, which counts money on the day on which it came.
    {
      name: 'charges_money',
      expression:
        'create index "charges_money" on "charges" ("client_id", coalesce("paid_at", "approved_at", "underpaid_at"), "id") where paid_centavos > 0',
    },
    { name: 'charges_approved', properties: ['approvedAt'], where: 'approved_at is not null' },
    { name: 'charges_agreement', properties: ['agreementId'], where: 'agreement_id is not null' },
    { name: 'charges_part_of', properties: ['partOf'], where: 'part_of is not null' },
    // By which a Pix is recognised of which somebody else has told.
    {
      name: 'charges_end_to_end',
      properties: ['clientId', 'endToEndId'],
      where: 'end_to_end_id is not null',
    },
    // By which "É verdade?" finds a code; the routine compares the whole code by a second hash.
    {
      name: 'charges_code',
      expression: 'create index "charges_code" on "charges" (md5("br_code")) where br_code is not null',
    },
    { name: 'charges_underpaid', properties: ['underpaidAt'], where: 'underpaid_at is not null' },
    {
      name: 'charges_due',
      expression:
        'create index "charges_due" on "charges" ("client_id", coalesce("account_id", \'\'), "ask_at") where ask_at is not null',
    },
  ],
  checks: [
    { name: 'charges_provider_known', expression: oneOf('provider', PAYMENT_SOURCES) },
    { name: 'charges_method_known', expression: oneOf('method', PAYMENT_METHODS) },
    { name: 'charges_method_of_outside', expression: "(provider = 'outside') = (method is not null)" },
    { name: 'charges_part_of_agreement', expression: "(provider = 'agreement') = (part_of is not null)" },
    { name: 'charges_status_known', expression: oneOf('status', PAYMENT_STATUSES) },
    { name: 'charges_amount_positive', expression: 'amount_centavos > 0' },
    { name: 'charges_approved_at', expression: "(status = 'APPROVED') = (approved_at is not null)" },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), functionsPolicy('update')],
});
