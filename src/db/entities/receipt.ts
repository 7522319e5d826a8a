import { defineEntity, p } from '@mikro-orm/postgresql';
import { Charge } from './charge.ts';
import { Client } from './client.ts';
import { createdAt, id, instant, oneOf } from './columns.ts';
import { Debt } from './debt.ts';
import { functionsPolicy, PUBLIC_RECEIPT_POLICY, tenantTable } from './tenant-table.ts';

export const REVOKED_REASONS = ['refund', 'chargeback'] as const;
export type RevokedReason = (typeof REVOKED_REASONS)[number];

/** What the document says, as it was when the receipt was issued: a quittance does not change with later data. */
export interface ReceiptFacts {
  readonly sandbox: boolean;
  readonly creditor: { readonly name: string; readonly cnpj: string | null; readonly address: string | null };
  readonly debtor: { readonly name: string; readonly cpfMasked: string };
  readonly debt: {
    readonly invoiceId: string | null;
    readonly originalAmountCentavos: number;
    readonly dueDate: string;
  };
  readonly payment: {
    readonly amountCentavos: number;
    /** ISO 8601. */
    readonly paidAt: string;
    readonly provider: string;
    readonly endToEndId: string | null;
    readonly providerPaymentId: string;
  };
  /** Hours that the debtor's clock is ahead of UTC. */
  readonly utcOffset: number;
}

const tenancy = tenantTable();

/**
 * The settlement receipt of one payment. Its row is there from the moment somebody begins to draw it, so that it is
 * drawn once and its protocol never changes; it is issued once it has a document.
 */
export const Receipt = defineEntity({
  name: 'Receipt',
  tableName: 'receipts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    protocol: p.text(),
    facts: p.json<ReceiptFacts>(),
    /** Of the stored bytes; null, as they are, until they are drawn. */
    templateVersion: p.integer().nullable(),
    sha256: p.character().length(64).nullable(),
    pdf: p.blob().nullable(),
    renderedAt: instant().nullable(),
    issuedAt: instant(),
    revokedAt: instant().nullable(),
    revokedReason: p.text().$type<RevokedReason>().nullable(),
    /** The stored bytes do not say yet that it was revoked. */
    outdated: p.boolean().default(false),
    /** Whoever draws it now, and until when nobody else does. */
    renderingBy: p.uuid().nullable(),
    renderingUntil: instant().nullable(),
    /** When the legal duty to keep the document had ended and an erased debtor's data was taken out of it. */
    shortenedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'receipts_protocol', properties: ['protocol'] },
    { name: 'receipts_charge', properties: ['chargeId'] },
  ],
  indexes: [
    { name: 'receipts_client', properties: ['clientId'] },
    { name: 'receipts_debt', properties: ['debtId'] },
  ],
  checks: [
    { name: 'receipts_whole', expression: 'num_nulls(pdf, sha256, template_version, rendered_at) in (0, 4)' },
    { name: 'receipts_revoked_whole', expression: '(revoked_at is null) = (revoked_reason is null)' },
    { name: 'receipts_revoked_reason_known', expression: oneOf('revoked_reason', REVOKED_REASONS) },
  ],
  ...tenancy,
  policies: [...tenancy.policies, PUBLIC_RECEIPT_POLICY, functionsPolicy('select')],
});
