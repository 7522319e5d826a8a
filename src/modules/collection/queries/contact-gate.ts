import { type Insertable, sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { PHONE_OF_MESSAGE } from '../../debts/queries/debt-phones.ts';
import type { Person } from '../../debts/queries/persons.ts';
import { insertLedgerRows, type NewLedgerRows } from '../../messaging/queries/contact-ledger.ts';
import { CONTACT_PURPOSES } from '../../policy/rules/contact-policy.ts';

type NewMessage = Pick<
  Insertable<Tables['messages']>,
  | 'id'
  | 'clientId'
  | 'debtId'
  | 'alsoAbout'
  | 'channel'
  | 'purpose'
  | 'senderId'
  | 'phone'
  | 'text'
  | 'textVersion'
  | 'attemptKey'
  | 'at'
>;

interface NewContact {
  readonly message: NewMessage;
  /** Of every form of the text: see `keepSentTexts`. */
  readonly hashes: readonly Buffer[];
  readonly ledger: NewLedgerRows;
}

/**
 * Books a contact: its message, what "É verdade?" knows of it, its booking and the reservations of its debts. An attempt
 * that has booked one already fails.
 */
export const bookContact = (tx: Tx, { message, hashes, ledger }: NewContact) =>
  book.run(tx, { ...message, hashes, ...ledger });

const book = prepared('contact_book', (queries, given: NewMessage & NewLedgerRows & Pick<NewContact, 'hashes'>) =>
  insertLedgerRows(
    queries
      .with('message', (from) =>
        from.insertInto('messages').values({
          id: given.id,
          clientId: given.clientId,
          debtId: given.debtId,
          alsoAbout: given.alsoAbout,
          channel: given.channel,
          purpose: given.purpose,
          senderId: given.senderId,
          phone: given.phone,
          text: given.text,
          textVersion: given.textVersion,
          attemptKey: given.attemptKey,
          at: given.at,
          direction: 'out',
          delivery: 'booked',
          hashKept: true,
        }),
      )
      .with('texts', (from) =>
        from
          .insertInto('sent_texts')
          .columns(['clientId', 'sandbox', 'hash'])
          .expression((each) =>
            each
              .selectFrom(sql<{ hash: Buffer }>`unnest(${given.hashes}::bytea[])`.as<'given'>(sql`given(hash)`))
              .select([
                sql<string>`${given.clientId}::uuid`.as('clientId'),
                sql<boolean>`${given.sandbox}::boolean`.as('sandbox'),
                'hash',
              ]),
          ),
      ),
    given,
  ),
);

/** `pausedAt` is set when the debt waits for the end of a pause; a schedule looks for such debts. */
export const setNextContact = (
  tx: Tx,
  debtId: string,
  { nextContactAt, pausedAt }: { readonly nextContactAt: Date | null; readonly pausedAt: Date | null },
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ nextContactAt, pausedAt, updatedAt: NOW })
    .where('id', '=', debtId)
    .execute();

/**
 * Returns how many messages of the sequence, or reminders, to the person's phone failed since the last one that did not
 * fail, and whether one did not fail on a phone that is in use for an open debt of the person. Failures of the sender
 * do not count.
 */
export async function failedContacts(
  tx: Tx,
  { debtorTaxId, sandbox, phone }: Person & { readonly phone: string },
): Promise<{ readonly failures: number; readonly reached: boolean }> {
  return queriesIn(tx)
    .with('contacts', (queries) =>
      queries
        .selectFrom('messages')
        .innerJoin('debts', 'debts.id', 'messages.debtId')
        .select(['messages.createdAt', 'messages.delivery', PHONE_OF_MESSAGE.as('phone')])
        .where('debts.debtorTaxId', '=', debtorTaxId)
        .where('debts.sandbox', '=', sandbox)
        .where('messages.purpose', 'in', CONTACT_PURPOSES)
        .where('messages.senderFailed', '=', false)
        .where('messages.delivery', '<>', 'waiting'),
    )
    .selectFrom('contacts')
    .select(({ fn }) =>
      fn
        .countAll<number>()
        .filterWhere('delivery', '=', 'failed')
        .filterWhere('phone', '=', phone)
        .filterWhere('createdAt', '>', ({ fn, selectFrom }) =>
          fn.coalesce(
            selectFrom('contacts')
              .select(({ fn }) => fn.max('contacts.createdAt').as('last'))
              .where('contacts.delivery', '<>', 'failed')
              .where('contacts.phone', '=', phone),
            sql<Date>`'-infinity'`,
          ),
        )
        .as('failures'),
    )
    .select(({ eb, selectFrom }) => {
      const inUse = selectFrom('debts')
        .select('debts.debtorPhone')
        .where('debts.debtorTaxId', '=', debtorTaxId)
        .where('debts.sandbox', '=', sandbox)
        .where('debts.status', 'in', LIVE_DEBT_STATUSES);
      const reached = eb.and([eb('delivery', '<>', 'failed'), eb('phone', 'in', inUse)]);
      return sql<boolean>`coalesce(bool_or(${reached}), false)`.as('reached');
    })
    .executeTakeFirstOrThrow();
}

/** A message that is still booked after this time was left behind by a process that ended. */
const SENDING_TAKES = sql<Date>`quita_now() - interval '10 minutes'`;

/** Tells whether the latest contact about the debt is being sent, so that nobody knows yet whether it was made. */
export const isContactBeingSent = async (tx: Tx, debtId: string): Promise<boolean> =>
  undefined !==
  (await queriesIn(tx)
    .selectFrom('messages')
    .select('id')
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('debt_events')
        .select(sql<string>`(data ->> 'messageId')::uuid`.as('messageId'))
        .where('debtId', '=', debtId)
        .where('kind', '=', 'verdict')
        .where(sql<boolean>`data ->> 'messageId' is not null`)
        .orderBy('seq', 'desc')
        .limit(1),
    )
    .where('delivery', '=', 'booked')
    .where('createdAt', '>', SENDING_TAKES)
    .executeTakeFirst());

/**
 * Returns those of the debts about which a message of the sequence, or a reminder, was made after the given message and
 * did not fail.
 */
export async function debtsContactedLater(tx: Tx, messageId: string, debtIds: readonly string[]): Promise<string[]> {
  const rows = await queriesIn(tx)
    .selectFrom('debt_events')
    .innerJoin('messages', (join) => join.on(sql<boolean>`messages.id = (debt_events.data ->> 'messageId')::uuid`))
    .select('debt_events.debtId')
    .distinct()
    .where('debt_events.debtId', '=', anyOf(debtIds, 'uuid'))
    .where('debt_events.kind', '=', 'verdict')
    .where('messages.purpose', 'in', CONTACT_PURPOSES)
    .where('messages.staff', '=', false)
    .where('messages.delivery', '<>', 'failed')
    .where('messages.createdAt', '>', ({ selectFrom }) =>
      selectFrom('messages as given').select('given.createdAt').where('given.id', '=', messageId),
    )
    .execute();
  return rows.map(({ debtId }) => debtId);
}

/** Counts a step as done, or a reminder as made, although no message was sent. The debt is live and locked. */
export const passStep = (
  tx: Tx,
  debtId: string,
  passed: { readonly step: number; readonly remindedAt: Date | null; readonly nextContactAt: Date },
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ ...passed, pausedAt: null, updatedAt: NOW })
    .where('id', '=', debtId)
    .execute();

/** Sets the step and the last reminder of a debt back, unless the debtor or the client has ended the debt meanwhile. */
export const setStepBack = (
  tx: Tx,
  debtId: string,
  { step, remindedAt }: { readonly step: number; readonly remindedAt: Date | null },
  nextContactAt: Date | null,
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ step, remindedAt, nextContactAt, updatedAt: NOW })
    .where('id', '=', debtId)
    .where('status', 'in', LIVE_DEBT_STATUSES)
    .execute();

/**
 * Returns when the latest wait for a free slot began, or null when the debt does not wait. A wait begins after the last
 * event that is not itself a result of waiting.
 */
export async function waitingSince(tx: Tx, debtId: string): Promise<Date | null> {
  const { since } = await queriesIn(tx)
    .selectFrom('debt_events')
    .select(({ fn }) => fn.min('at').as('since'))
    .where('debtId', '=', debtId)
    .where('kind', '=', 'verdict')
    .where(sql<boolean>`data -> 'rules' = '["scheduling"]'::jsonb`)
    .where('seq', '>', ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom('debt_events')
          .select(({ fn }) => fn.max('seq').as('last'))
          .where('debtId', '=', debtId)
          .where('kind', '<>', 'charge_created')
          .where(
            sql<boolean>`not (kind = 'verdict' and data -> 'rules' <@ '["scheduling", "window", "holidays"]'::jsonb)`,
          ),
        sql.lit(0),
      ),
    )
    .executeTakeFirstOrThrow();
  return since;
}
