import { defineEntity, p } from '@mikro-orm/postgresql';
import type { LocalDate } from '../../../kernel/calendar.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import { RECEIPT_KINDS, type ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import { REVOKED_REASONS, type RevokedReason } from '../../../kernel/revoked-reasons.ts';
import type { MaskedDebtor } from '../../../kernel/tax-id.ts';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { RECEIPT_TRIGGER } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, PUBLIC_RECEIPT_POLICY, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { Charge } from '../../payments/tables/charge.ts';
import type { Centavos } from '../../terms/rules/owed-on.ts';
import type { PaidOfAgreement } from '../rules/paid-instalments.ts';

/** A part of a debt that was paid before the rest. */
export interface EarlierPayment {
  readonly amountCentavos: number;
  /** The moment in ISO 8601 format. */
  readonly paidAt: string;
  readonly method: PaymentMethod;
  /** Set for what the debt got of an agreement's payment. */
  readonly byAgreement?: true;
}

/**
 * The content of the document at the issue of the receipt. Later changes of the data do not change a receipt, except that
 * it says nothing any more of a payment that was taken back as a mistake.
 */
export interface ReceiptFacts {
  readonly sandbox: boolean;
  readonly creditor: { readonly name: string; readonly cnpj: string | null; readonly address: string | null };
  readonly debtor: MaskedDebtor;
  readonly debt: {
    readonly invoiceId: string | null;
    /** Absent in receipts of the first version of the template. */
    readonly description?: string | null;
    readonly originalAmountCentavos: number;
    readonly dueDate: string;
  };
  readonly payment: {
    readonly amountCentavos: number;
    /** The moment in ISO 8601 format. */
    readonly paidAt: string;
    readonly provider: string;
    readonly endToEndId: string | null;
    readonly providerPaymentId: string;
    /** Absent in receipts of the first versions, which were all paid by Pix. */
    readonly method?: PaymentMethod;
    /** Payments that were too small and came before the one that settled the debt; absent when there are none. */
    readonly earlier?: readonly EarlierPayment[];
    /** How the amount was credited; absent where nothing beside the principal was charged or given up. */
    readonly credited?: Centavos;
    /** What the creditor gave up when the debt was settled; absent when that is nothing. */
    readonly waivedCentavos?: number;
    /** What a part left open, on the day as of which it counts; absent in the receipt that settles a debt. */
    readonly open?: Centavos & { readonly on: LocalDate };
    /** The agreement by which the debt was settled, and its discount on this debt. */
    readonly agreement?: { readonly protocol: string; readonly discountCentavos: number };
    /** What a payment of an agreement paid of it. */
    readonly instalments?: PaidOfAgreement;
  };
  /** The debtor's offset in hours ahead of UTC. */
  readonly utcOffset: number;
}

const tenancy = tenantTable();

/**
 * The receipt of one payment. The row is stored when a process begins to draw it, so that it is drawn once
 * and its protocol never changes. The receipt is issued once it has a document.
 */
export const Receipt = defineEntity({
  name: 'Receipt',
  tableName: 'receipts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    chargeId: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    /** `settlement` is the Termo; the receipt of a part says that it is no quittance of the rest. */
    kind: p.text().$type<ReceiptKind>().default('settlement'),
    protocol: p.text(),
    facts: p.json<ReceiptFacts>(),
    /** The template of the stored bytes; null, like the bytes, until they are drawn. */
    templateVersion: p.integer().nullable(),
    sha256: p.character().length(64).nullable(),
    pdf: p.blob().nullable(),
    renderedAt: instant().nullable(),
    issuedAt: instant(),
    revokedAt: instant().nullable(),
    revokedReason: p.text().$type<RevokedReason>().nullable(),
    /** Set when a revoked receipt became valid again, because its debt was covered again. */
    restoredAt: instant().nullable(),
    /** True when the stored bytes do not show yet that the receipt was revoked, is valid again or states other money. */
    outdated: p.boolean().default(false),
    /** The process that holds the lease to draw the receipt, and the end of the lease. */
    renderingBy: p.uuid().nullable(),
    renderingUntil: instant().nullable(),
    /** When an erased debtor's data was removed, after the legal duty to keep the document had ended. */
    shortenedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'receipts_protocol', properties: ['protocol'] },
    { name: 'receipts_charge', properties: ['chargeId'] },
  ],
  indexes: [
    { name: 'receipts_client', properties: ['clientId', 'issuedAt', 'id'] },
    { name: 'receipts_debt', properties: ['debtId'] },
  ],
  checks: [
    { name: 'receipts_kind_known', expression: oneOf('kind', RECEIPT_KINDS) },
    { name: 'receipts_whole', expression: 'num_nulls(pdf, sha256, template_version, rendered_at) in (0, 4)' },
    { name: 'receipts_revoked_whole', expression: '(revoked_at is null) = (revoked_reason is null)' },
    { name: 'receipts_restored_after_revoked', expression: 'restored_at is null or revoked_at is not null' },
    { name: 'receipts_revoked_reason_known', expression: oneOf('revoked_reason', REVOKED_REASONS) },
  ],
  triggers: [RECEIPT_TRIGGER],
  ...tenancy,
  policies: [...tenancy.policies, PUBLIC_RECEIPT_POLICY, functionsPolicy('select')],
});
