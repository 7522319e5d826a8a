import { sql } from 'kysely';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { AGREED_OF_DEBT, CREDITS_OF_DEBT } from '../../debts/queries/debt-context.ts';
import { PHONES_OF_DEBT } from '../../debts/queries/debt-phones.ts';
import { INDICES_OF_DEBT } from '../../terms/queries/index-values.ts';
import { TERMS_OF_DEBT } from '../../terms/queries/late-payment-terms.ts';

const COLUMNS = [
  ...(['debts.id', 'debts.identityId', 'debts.sandbox', 'debts.debtorTaxId as taxId', 'debts.invoiceId'] as const),
  ...(['debts.dueDate', 'debts.status', 'debts.agreementId'] as const),
] as const;

/** The debts as they are now; what ended and was imported again is the same debt. */
const currentDebts = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(COLUMNS)
    .where('debts.clientId', '=', clientId)
    .where('debts.continuedBy', 'is', null);

export type FoundDebt = Awaited<ReturnType<ReturnType<typeof currentDebts>['executeTakeFirstOrThrow']>>;

/** Finds debts by the invoices of any of their rows. */
export const debtsByInvoice = (tx: Tx, clientId: string, invoiceKeys: readonly string[]) =>
  currentDebts(tx, clientId)
    .innerJoin('debts as named', 'named.identityId', 'debts.identityId')
    .select(sql<string>`named.invoice_key`.as('invoiceKey'))
    .where('named.clientId', '=', clientId)
    .where('named.invoiceKey', '=', anyOf(invoiceKeys, 'text'))
    .execute();

export const debtsByTaxId = (tx: Tx, clientId: string, taxIds: readonly string[]) =>
  currentDebts(tx, clientId).where('debts.debtorTaxId', '=', anyOf(taxIds, 'text')).execute();

/** Returns what decides how much is owed of each debt. */
export const amountsOfDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .select(['debts.id', 'debts.originalAmountCentavos as amountCentavos', 'debts.dueDate', 'debts.debtorPhone'])
    .select(['debts.clockOffsetMs'])
    .select([
      PHONES_OF_DEBT.as('phones'),
      TERMS_OF_DEBT.as('terms'),
      INDICES_OF_DEBT.as('indices'),
      CREDITS_OF_DEBT.as('credits'),
      AGREED_OF_DEBT.as('agreed'),
    ])
    .where('debts.id', '=', anyOf(debtIds, 'uuid'))
    .execute();

/** Returns which of these amounts is the whole of a debt that is not paid. */
export async function openAmounts(tx: Tx, clientId: string, centavos: readonly number[]): Promise<Set<number>> {
  const rows = await queriesIn(tx)
    .selectFrom('debts')
    .select('originalAmountCentavos')
    .distinct()
    .where('clientId', '=', clientId)
    .where('continuedBy', 'is', null)
    .where('status', '<>', 'PAID')
    .where('originalAmountCentavos', '=', sql<number>`any(${centavos}::bigint[])`)
    .execute();
  return new Set(rows.map(({ originalAmountCentavos }) => originalAmountCentavos));
}

/** So many debts of one amount are proposed, the oldest first. */
const MOST_OF_AMOUNT = 5;

export const debtsByAmount = (tx: Tx, clientId: string, centavos: readonly number[]) =>
  queriesIn(tx)
    .selectFrom(({ selectFrom }) =>
      selectFrom('debts')
        .select(['id', 'originalAmountCentavos as amountCentavos'])
        .select(sql<number>`row_number() over (partition by original_amount_centavos order by due_date, id)`.as('rank'))
        .where('clientId', '=', clientId)
        .where('continuedBy', 'is', null)
        .where('status', '<>', 'PAID')
        .where('originalAmountCentavos', '=', sql<number>`any(${centavos}::bigint[])`)
        .as('ranked'),
    )
    .select(['id', 'amountCentavos'])
    .where('rank', '<=', MOST_OF_AMOUNT)
    .orderBy('rank')
    .execute();

/** Returns what a person compares a payment with. */
export const shownDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['id', 'debtorName', 'invoiceId', 'dueDate', 'originalAmountCentavos as amountCentavos', 'status'])
    .where('id', '=', anyOf(debtIds, 'uuid'))
    .execute();
