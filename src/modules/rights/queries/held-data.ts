import { type NotNull, sql } from 'kysely';
import { OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { Instalment } from '../../agreements/rules/instalments.ts';
import { debtContexts } from '../../debts/queries/debt-context.ts';
import type { Person } from '../../debts/queries/persons.ts';
import { ROW_OF_PERSON } from '../../debts/queries/row-of-person.ts';

/**
 * The debts that a client holds of a person, also those of drafts, each as its last row that names the person: an import
 * may have given a debt another person since, of whom nothing is asked here. Those that are still owed come first.
 */
const held = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  debtContexts(tx)
    .select(['debts.createdAt as importedAt', 'debts.scoreReasons', 'debts.scoredAt', 'debts.debtorEmails'])
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where(({ eb, ref }) => eb(ROW_OF_PERSON, '=', ref('debts.id')))
    .where('debts.erasedAt', 'is', null)
    .orderBy(
      ({ eb, and }) => and([eb('debts.continuedBy', 'is', null), eb('debts.status', 'in', OWED_DEBT_STATUSES)]),
      'desc',
    )
    .orderBy('debts.dueDate')
    .orderBy('debts.id');

/** So many debts with all that decides about them are read without a pause for other requests. */
const DEBTS_AT_ONCE = 100;

/** Returns all of them, however many: what a person says counts for each, and the copy leaves none out. */
export async function debtsHeld(tx: Tx, person: Person): Promise<readonly HeldDebt[]> {
  const ids = (await held(tx, person).clearSelect().select('debts.id').execute()).map(({ id }) => id);
  const found = new Map<string, HeldDebt>();
  for (let at = 0; at < ids.length; at += DEBTS_AT_ONCE) {
    const part = ids.slice(at, at + DEBTS_AT_ONCE);
    for (const debt of await held(tx, person).where('debts.id', 'in', part).execute()) found.set(debt.id, debt);
  }
  return [...found.values()];
}

/** Returns the one with the id, or the first. */
export const debtHeld = (tx: Tx, person: Person, id: string | null = null) =>
  held(tx, person)
    .$if(id !== null, (query) => query.where('debts.id', '=', id))
    .limit(1)
    .executeTakeFirst();

export type HeldDebt = NonNullable<Awaited<ReturnType<typeof debtHeld>>>;

/**
 * Returns the e-mails in use of a person. The earlier rows of a debt have theirs too: when the import that continued one
 * is undone, that row is the current one again.
 */
export const emailsInUse = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['id', 'debtorEmail', 'debtorEmails', 'clockOffsetMs'])
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('debtorEmail', 'is not', null)
    .where('erasedAt', 'is', null)
    .orderBy('id')
    .$narrowType<{ debtorEmail: NotNull }>()
    .execute();

export type EmailInUse = Awaited<ReturnType<typeof emailsInUse>>[number];

/** The rules of the verdict by which a message was booked as a contact; null for one that was none. */
const RULES = sql<readonly string[] | null>`(
  select debt_events.data -> 'ruleIds' from debt_events
  where debt_events.debt_id = messages.debt_id and debt_events.kind = 'verdict'
    and debt_events.data ->> 'messageId' = messages.id::text
  order by debt_events.seq desc limit 1)`;

/** Returns what was written to the person and by the person, the latest first. */
export const contactsOf = (tx: Tx, { debtorTaxId, sandbox }: Person, limit: number) =>
  queriesIn(tx)
    .selectFrom('messages')
    .innerJoin('debts', 'debts.id', 'messages.debtId')
    .select(['messages.at', 'messages.channel', 'messages.direction', 'messages.purpose', 'messages.text'])
    .select(['messages.delivery', 'messages.staff', 'messages.automatic', RULES.as('ruleIds')])
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('messages.at', 'desc')
    .orderBy('messages.id')
    .limit(limit)
    .execute();

/**
 * Returns the agreements that still name the person. The rows that were agreed about may be erased, while other debts of
 * the agreement, or rows that were imported of these since, are still owed by it.
 */
export const agreementsHeld = (tx: Tx, { debtorTaxId, sandbox }: Person, personKey: string) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .select(['agreements.protocol', 'agreements.status', 'agreements.totalCentavos', 'agreements.discountCentavos'])
    .select(['agreements.acceptedAt', sql<readonly Instalment[]>`agreements.instalments`.as('instalments')])
    .where('agreements.id', 'in', ({ selectFrom }) =>
      selectFrom('agreement_debts')
        .innerJoin('debts', 'debts.id', 'agreement_debts.debtId')
        .select('agreement_debts.agreementId')
        .where(({ eb, or }) =>
          or([eb('debts.debtorTaxId', '=', debtorTaxId), eb('debts.erasedPersonKey', '=', personKey)]),
        )
        .where('debts.sandbox', '=', sandbox),
    )
    .where('agreements.acceptedText', '<>', '')
    .orderBy('agreements.acceptedAt', 'desc')
    .execute();

/** Returns the money that came from the person or for them, with the receipts. */
export const paymentsHeld = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('charges')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .leftJoin('receipts', (join) =>
      join.onRef('receipts.chargeId', '=', 'charges.id').on('receipts.pdf', 'is not', null),
    )
    .select(['charges.paidAt', 'charges.paidCentavos', 'charges.refundedCentavos', 'charges.method'])
    .select(['debts.invoiceId', 'receipts.protocol'])
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where('charges.paidCentavos', '>', 0)
    .where('charges.partOf', 'is', null)
    .orderBy('charges.createdAt', 'desc')
    .orderBy('charges.id')
    .execute();

/** Returns what the client has listed of the person at credit bureaus, as it says, also what it has removed. */
export const listingsHeld = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('bureau_listings')
    .innerJoin('debts', 'debts.id', 'bureau_listings.debtId')
    .select(['bureau_listings.bureau', 'bureau_listings.notifiedOn', 'bureau_listings.listedOn'])
    .select(['bureau_listings.removeBy', 'bureau_listings.removedOn', 'debts.invoiceId'])
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('bureau_listings.createdAt', 'desc')
    .orderBy('bureau_listings.id')
    .execute();

/** Returns the annual quittances of the person, the revoked ones too, because the copy has all that is held. */
export const quittancesHeld = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('annual_quittances')
    .innerJoin('debts', 'debts.id', 'annual_quittances.debtId')
    .select(['annual_quittances.protocol', 'annual_quittances.year', 'annual_quittances.issuedAt'])
    .select(['annual_quittances.revokedAt'])
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .orderBy('annual_quittances.year', 'desc')
    .orderBy('annual_quittances.issuedAt', 'desc')
    .execute();
