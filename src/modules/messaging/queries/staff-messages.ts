import { type Insertable, type NotNull, sql } from 'kysely';
import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { PHONE_OF_MESSAGE } from '../../debts/queries/debt-phones.ts';
import type { Person } from '../../debts/queries/persons.ts';

/** The agent answers these with the news that a person will; so only a message of a person answers them. */
const ONLY_A_PERSON_ANSWERS = ['human', 'hardship', 'negotiate', 'dispute'];

/**
 * Returns the last message that the person has written, about whichever debt, with whether it waits for an answer. What
 * a machine wrote does not count.
 */
export const lastWrittenBy = (tx: Tx, { debtorTaxId, sandbox }: Person) =>
  queriesIn(tx)
    .selectFrom('messages')
    .innerJoin('debts', 'debts.id', 'messages.debtId')
    .select(['messages.at', 'messages.channel', 'debts.clockOffsetMs', PHONE_OF_MESSAGE.as('phone')])
    .select(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('messages as ours')
            .innerJoin('debts as about', 'about.id', 'ours.debtId')
            .select('ours.id')
            .where('about.debtorTaxId', '=', debtorTaxId)
            .where('about.sandbox', '=', sandbox)
            .where('ours.direction', '=', 'out')
            .where('ours.delivery', 'not in', ['waiting', 'failed'])
            .whereRef('ours.createdAt', '>', 'messages.createdAt')
            .where(({ or, and, eb }) =>
              or([
                eb('ours.staff', '=', true),
                and([
                  eb('ours.purpose', 'in', ['reply', 'opt_out_confirmation']),
                  sql<boolean>`coalesce(messages.intent <> all(${ONLY_A_PERSON_ANSWERS}::text[]), true)`,
                ]),
              ]),
            ),
        ),
      )
        .$castTo<boolean>()
        .as('waits'),
    )
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where('messages.direction', '=', 'in')
    .where('messages.automatic', '=', false)
    .orderBy('messages.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();

type NewMessage = Insertable<Tables['messages']>;

/** Stores what staff have written, which the debt's workflow sends. Returns nothing when it is stored already. */
export const insertStaffMessage = (
  tx: Tx,
  message: Pick<NewMessage, 'id' | 'clientId' | 'debtId' | 'channel' | 'phone' | 'text' | 'at'> & {
    readonly purpose: MessagePurpose;
  },
) =>
  queriesIn(tx)
    .insertInto('messages')
    .values({ ...message, direction: 'out', delivery: 'waiting', staff: true })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();

export const staffMessage = (tx: Tx, { debtId, id }: { readonly debtId: string; readonly id: string }) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select(['id', 'purpose', 'channel', 'at'])
    .where('id', '=', id)
    .where('debtId', '=', debtId)
    .where('staff', '=', true)
    .$narrowType<{ purpose: NotNull }>()
    .executeTakeFirst();

/** The messages of staff about a debt that wait to be sent, or whose sending was interrupted, the oldest first. */
export const OPEN_STAFF_MESSAGES = prepared('open_staff_messages', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('messages')
    .select(['id', 'purpose', 'text', 'at', 'delivery', 'alsoAbout', 'channel'])
    .where('debtId', '=', debtId)
    .where('staff', '=', true)
    .where('delivery', 'in', ['waiting', 'booked'])
    .orderBy('createdAt')
    .orderBy('id')
    .$narrowType<{ purpose: NotNull }>(),
);

/** Books a waiting message before it is sent. Returns nothing when another attempt has booked it already. */
export const bookStaffMessage = (
  tx: Tx,
  id: string,
  booking: Required<Pick<NewMessage, 'purpose' | 'phone' | 'channel' | 'senderId' | 'text' | 'at'>>,
) =>
  queriesIn(tx)
    .updateTable('messages')
    // The order of a conversation is that of sending.
    .set({ ...booking, delivery: 'booked', createdAt: NOW, hashKept: true })
    .where('id', '=', id)
    .where('delivery', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();

/** A message that is refused when it would be sent is not sent later either. */
export const refuseStaffMessage = (tx: Tx, id: string, failure: string) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({ delivery: 'failed', failure })
    .where('id', '=', id)
    .where('delivery', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
