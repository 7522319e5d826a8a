import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  centavos,
  createdAt,
  id,
  instant,
  oneOf,
  updatedAt,
  writtenBy,
} from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import {
  REFUND_FAILURES,
  REFUND_KINDS,
  REFUND_STATES,
  type RefundFailure,
  type RefundKind,
  type RefundState,
} from '../rules/refunds.ts';
import { Charge } from './charge.ts';

/**
 * Money of a payment that goes back. The creditor's own refunds are stored before they are sent, and the id is the
 * provider's key for each; what a bank returned unasked is stored once, when a report tells of it.
 */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The debt whose timeline tells of it. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /** The payment from which it is taken. */
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    kind: p.text().$type<RefundKind>(),
    state: p.text().$type<RefundState>(),
    amountCentavos: centavos(),
    /** Why, in the words of the client's staff. It may name a person, so it is erased with the debtor. */
    reason: p.text().nullable(),
    /** By what kind of caller it was asked for; null for what the service or a bank gave back. */
    askedBy: p.text().$type<'session' | 'api_key' | 'identity_provider'>().nullable(),
    memberId: writtenBy(),
    /** The provider's id of it; null until the provider has answered. */
    providerRefundId: p.text().nullable(),
    /** Until when the creditor may contest it at its bank. */
    contestUntil: instant().nullable(),
    /** When the provider is asked next; null when it is asked no more. Whoever takes the refund moves it. */
    askAt: instant().nullable(),
    /** How many times it was taken to be sent. */
    tries: p.integer().default(0),
    /** When it was taken first: what the provider did before is no trace of it. */
    triedAt: instant().nullable(),
    /** Why it failed; null for a return that a bank took back itself. */
    failure: p.text().$type<RefundFailure>().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'refunds_provider_refund', properties: ['chargeId', 'providerRefundId'] }],
  indexes: [
    { name: 'refunds_client', properties: ['clientId'] },
    { name: 'refunds_debt', properties: ['debtId'] },
    { name: 'refunds_due', properties: ['askAt'], where: 'ask_at is not null' },
  ],
  checks: [
    { name: 'refunds_kind_known', expression: oneOf('kind', REFUND_KINDS) },
    { name: 'refunds_state_known', expression: oneOf('state', REFUND_STATES) },
    { name: 'refunds_failure_known', expression: oneOf('failure', REFUND_FAILURES) },
    { name: 'refunds_amount_positive', expression: 'amount_centavos > 0' },
    { name: 'refunds_asked_while_pending', expression: "ask_at is null or state = 'pending'" },
  ],
  ...tenantTable(),
});
