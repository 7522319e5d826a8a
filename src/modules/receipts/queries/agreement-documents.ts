import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { OfferedDebt } from '../../agreements/rules/standing-offers.ts';
import { addressOfCreditor, cnpjOfCreditor, nameOfCreditor } from '../../debts/queries/creditor.ts';

/** Only the protocol is known, and row security allows this one agreement. */
export const AGREEMENT_BY_PROTOCOL = prepared(
  'agreement_by_protocol',
  (queries, { protocol }: { readonly protocol: string }) =>
    queries.selectFrom('agreements').select(['id', 'clientId']).where('protocol', '=', protocol),
);

/** A debt of an agreement as its Termo names it. */
interface NamedDebt {
  readonly debtId: string;
  readonly invoiceId: string | null;
  readonly description: string | null;
  readonly originalAmountCentavos: number;
  readonly dueDate: string;
  readonly owedCentavos: number;
  readonly discountCentavos: number;
}

const DEBTS = sql<readonly NamedDebt[]>`(
  select jsonb_agg(jsonb_build_object('debtId', one.debt_id, 'owedCentavos', one.owed_centavos,
    'discountCentavos', one.discount_centavos, 'invoiceId', named.invoice_id, 'description', named.description,
    'originalAmountCentavos', named.original_amount_centavos, 'dueDate', named.due_date) order by one.position)
  from agreement_debts as one join debts as named on named.id = one.debt_id
  where one.agreement_id = agreements.id)`;

/**
 * The row by which an agreement names its debtor. Where the rows that were agreed about are erased, it is one that was
 * imported of them since; an erased row does not tell whom it named, so that these count only while they name one person.
 */
const NAMED_DEBT = sql<string>`coalesce((
  select (array_agg(row.id order by one.position))[1]
  from agreement_debts as one join debts as agreed on agreed.id = one.debt_id
    join debts as row on row.identity_id = agreed.identity_id
  where one.agreement_id = agreements.id and row.erased_at is null
  group by row.id = agreed.id having count(distinct row.debtor_tax_id) = 1
  order by row.id = agreed.id desc limit 1), agreements.debt_id)`;

/** The evidence is emptied once no debt of the agreement names the debtor any more. */
const IS_ERASED = sql<boolean>`(debts.erased_at is not null or agreements.accepted_text = '')`;

const withParties = (tx: Tx, agreementId: string) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('debts', (join) => join.on('debts.id', '=', NAMED_DEBT))
    .innerJoin('clients', 'clients.id', 'agreements.clientId')
    .select(['agreements.sandbox', 'agreements.totalCentavos', 'agreements.acceptedAt', 'agreements.sha256'])
    .select(['debts.id as debtId', 'debts.debtorName', 'debts.debtorTaxId', 'debts.debtorPhone'])
    .select(IS_ERASED.as('isErased'))
    .select([
      nameOfCreditor('debts').as('creditorName'),
      cnpjOfCreditor('debts').as('creditorCnpj'),
      addressOfCreditor('debts').as('creditorAddress'),
    ])
    .where('agreements.id', '=', agreementId);

/** Returns who made an agreement and what its verification page says of it beside its state. */
export const partiesOfAgreement = (tx: Tx, agreementId: string) =>
  withParties(tx, agreementId).executeTakeFirstOrThrow();

/** Returns everything that a Termo de Acordo names, and the document once it was drawn. */
export const agreementDocument = (tx: Tx, agreementId: string) =>
  withParties(tx, agreementId)
    .innerJoin('offers', 'offers.id', 'agreements.offerId')
    .select(['agreements.id', 'agreements.protocol', 'agreements.pdf', 'agreements.discountCentavos'])
    .select(['agreements.breachAfterDays', 'agreements.afterBreach'])
    .select(['agreements.acceptedBy', 'agreements.acceptedText', 'agreements.acceptedTextHash'])
    .select(['agreements.acceptedPhone', 'offers.madeOn', DEBTS.as('debts')])
    // What was accepted: the debtor may have moved an instalment since, and amount and due date of a debt may have been
    // corrected.
    .select(['offers.instalments', sql<readonly OfferedDebt[]>`offers.debts`.as('offered')])
    .$narrowType<{ pdf: Buffer | null }>()
    .executeTakeFirstOrThrow();

export type AgreementDocument = Awaited<ReturnType<typeof agreementDocument>>;

/** Stores the document of an agreement that has none, so that its bytes never change. */
export const storeAgreementDocument = (
  tx: Tx,
  agreementId: string,
  { pdf, sha256 }: { readonly pdf: Buffer; readonly sha256: string },
) =>
  queriesIn(tx)
    .updateTable('agreements')
    .set({ pdf, sha256 })
    .where('id', '=', agreementId)
    .where('pdf', 'is', null)
    .where('acceptedText', '<>', '')
    .execute();
