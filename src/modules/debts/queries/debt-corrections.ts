import { type Selectable, sql } from 'kysely';
import { REIMPORTABLE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { idsOfRows } from './debts.ts';

type Debt = Selectable<Tables['debts']>;

/** What a correction is compared with beside the debt's context. */
export const correctableDebt = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['invoiceKey', 'debtorEmails', 'scoredAt', 'pausedAt'])
    .where('id', '=', debtId)
    .executeTakeFirstOrThrow();

/**
 * Returns whether the client has another debt, of the sandbox or real like this one, that an import would take for this
 * one with the new amount and due date. The invoice does not change, so only debts count of which one has none.
 */
export async function isOtherDebt(
  tx: Tx,
  debt: Pick<Debt, 'identityId' | 'clientId' | 'sandbox' | 'debtorTaxId' | 'invoiceKey' | 'dueDate'> & {
    readonly amountCentavos: number;
  },
): Promise<boolean> {
  const other = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('debtorTaxId', '=', debt.debtorTaxId)
    .where('clientId', '=', debt.clientId)
    .where('sandbox', '=', debt.sandbox)
    .where('originalAmountCentavos', '=', debt.amountCentavos)
    .where('dueDate', '=', debt.dueDate)
    .where('identityId', '<>', debt.identityId)
    .where('status', 'not in', REIMPORTABLE_DEBT_STATUSES)
    .$if(debt.invoiceKey !== null, (query) => query.where('invoiceKey', 'is', null))
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export type CorrectedColumns = Partial<
  Pick<Debt, 'debtorPhone' | 'debtorEmail' | 'debtorEmails' | 'dueDate' | 'originalAmountCentavos' | 'nextContactAt'>
>;

/** A corrected debt keeps what was imported first, by which an unchanged file is recognised. */
export const correctDebtColumns = (tx: Tx, debtId: string, columns: CorrectedColumns) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ ...columns, updatedAt: NOW })
    .$if(columns.originalAmountCentavos !== undefined || columns.dueDate !== undefined, (query) =>
      query.set({
        importedAmountCentavos: sql<number>`coalesce(imported_amount_centavos, original_amount_centavos)`,
        importedDueDate: sql<string>`coalesce(imported_due_date, due_date)`,
      }),
    )
    .where('id', '=', debtId)
    .execute();

/**
 * Returns whether a message about the debt went to this phone, or came from it. The timeline knows them all; one that was
 * purged may have had some.
 */
export async function hasMessagesOn(tx: Tx, debtId: string, phone: string): Promise<boolean> {
  const message = await queriesIn(tx)
    // Under row security a comparison with `->>`, which is not leakproof, reaches no index, so the ids are read first.
    .with(
      (cte) => cte('entries').materialized(),
      (from) =>
        from
          .selectFrom('debt_events')
          .select(sql<string | null>`(data ->> 'messageId')::uuid`.as('messageId'))
          .where('debtId', '=', debtId),
    )
    .selectFrom('entries')
    .innerJoin('messages', 'messages.id', 'entries.messageId')
    .select('messages.id')
    .where(({ eb, or }) => or([eb('messages.phone', '=', phone), eb('messages.phone', 'is', null)]))
    .limit(1)
    .executeTakeFirst();
  return message !== undefined || (await wasPurged(tx, debtId));
}

const wasPurged = async (tx: Tx, debtId: string): Promise<boolean> =>
  (await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('id', '=', debtId)
    .where('timelinePurgedAt', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** A debt with one phone has no row in the list. */
export async function replacePhones(
  tx: Tx,
  { id, clientId }: Pick<Debt, 'id' | 'clientId'>,
  phones: readonly string[],
): Promise<void> {
  await queriesIn(tx).deleteFrom('debt_phones').where('debtId', '=', id).execute();
  if (phones.length < 2) return;
  await queriesIn(tx)
    .insertInto('debt_phones')
    .values(phones.map((phone, index) => ({ debtId: id, clientId, phone, position: index + 1 })))
    .execute();
}

/**
 * Replaces all codes of a debt, by whichever of its rows, that can still be paid: nobody is shown them any more, and the workflow or the
 * reconciliation cancels them at the provider. A request for a code that is under way may still make it.
 */
export const supersedeCharges = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({
      supersededAt: NOW,
      status: sql<PaymentStatus>`case when provider_payment_id is null then 'CANCELLED' else status end`,
      askAt: sql<Date | null>`case when provider_payment_id is null then ask_at else ${NOW} end`,
      updatedAt: NOW,
    })
    .where('debtId', 'in', idsOfRows(debtId))
    .where('status', '=', 'PENDING')
    .where('supersededAt', 'is', null)
    .execute();
