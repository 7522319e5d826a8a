import { sql } from 'kysely';
import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The phones of a row of `debts` that has several, in their order; empty for a debt with one. */
export const PHONES_OF_DEBT = sql<string[]>`array(select debt_phones.phone from debt_phones
  where debt_phones.debt_id = debts.id order by debt_phones.position)`;

/** The debtor's phone of a message that is joined with its debt. A message without one went to the only phone. */
export const PHONE_OF_MESSAGE = sql<string>`coalesce(messages.phone, debts.debtor_phone)`;

/**
 * Returns the debt that a message from a phone is about, with the stored spelling of the number. `phones` are the ways
 * to write it, the best one first. When one phone has several debts, the debt with the newest conversation on that phone
 * is returned. Without any conversation a debt comes first whose phone in use it is, and then the one imported last.
 */
export const debtOfPhone = (tx: Tx, phones: readonly string[], sandbox: boolean) =>
  queriesIn(tx)
    .with('matches', (queries) =>
      queries
        .selectFrom('debts')
        .select(['id', 'debtorPhone as phone', sql<boolean>`true`.as('inUse')])
        .where('debtorPhone', '=', anyOf(phones, 'text'))
        .union(
          queries
            .selectFrom('debt_phones')
            .innerJoin('debts', 'debts.id', 'debt_phones.debtId')
            .select(['debts.id', 'debt_phones.phone', sql<boolean>`debts.debtor_phone = debt_phones.phone`.as('inUse')])
            .where('debt_phones.phone', '=', anyOf(phones, 'text')),
        ),
    )
    .selectFrom('matches')
    .innerJoin('debts', 'debts.id', 'matches.id')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('messages')
          .select((message) => message.fn.max('messages.createdAt').as('at'))
          .whereRef('messages.debtId', '=', 'matches.id')
          .where(PHONE_OF_MESSAGE, '=', (message) => message.ref('matches.phone'))
          .as('talk'),
      (join) => join.onTrue(),
    )
    .select(['matches.id', 'matches.phone', 'debts.debtorTaxId', 'talk.at as talkedAt'])
    .where('debts.sandbox', '=', sandbox)
    .orderBy(sql`array_position(${phones}::text[], matches.phone)`)
    .orderBy('talk.at', (order) => order.desc().nullsLast())
    .orderBy('matches.inUse', 'desc')
    .orderBy('debts.createdAt', 'desc')
    .orderBy('debts.id')
    .limit(1)
    .executeTakeFirst();

/** Makes another phone the one in use, and plans the next contact on it. */
export const setPhoneInUse = (
  tx: Tx,
  debtId: string,
  next: {
    readonly phone: string;
    readonly step: number;
    readonly remindedAt: Date | null;
    readonly nextContactAt: Date | null;
  },
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({
      debtorPhone: next.phone,
      step: next.step,
      remindedAt: next.remindedAt,
      nextContactAt: next.nextContactAt,
      pausedAt: null,
      updatedAt: NOW,
    })
    .where('id', '=', debtId)
    .execute();
