import { defineEntity, p } from '@mikro-orm/postgresql';
import type { LocalDate } from '../../../kernel/calendar.ts';
import { REVOKED_REASONS, type RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { createdAt, id, instant, oneOf, writtenBy } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, PUBLIC_RECEIPT_POLICY, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import type { ReceiptFacts } from './receipt.ts';

/** A paid bill as the declaration lists it. */
export interface QuittedBill {
  /** Absent, like the description, once the declaration is shortened. */
  readonly invoiceId?: string | null;
  readonly description?: string | null;
  readonly dueDate: LocalDate;
  readonly originalAmountCentavos: number;
  readonly paidCentavos: number;
  /** The debtor's day of the payment that settled it. */
  readonly paidOn: LocalDate;
}

/** The content of the declaration at its issue. */
export interface QuittanceFacts {
  readonly creditor: ReceiptFacts['creditor'];
  /** Absent once the declaration is shortened. */
  readonly debtor?: ReceiptFacts['debtor'];
  readonly bills: readonly QuittedBill[];
  /** Bills of earlier years that are still owed, which the declaration excepts. */
  readonly earlierOwed: readonly { readonly invoiceId?: string | null; readonly dueDate: LocalDate }[];
  /** The debtor's offset in hours ahead of UTC. */
  readonly utcOffset: number;
}

const tenancy = tenantTable();

/** The declaration that all bills of a person of a year are paid (Lei 12.007/2009). */
export const AnnualQuittance = defineEntity({
  name: 'AnnualQuittance',
  tableName: 'annual_quittances',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The first of its bills, by which its person is found. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    year: p.integer(),
    sandbox: p.boolean(),
    protocol: p.text(),
    /** The payments that settled its bills. It is revoked when the receipt of one of them is. */
    chargeIds: p.array<string>().columnType('uuid[]'),
    /** What it declares, so that the same bills have one declaration that is valid. */
    contentHash: p.character().length(64),
    facts: p.json<QuittanceFacts>(),
    /** What the client confirmed, word by word: bills that were paid elsewhere are not known here. */
    statement: p.text(),
    /** Who confirmed it; null for a command of the operator. */
    memberId: writtenBy(),
    issuedAt: instant(),
    revokedAt: instant().nullable(),
    revokedReason: p.text().$type<RevokedReason>().nullable(),
    /** The document, once it was drawn, and its hash. A revocation empties both, because it has to say so. */
    pdf: p.blob().nullable(),
    sha256: p.character().length(64).nullable(),
    /** When an erased debtor's data was removed, after the legal duty to keep the document had ended. */
    shortenedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'annual_quittances_protocol', properties: ['protocol'] }],
  indexes: [
    { name: 'annual_quittances_client', properties: ['clientId', 'year'] },
    { name: 'annual_quittances_debt', properties: ['debtId'] },
    {
      name: 'annual_quittances_valid',
      expression:
        'create unique index "annual_quittances_valid" on "annual_quittances" ("client_id", "content_hash") where revoked_at is null',
    },
  ],
  checks: [
    { name: 'annual_quittances_drawn_whole', expression: '(pdf is null) = (sha256 is null)' },
    { name: 'annual_quittances_revoked_whole', expression: '(revoked_at is null) = (revoked_reason is null)' },
    { name: 'annual_quittances_revoked_reason_known', expression: oneOf('revoked_reason', REVOKED_REASONS) },
    { name: 'annual_quittances_has_bills', expression: 'cardinality(charge_ids) > 0' },
  ],
  ...tenancy,
  policies: [...tenancy.policies, PUBLIC_RECEIPT_POLICY, functionsPolicy('select')],
});
