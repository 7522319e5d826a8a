import { sql } from 'kysely';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor } from '../../debts/queries/creditor.ts';
import { SETTLES } from '../../debts/queries/receipt-of-debt.ts';
import { agreesWith, type ReceiptTerms } from './receipt-search.ts';

/**
 * The condition for a part: it was too small when it came, and the creditor has some of it. What a debt gets of an
 * agreement's payment has its receipt by that payment.
 */
export const IS_PART = sql<boolean>`(charges.underpaid_at is not null and not charges.duplicate
  and charges.agreement_id is null and charges.part_of is null
  and charges.credited_on is not null and charges.charged_back_at is null
  and charges.paid_centavos > charges.refunded_centavos)`;

/** The condition for the money of an agreement that the creditor has some of. */
export const PAYS_AGREEMENT = sql<boolean>`(charges.agreement_id is not null and charges.approved_at is not null
  and not charges.duplicate and charges.credited_on is not null and charges.charged_back_at is null
  and charges.paid_centavos > charges.refunded_centavos)`;

/** A payment that was too small, as PostgreSQL writes it into JSON. */
interface EarlierPart {
  readonly centavos: number;
  readonly paidAt: string;
  readonly method: PaymentMethod | null;
  readonly byAgreement: boolean;
}

/** What the agreement by which the debt was settled has given up of it. */
const DISCOUNT_OF_AGREEMENT = sql<number>`coalesce((
  select shared.discount_centavos from agreement_debts as shared join debts as row on row.id = shared.debt_id
  where shared.agreement_id = agreements.id and row.identity_id = debts.identity_id limit 1), 0)`;

/** The charges of the debt by which money of agreements came: the debt is credited by other charges. */
const MONEY_OF_AGREEMENTS = sql<string[]>`coalesce((
  select jsonb_agg(money.id) from charges as money join debts as row on row.id = money.debt_id
  where row.identity_id = debts.identity_id and money.agreement_id is not null), '[]'::jsonb)`;

/** Selects charges with the current row of their debt, their creditor and, where there is one, their receipt. */
const withReceipts = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('charges')
    .innerJoin('debts as charged', 'charged.id', 'charges.debtId')
    .innerJoin('debts', (join) =>
      join.onRef('debts.identityId', '=', 'charged.identityId').on('debts.continuedBy', 'is', null),
    )
    .innerJoin('clients', 'clients.id', 'charges.clientId')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    // What a debt gets of an agreement's payment was paid as that payment was.
    .leftJoin('charges as whole', 'whole.id', 'charges.partOf')
    // Where a later agreement fell away, its money has paid the rest that was agreed before.
    .leftJoin('agreements', (join) =>
      join
        .on('whole.agreementId', 'is not', null)
        .on('agreements.id', '=', ({ fn }) => fn.coalesce('debts.agreementId', 'whole.agreementId')),
    )
    .select(['charges.id as paymentId', 'charges.clientId', 'debts.id as debtId', 'charges.agreementId'])
    .select(({ fn }) => [
      fn.coalesce('whole.provider', 'charges.provider').as('provider'),
      fn.coalesce('whole.providerPaymentId', 'charges.providerPaymentId').as('providerPaymentId'),
      fn.coalesce('whole.endToEndId', 'charges.endToEndId').as('endToEndId'),
      fn.coalesce('whole.method', 'charges.method').as('method'),
    ])
    .select(['agreements.protocol as agreementProtocol', DISCOUNT_OF_AGREEMENT.as('agreementDiscountCentavos')])
    .select(MONEY_OF_AGREEMENTS.as('moneyOfAgreements'))
    .select(['charges.paidCentavos', 'charges.settledCentavos', 'charges.coveredCentavos', 'charges.underpaidAt'])
    .select(['debts.sandbox', 'debts.clockOffsetMs', 'debts.debtorName', 'debts.debtorTaxId', 'debts.debtorPhone'])
    .select(['debts.invoiceId', 'debts.description', 'debts.originalAmountCentavos', 'debts.dueDate'])
    .select([
      nameOfCreditor('debts').as('creditorName'),
      cnpjOfCreditor('debts').as('creditorCnpj'),
      addressOfCreditor('debts').as('creditorAddress'),
    ])
    .select(['receipts.id as receiptId', 'receipts.protocol', 'receipts.issuedAt', 'receipts.facts as storedFacts'])
    .select('receipts.kind as storedKind')
    .select(['receipts.revokedAt', 'receipts.revokedReason', 'receipts.restoredAt'])
    .select(({ selectFrom, fn, val }) => {
      // The receipt states the whole amount that settled the debt, and names the payments that made it up.
      const earlier = selectFrom('charges as part')
        .innerJoin('debts as row', 'row.id', 'part.debtId')
        .leftJoin('charges as by', 'by.id', 'part.partOf')
        .select(
          sql<EarlierPart[]>`jsonb_agg(jsonb_build_object(
            'centavos', part.paid_centavos - part.refunded_centavos, 'paidAt', part.paid_at,
            'method', coalesce(by.method, part.method), 'byAgreement', part.part_of is not null)
            order by part.paid_at, part.id)`.as('parts'),
        )
        .whereRef('row.identityId', '=', 'debts.identityId')
        .whereRef('part.id', '<>', 'charges.id')
        .where('part.underpaidAt', 'is not', null)
        .where('part.agreementId', 'is', null)
        .where('part.chargedBackAt', 'is', null)
        .whereRef('part.paidCentavos', '>', 'part.refundedCentavos');
      return [
        sql<EarlierPart[]>`coalesce(${earlier}, '[]'::jsonb)`.as('earlier'),
        // An approved charge has at least the second of these moments.
        sql<Date>`coalesce(charges.paid_at, charges.approved_at)`.as('paidAt'),
        // A shortened receipt keeps the version in its facts.
        sql<number | null>`coalesce(receipts.template_version,
          (receipts.facts #>> '{document,templateVersion}')::int)`.as('templateVersion'),
        fn.coalesce('receipts.outdated', val(false)).as('outdated'),
        sql<Date>`clock_timestamp()`.as('readAt'),
      ];
    });

export type SettledPaymentRow = Awaited<ReturnType<typeof pageOfPayments>>[number];

/** Which payments of a client are looked at. Only an issued receipt agrees with moments of issue. */
export interface PaymentSelection {
  readonly clientId: string;
  readonly terms?: ReceiptTerms | undefined;
  readonly campaignId?: string | undefined;
  readonly issuedFrom?: Date | undefined;
  readonly issuedBefore?: Date | undefined;
}

/**
 * The condition for a payment with a receipt of any kind, be it issued or missing. In that of a part of an erased debtor
 * there would be nobody to name.
 */
const HAS_RECEIPT = sql<boolean>`(${SETTLES} or receipts.pdf is not null
  or ((${IS_PART} or ${PAYS_AGREEMENT}) and debts.erased_at is null))`;

/** A part is never approved: it counts from the moment at which it came. */
const CONFIRMED_AT = sql<Date>`coalesce(charges.approved_at, charges.underpaid_at)`;

/** The debt that the receipt has, or will have. */
const DEBT_OF_RECEIPT = sql<string>`coalesce(receipts.debt_id, debts.id)`;

/** Returns payments that have a receipt, in the order of their approval. */
export function pageOfPayments(
  tx: Tx,
  { clientId, terms, campaignId, issuedFrom, issuedBefore }: PaymentSelection,
  { take, skip }: { readonly take: number; readonly skip: number },
) {
  let query = withReceipts(tx).where('charges.clientId', '=', clientId).where(HAS_RECEIPT);
  if (terms !== undefined) {
    query = query.where(agreesWith(queriesIn(tx), clientId, { terms, debtId: DEBT_OF_RECEIPT }));
  }
  if (campaignId !== undefined) {
    const inCampaign = queriesIn(tx).selectFrom('debts').select('debts.id').where('debts.campaignId', '=', campaignId);
    query = query.where(sql<boolean>`${DEBT_OF_RECEIPT} in ${inCampaign}`);
  }
  if (issuedFrom !== undefined) query = query.where('receipts.issuedAt', '>=', issuedFrom);
  if (issuedBefore !== undefined) query = query.where('receipts.issuedAt', '<', issuedBefore);
  return query.orderBy(CONFIRMED_AT).orderBy('charges.id').limit(take).offset(skip).execute();
}

/** A debt that was imported again after its end is the same debt: a payment of any of its rows counts. */
const paymentsOfDebt = (tx: Tx, debtId: string) =>
  withReceipts(tx).where('charges.debtId', 'in', ({ selectFrom }) =>
    selectFrom('debts as asked')
      .innerJoin('debts as row', 'row.identityId', 'asked.identityId')
      .select('row.id')
      .where('asked.id', '=', debtId),
  );

export const settledPaymentOfDebt = (tx: Tx, debtId: string) =>
  paymentsOfDebt(tx, debtId)
    .where(SETTLES)
    .orderBy('charges.approvedAt')
    .orderBy('charges.id')
    .limit(1)
    .executeTakeFirst();

/** Returns the same for many debts at once, each named by its identity, which all of its rows have. */
export const settledPaymentsOfIdentities = (tx: Tx, identityIds: readonly string[]) =>
  withReceipts(tx)
    .innerJoin('debts as row', 'row.id', 'charges.debtId')
    .select('row.identityId as paidIdentityId')
    .where('row.identityId', '=', anyOf(identityIds, 'uuid'))
    .where(SETTLES)
    .distinctOn('row.identityId')
    .orderBy('row.identityId')
    .orderBy('charges.approvedAt')
    .orderBy('charges.id')
    .execute();

/** Returns the parts of a debt that have no issued receipt. There is nobody to name in that of an erased debtor. */
export const partsWithoutReceipt = (tx: Tx, debtId: string) =>
  paymentsOfDebt(tx, debtId)
    .where(IS_PART)
    .where('debts.erasedAt', 'is', null)
    .where('receipts.pdf', 'is', null)
    .where('receipts.shortenedAt', 'is', null)
    .orderBy('charges.underpaidAt')
    .orderBy('charges.id')
    .execute();

const paymentsOfAgreement = (tx: Tx, agreementId: string) =>
  withReceipts(tx).where('charges.agreementId', '=', agreementId).where(PAYS_AGREEMENT);

/** Returns the payments of an agreement that have no issued receipt, as of a part. */
export const instalmentsWithoutReceipt = (tx: Tx, agreementId: string) =>
  paymentsOfAgreement(tx, agreementId)
    .where('debts.erasedAt', 'is', null)
    .where('receipts.pdf', 'is', null)
    .where('receipts.shortenedAt', 'is', null)
    .orderBy('charges.creditedOn')
    .orderBy('charges.createdAt')
    .orderBy('charges.id')
    .execute();

/** The debt or the agreement whose payments receipts state. */
export type PaidOne = { readonly debtId: string } | { readonly agreementId: string };

/** Returns the payments of a debt or an agreement whose receipt is valid or not issued yet. */
export const paymentsUnlessRevoked = (tx: Tx, of: PaidOne) =>
  ('debtId' in of
    ? paymentsOfDebt(tx, of.debtId).where(sql<boolean>`(${SETTLES} or ${IS_PART})`)
    : paymentsOfAgreement(tx, of.agreementId)
  )
    .where('receipts.shortenedAt', 'is', null)
    .where(sql<boolean>`(receipts.revoked_at is null or receipts.restored_at is not null)`)
    .execute();

export const paymentOfReceipt = (tx: Tx, protocol: string) =>
  withReceipts(tx)
    .where('charges.id', '=', ({ selectFrom }) =>
      selectFrom('receipts as named').select('named.chargeId').where('named.protocol', '=', protocol),
    )
    .executeTakeFirst();

/**
 * Returns what was paid for each of these debts, by whichever row of the debt it came, with the moment of the last
 * change of each payment.
 */
export const paymentsOfDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('debts as asked')
    .innerJoin('debts as row', 'row.identityId', 'asked.identityId')
    .innerJoin('charges', 'charges.debtId', 'row.id')
    .select(['asked.id as askedId', 'charges.id', 'charges.paidCentavos', 'charges.refundedCentavos'])
    .select(['charges.chargedBackAt', 'charges.updatedAt', 'charges.agreementId'])
    .where('asked.id', '=', anyOf(debtIds, 'uuid'))
    .where('charges.paidCentavos', '>', 0)
    .execute();
