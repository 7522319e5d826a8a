import { type RawBuilder, sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { anyOf, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtContexts } from '../../debts/queries/debt-context.ts';
import type { Person } from '../../debts/queries/persons.ts';
import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';

/** A text without regard to capitals and blanks, by which two messages are compared. */
const folded = (text: RawBuilder<string>) => sql<string>`lower(regexp_replace(btrim(${text}), '\\s+', ' ', 'g'))`;

/** Is true for a message of the same phone. A message without one is of the only phone of its debt. */
const isOfSamePhone = (as: 'earlier' | 'ours') =>
  sql<boolean>`coalesce(${sql.ref(`${as}.phone`)} = messages.phone, true)`;

/** How many earlier messages of a debt a message is compared with, so that a flood of messages stays cheap. */
const MAX_COMPARED = 200;

/**
 * Returns the unhandled messages of the debtor in the order of their arrival, each with whether it came within `fastMs`
 * after one of ours to the same phone, whether the same text came from there before, and whether that was answered.
 */
export const unhandledMessages = (
  tx: Tx,
  debtId: string,
  { limit, fastMs }: { readonly limit: number; readonly fastMs: number },
) =>
  queriesIn(tx)
    .selectFrom('messages')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom((recent) =>
            recent
              .selectFrom('messages as earlier')
              .select(['earlier.text', 'earlier.answered', 'earlier.phone'])
              .where('earlier.debtId', '=', debtId)
              .where('earlier.direction', '=', 'in')
              .where('earlier.handledAt', 'is not', null)
              .orderBy('earlier.createdAt', 'desc')
              .limit(MAX_COMPARED)
              .as('earlier'),
          )
          .select([sql<boolean>`count(*) > 0`.as('isRepeated')])
          .select(sql<boolean>`coalesce(bool_or(earlier.answered), false)`.as('wasAnswered'))
          .where(folded(sql.ref<string>('earlier.text')), '=', folded(sql.ref<string>('messages.text')))
          // An attachment without a text repeats nothing.
          .where(sql<boolean>`messages.text ~ '\\S'`)
          .where(isOfSamePhone('earlier'))
          .as('same'),
      (join) => join.onTrue(),
    )
    .select([
      'messages.id',
      'messages.text',
      'messages.phone',
      'messages.channel',
      'messages.at',
      'messages.channelMessageId',
      'messages.senderId',
      'messages.button',
      'messages.appliedAt',
      'messages.createdAt',
      'same.isRepeated',
      'same.wasAnswered',
    ])
    .select(
      sql<
        AttachmentKind[]
      >`array(select attachments.kind from attachments where attachments.message_id = messages.id)`.as('files'),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as ours')
          .select('ours.id')
          .where('ours.debtId', '=', debtId)
          .where('ours.direction', '=', 'out')
          .where('ours.delivery', '<>', 'waiting')
          .where(isOfSamePhone('ours'))
          .whereRef('ours.createdAt', '<=', 'messages.createdAt')
          .where(
            'ours.createdAt',
            '>',
            sql<Date>`messages.created_at - make_interval(secs => ${fastMs}::float8 / 1000)`,
          ),
      )
        .$castTo<boolean>()
        .as('isFast'),
    )
    .where('messages.debtId', '=', debtId)
    .where('messages.direction', '=', 'in')
    .where('messages.handledAt', 'is', null)
    .orderBy('messages.createdAt')
    .orderBy('messages.id')
    .limit(limit)
    .execute();

export type ReceivedMessage = Awaited<ReturnType<typeof unhandledMessages>>[number];

/** Marks messages as handled, and returns those that were unhandled before. */
export const setHandled = (
  tx: Tx,
  messageIds: readonly string[],
  { intent, automatic }: { readonly intent: string | null; readonly automatic: boolean },
) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({ handledAt: NOW, intent, automatic })
    .where('id', '=', anyOf(messageIds, 'uuid'))
    .where('handledAt', 'is', null)
    .returning('id')
    .execute();

/** What messages say has taken effect, whether or not they are answered yet. */
export const setApplied = (tx: Tx, messageIds: readonly string[]) =>
  queriesIn(tx).updateTable('messages').set({ appliedAt: NOW }).where('id', '=', anyOf(messageIds, 'uuid')).execute();

export const setAnswered = (tx: Tx, messageIds: readonly string[]) =>
  queriesIn(tx).updateTable('messages').set({ answered: true }).where('id', '=', anyOf(messageIds, 'uuid')).execute();

export const setUnhandled = (tx: Tx, messageIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({ handledAt: null, answered: false })
    .where('id', '=', anyOf(messageIds, 'uuid'))
    .execute();

/**
 * Returns how many replies about a debt were sent since then, and whether one of them, since `textSince` or at any time,
 * took this text to this phone.
 */
export const repliesOfDebt = (
  tx: Tx,
  debtId: string,
  {
    phone,
    texts,
    withPix,
    since,
    textSince,
  }: {
    readonly phone: string;
    readonly texts: readonly string[];
    /** The texts above a Pix code: the same one above another code is another answer. */
    readonly withPix: { readonly texts: readonly string[]; readonly chargeId: string } | null;
    readonly since: Date;
    readonly textSince: Date | null;
  },
) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select(sql<number>`count(*) filter (where purpose = 'reply' and at >= ${since})`.as('since'))
    .select(
      sql<boolean>`coalesce(bool_or(((charge_id is null and text = ${anyOf(texts, 'text')})
        or (charge_id = ${withPix?.chargeId ?? null}::uuid and text = ${anyOf(withPix?.texts ?? [], 'text')})) and coalesce(phone = ${phone}, true)
        and coalesce(at >= ${textSince}::timestamptz, true)), false)`.as('hadThisText'),
    )
    .where('debtId', '=', debtId)
    .where('direction', '=', 'out')
    .where('purpose', 'in', ['reply', 'opt_out_confirmation'])
    // The limits keep two machines from answering each other; what staff write is no automatic reply.
    .where('staff', '=', false)
    .where('delivery', '<>', 'failed')
    .executeTakeFirstOrThrow();

/** Frees the attempt, so that it may book another message. */
export const freeAttempt = (tx: Tx, messageId: string) =>
  queriesIn(tx).updateTable('messages').set({ attemptKey: null }).where('id', '=', messageId).execute();

/** Returns the other debts of the person in these statuses. */
export const debtsOfPersonIn = (
  tx: Tx,
  { id, debtorTaxId, sandbox }: Person & { readonly id: string },
  statuses: readonly DebtStatus[],
) =>
  debtContexts(tx)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.sandbox', '=', sandbox)
    .where('debts.id', '<>', id)
    .where('debts.status', 'in', statuses)
    .orderBy('debts.id')
    .execute();

/** Returns the debts of the person whose phone in use this is, unless they are STOPPED. */
export const debtsOnPhone = (tx: Tx, { debtorTaxId, sandbox }: Person, phone: string) =>
  debtContexts(tx)
    .where('debts.debtorTaxId', '=', debtorTaxId)
    .where('debts.debtorPhone', '=', phone)
    .where('debts.sandbox', '=', sandbox)
    .where('debts.status', '<>', 'STOPPED')
    .orderBy('debts.id')
    .execute();

/**
 * Closes the page of every debt of the person and the person's page, because a stranger may have the addresses. The
 * next message makes another address of the person's page.
 */
export async function closePages(tx: Tx, { debtorTaxId, sandbox }: Person): Promise<void> {
  await queriesIn(tx)
    .updateTable('debts')
    .set({ pageClosedAt: NOW, updatedAt: NOW })
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('pageClosedAt', 'is', null)
    .execute();
  await queriesIn(tx)
    .updateTable('debtor_pages')
    .set({ closedAt: NOW })
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('closedAt', 'is', null)
    .execute();
}

/**
 * Marks all debts of the person whose phone in use this is, because nothing of them may be shown to its owner; with
 * `orListed` also those that only have it among their phones.
 */
export const setWrongPerson = (
  tx: Tx,
  { debtorTaxId, sandbox }: Person,
  { phone, orListed }: { readonly phone: string; readonly orListed: boolean },
) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ wrongPersonAt: NOW, updatedAt: NOW })
    .where('debtorTaxId', '=', debtorTaxId)
    .where('sandbox', '=', sandbox)
    .where('wrongPersonAt', 'is', null)
    .where((debt) => {
      const listed = debt.selectFrom('debt_phones').select('debt_phones.debtId').where('debt_phones.phone', '=', phone);
      return debt.or([debt('debtorPhone', '=', phone), ...(orListed ? [debt('id', 'in', listed)] : [])]);
    })
    .execute();
