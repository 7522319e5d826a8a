import { sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import { anyOf, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { DUTY_ENDS } from '../../receipts/queries/receipt-shortening.ts';

export const DEBTS_OF_PERSON = prepared('find_debts_of_person', (queries, { taxId }: { readonly taxId: string }) =>
  queries
    .selectFrom('debts')
    .select(['id', 'clientId', 'status'])
    .where('debtorTaxId', '=', taxId)
    .orderBy('clientId')
    .orderBy('id'),
);

/** The empty text of an erased debt. */
export const TAX_ID_OF_DEBT = prepared('tax_id_of_debt', (queries, { debtId }: { readonly debtId: string }) =>
  queries.selectFrom('debts').select('debtorTaxId').where('id', '=', debtId),
);

/** Debts of a person with one client as an erasure finds them, and how many there are of each kind. */
export const debtsToErase = (
  tx: Tx,
  {
    clientId,
    taxId,
    statuses,
    limit,
  }: {
    readonly clientId: string;
    readonly taxId: string;
    readonly statuses: readonly DebtStatus[];
    readonly limit: number;
  },
) =>
  queriesIn(tx)
    .with('found', (queries) =>
      queries
        .selectFrom('debts')
        .select(['id', 'invoiceId', 'status', IS_BUSY.as('busy')])
        .select(sql<boolean>`status = any(${statuses}::text[])`.as('closed'))
        .where('clientId', '=', clientId)
        .where('debtorTaxId', '=', taxId),
    )
    .selectFrom('found')
    .select(['id', 'invoiceId', 'status', 'busy', 'closed'])
    .select([
      sql<number>`(count(*) filter (where closed and not busy) over ())::int`.as('erasable'),
      sql<number>`(count(*) filter (where not closed or busy) over ())::int`.as('kept'),
    ])
    // What will be erased comes first, so that a list that is cut has it.
    .orderBy(sql`closed and not busy`, 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

const AT_MILLISECONDS = sql<Date>`quita_now()::timestamptz(3)`;

/**
 * Whether there is still work to do about a debt: a message of the debtor is not handled yet, or a payment that settled it
 * has no receipt yet. The code of an earlier row of the debt may have been paid, and the receipt names who stands in the
 * current one. Like a part, the payment of an instalment settles nothing by itself.
 */
export const IS_BUSY = sql<boolean>`(
  exists (select from messages where messages.debt_id = debts.id and messages.direction = 'in' and messages.handled_at is null)
  or exists (select from debts as charged join charges on charges.debt_id = charged.id
    left join receipts on receipts.charge_id = charges.id
    where charged.identity_id = debts.identity_id and charges.approved_at is not null and not charges.duplicate
      and charges.underpaid_at is null and charges.agreement_id is null
      and receipts.pdf is null and receipts.shortened_at is null))`;

/**
 * Erases the person from the debts that have one of `statuses` and are not busy. The score stays as a number without its
 * reasons.
 */
export const eraseDebts = (
  tx: Tx,
  clientId: string,
  { taxId, key, statuses }: { readonly taxId: string; readonly key: string; readonly statuses: readonly DebtStatus[] },
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({
      debtorName: '(dados apagados)',
      nameKey: '',
      debtorPhone: '',
      debtorTaxId: '',
      debtorEmail: null,
      debtorEmails: null,
      consentAt: null,
      consentSource: null,
      description: null,
      erasedPersonKey: key,
      scoreReasons: null,
      erasedAt: AT_MILLISECONDS,
      updatedAt: AT_MILLISECONDS,
    })
    .where('debts.clientId', '=', clientId)
    .where('debts.debtorTaxId', '=', taxId)
    .where('debts.status', '=', sql<DebtStatus>`any(${statuses}::text[])`)
    .where(sql<boolean>`not ${IS_BUSY}`)
    .returning(['id', 'clientId', 'status'])
    .execute();

/** Messages in both directions name the person, and a channel's message id may contain the phone number. */
export const eraseMessages = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({ text: '', document: null, intent: null, button: null, phone: null, channelMessageId: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .execute();

/** What a client has learned of the person on its channels, and the files that the person sent. */
export async function eraseChannelData(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await queriesIn(tx).deleteFrom('recipients').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
  await queriesIn(tx).deleteFrom('attachments').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
}

export const erasePhones = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).deleteFrom('debt_phones').where('debtId', '=', anyOf(debtIds, 'uuid')).execute();

/** What the client's staff wrote about a payment may name the person. */
export async function eraseNotes(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await queriesIn(tx)
    .updateTable('charges')
    .set({ note: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('note', 'is not', null)
    .execute();
  await queriesIn(tx)
    .updateTable('refunds')
    .set({ reason: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('reason', 'is not', null)
    .execute();
}

export const eraseSandboxOutbox = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('sandbox_outbox')
    // The column of the property `to` has another name.
    .set(sql.ref<string>('recipient'), '')
    .set({ text: '', document: null, pixCode: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .execute();

export const eraseSandboxActs = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('sandbox_acts')
    .set({ text: null, phone: null })
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .execute();

/**
 * Deletes reservations, and bookings that no cap counts any more. Later bookings still protect the person. Bookings are
 * found by their messages, because no index has the debt of a booking.
 */
export async function deleteOldContacts(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await queriesIn(tx)
    .deleteFrom('contact_ledger')
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .where('kind', '=', sql.lit('reservation' as const))
    .execute();
  await queriesIn(tx)
    .deleteFrom('contact_ledger')
    .where('messageId', 'in', (from) =>
      from.selectFrom('messages').select('messages.id').where('messages.debtId', '=', anyOf(debtIds, 'uuid')),
    )
    .where('at', '<', sql<Date>`quita_now() - make_interval(days => ${sql.lit(COUNTED_CONTACT_DAYS)})`)
    .execute();
}

export const receiptsOfDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('receipts')
    .innerJoin('charges', 'charges.id', 'receipts.chargeId')
    .innerJoin('debts', 'debts.id', 'receipts.debtId')
    .select(['receipts.protocol', 'receipts.debtId'])
    // The law requires the whole document until then.
    .select(DUTY_ENDS.as('dutyEnds'))
    // True when the duty had ended and the debtor's data was removed from the receipt.
    .select((receipt) => receipt('receipts.shortenedAt', 'is not', null).$castTo<boolean>().as('shortened'))
    .where('receipts.debtId', '=', anyOf(debtIds, 'uuid'))
    .where((receipt) =>
      receipt.or([receipt('receipts.pdf', 'is not', null), receipt('receipts.shortenedAt', 'is not', null)]),
    )
    .orderBy('receipts.issuedAt')
    .orderBy('receipts.id')
    .execute();
