import { defineEntity, p } from '@mikro-orm/postgresql';
import { PAYMENT_METHODS, type PaymentMethod } from '../../../kernel/payment-methods.ts';
import {
  RECEIVED_DOUBTS,
  RECEIVED_SOURCES,
  RECEIVED_STATES,
  type ReceivedDoubt,
  type ReceivedSource,
  type ReceivedState,
} from '../../../kernel/received-states.ts';
import { UNMATCHED_PAYMENT_DAYS } from '../../../kernel/retention-periods.ts';
import {
  centavos,
  createdAt,
  id,
  instant,
  oneOf,
  updatedAt,
  writtenBy,
} from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { Charge } from './charge.ts';

const tenancy = tenantTable();

/**
 * A payment that the client received elsewhere, as a file or a bank tells of it. The row recognises the payment when it is
 * told again, and waits for a person where it is not certain which debt was paid.
 */
export const ReceivedPayment = defineEntity({
  name: 'ReceivedPayment',
  tableName: 'received_payments',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    source: p.text().$type<ReceivedSource>(),
    /** What identifies the payment for ever: see `src/modules/payments/rules/received-key.ts`. */
    key: p.text(),
    amountCentavos: centavos(),
    paidAt: instant(),
    endToEndId: p.text().nullable(),
    invoiceId: p.text().nullable(),
    /** The CPF or CNPJ of the payer; empty once it is decided which debt was paid, and when the debtor is erased. */
    taxId: p.text().nullable(),
    /** What the statement says about the payment, for the person who decides; empty once that is done. */
    memo: p.text().nullable(),
    /** Why it is not certain which debt was paid. */
    doubt: p.text().$type<ReceivedDoubt>().nullable(),
    method: p.text().$type<PaymentMethod>(),
    state: p.text().$type<ReceivedState>(),
    memberId: writtenBy(),
    /** The debt that it paid, and the payment that it became; they stay when that is undone. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('no action').nullable(),
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id').deleteRule('no action').nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'received_payments_key', properties: ['clientId', 'key'] }],
  indexes: [
    {
      name: 'received_payments_undecided',
      properties: ['clientId', 'createdAt', 'id'],
      where: "state in ('unmatched', 'ambiguous', 'undone')",
    },
    {
      name: 'received_payments_unmatched',
      properties: ['createdAt'],
      where: "state in ('unmatched', 'ambiguous')",
    },
    { name: 'received_payments_debt', properties: ['debtId'], where: 'debt_id is not null' },
    { name: 'received_payments_charge', properties: ['chargeId'], where: 'charge_id is not null' },
    { name: 'received_payments_person', properties: ['taxId', 'clientId'], where: 'tax_id is not null' },
  ],
  checks: [
    { name: 'received_payments_source_known', expression: oneOf('source', RECEIVED_SOURCES) },
    { name: 'received_payments_state_known', expression: oneOf('state', RECEIVED_STATES) },
    { name: 'received_payments_doubt_known', expression: oneOf('doubt', RECEIVED_DOUBTS) },
    { name: 'received_payments_method_known', expression: oneOf('method', PAYMENT_METHODS) },
    { name: 'received_payments_amount_positive', expression: 'amount_centavos > 0' },
    {
      name: 'received_payments_settled_whole',
      expression: "state <> 'settled' or (debt_id is not null and charge_id is not null)",
    },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(
      `((state = ANY (ARRAY['unmatched'::text, 'ambiguous'::text])) AND (created_at < (CURRENT_TIMESTAMP - '${UNMATCHED_PAYMENT_DAYS} days'::interval)))`,
    ),
  ],
});
