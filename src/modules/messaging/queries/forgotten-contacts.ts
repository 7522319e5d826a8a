import { type Insertable, sql } from 'kysely';
import { anyOf, NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { KnownContact } from '../../debts/rules/debt-task.ts';

interface Known {
  readonly debtId: string;
  readonly contactIds: readonly string[];
  /** Both are null when the workflow has answered and settled nothing yet. */
  readonly heardSeq: number | null;
  readonly heardAt: Date | null;
}

/**
 * Returns whether the database lacks one of the contacts about the debt, or the entry of its timeline. A number of an
 * entry alone does not identify it, because a restored database gives the numbers that were lost again. An entry that
 * the client was already asked about is not missed a second time.
 */
export const FORGOTTEN_OF_DEBT = prepared('forgotten_of_debt', (queries, known: Known) =>
  queries.selectNoFrom(({ exists, selectFrom, not }) => [
    exists(
      selectFrom(sql<{ id: string }>`unnest(${known.contactIds}::uuid[])`.as<'contact'>(sql`contact (id)`))
        .select('contact.id')
        .where(({ selectFrom: from }) =>
          not(
            exists(
              from('messages')
                .select('messages.id')
                .whereRef('messages.id', '=', 'contact.id')
                .where(sql<boolean>`${known.debtId}::uuid = any (messages.also_about || messages.debt_id)`),
            ),
          ),
        ),
    ).as('contacts'),
    sql<boolean>`${known.heardSeq}::bigint is not null and not exists (
      select from debt_events where debt_id = ${known.debtId}::uuid and (
        (seq = ${known.heardSeq}::bigint and at = ${known.heardAt}::timestamptz)
        or (kind = 'needs_person' and data ->> 'forgotten' = ${known.heardSeq}::bigint::text)))`.as('conversation'),
  ]),
);

/** Reads in the transaction which of the contacts the database knows, and about which debts. */
export const messagesOfContacts = (tx: Tx, contacts: readonly KnownContact[]) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select(['id', 'debtId', 'alsoAbout'])
    .where(
      'id',
      '=',
      anyOf(
        contacts.map(({ id }) => id),
        'uuid',
      ),
    )
    .execute();

type NewMessage = Pick<
  Insertable<Tables['messages']>,
  'clientId' | 'debtId' | 'channel' | 'purpose' | 'text' | 'at'
> & {
  readonly id: string;
};

/** The id is also the key of the attempt: no attempt has it, and another attempt cannot book the contact again. */
export const insertForgottenMessage = (tx: Tx, message: NewMessage) =>
  queriesIn(tx)
    .insertInto('messages')
    .values({
      ...message,
      attemptKey: message.id,
      direction: 'out',
      delivery: 'unknown',
      alsoAbout: [],
    })
    .execute();

/** The contact was about this debt too. */
export const addDebtToMessage = (tx: Tx, messageId: string, debtId: string) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({ alsoAbout: sql<string[]>`also_about || ${debtId}::uuid` })
    .where('id', '=', messageId)
    .execute();

/** Keeps the moment of the last reminder that the database had forgotten. */
export const setReminded = (tx: Tx, debtId: string, at: Date) =>
  queriesIn(tx).updateTable('debts').set({ remindedAt: at, updatedAt: NOW }).where('id', '=', debtId).execute();

/** Counts contacts that the database had forgotten. */
export const raiseStep = (tx: Tx, debtId: string, contacts: number, mostSteps: number) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ step: sql<number>`least(step + ${contacts}, ${mostSteps})`, updatedAt: NOW })
    .where('id', '=', debtId)
    .execute();
