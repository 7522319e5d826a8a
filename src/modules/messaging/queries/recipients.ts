import { type Insertable, sql } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** One address of a person with a client. */
export interface RecipientKey {
  readonly clientId: string;
  readonly personKey: string;
  readonly phoneKey: string;
}

/** Returns the connected senders of a client with what is known of a person's address on each of their channels. */
export const sendersFor = (tx: Tx, { clientId, personKey, phoneKey }: RecipientKey, now: Date) =>
  queriesIn(tx)
    .selectFrom('channel_senders as sender')
    .leftJoin('recipients', (join) =>
      join
        .onRef('recipients.clientId', '=', 'sender.clientId')
        .onRef('recipients.channel', '=', 'sender.channel')
        .on('recipients.personKey', '=', personKey)
        .on('recipients.phoneKey', '=', phoneKey),
    )
    .select(['sender.channel', 'sender.senderId', 'sender.accountId', 'sender.state', 'sender.pausedUntil'])
    .select(['sender.quality', 'sender.peoplePerDay', 'sender.checkedAt', 'sender.pixCodes'])
    .select([
      'recipients.channelUserId',
      'recipients.reachedAt',
      'recipients.unreachableAt',
      'recipients.wroteAt',
      'recipients.movedAt',
    ])
    .select((sender) =>
      sender
        .selectFrom('channel_templates as template')
        .whereRef('template.clientId', '=', 'sender.clientId')
        .whereRef('template.channel', '=', 'sender.channel')
        .whereRef('template.accountId', '=', 'sender.accountId')
        .where('template.marketingFrom', '<=', now)
        .select(sql<string[]>`coalesce(array_agg(template.name), '{}')`.as('names'))
        .as('marketingTemplates'),
    )
    .where('sender.clientId', '=', clientId)
    .where('sender.replacedAt', 'is', null)
    .execute();

export type KnownSender = Awaited<ReturnType<typeof sendersFor>>[number];

type NewRecipient = RecipientKey & { readonly channel: RealChannel; readonly debtId: string };
type Learned = Pick<
  Insertable<Tables['recipients']>,
  'channelUserId' | 'reachedAt' | 'unreachableAt' | 'wroteAt' | 'movedAt' | 'freeFrom' | 'countedAt'
>;

/** Stores what was learned of an address. What is not named stays as it was. */
export const learnRecipient = (tx: Tx, recipient: NewRecipient, learned: Learned) =>
  queriesIn(tx)
    .insertInto('recipients')
    .values({ ...recipient, ...learned })
    .onConflict((conflict) =>
      conflict.constraint('recipients_address').doUpdateSet({
        ...learned,
        // A failure after which the channel rests for a day does not end the longer rest after another one.
        ...(learned.unreachableAt == null
          ? {}
          : { unreachableAt: sql<Date>`greatest(recipients.unreachable_at, excluded.unreachable_at)` }),
        // Messages are told in any order.
        ...(learned.wroteAt == null ? {} : { wroteAt: sql<Date>`greatest(recipients.wrote_at, excluded.wrote_at)` }),
        debtId: recipient.debtId,
        updatedAt: NOW,
      }),
    )
    .execute();

/** Stores that a person has not written to the address since `since`, by what is known of the time before `until`. */
export const setSilentSince = (
  tx: Tx,
  { clientId, channel, personKey, phoneKey }: NewRecipient,
  { since, until }: { readonly since: Date; readonly until: Date },
) =>
  queriesIn(tx)
    .updateTable('recipients')
    .set({ wroteAt: since, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('channel', '=', channel)
    .where('personKey', '=', personKey)
    .where('phoneKey', '=', phoneKey)
    .where('wroteAt', '>', since)
    .where('wroteAt', '<=', until)
    .execute();

/** Channels tell the time in whole seconds. */
const SECOND_MS = 1_000;

/** How a channel names a person who has changed the number, before and after. */
export interface MovedPerson {
  readonly channel: RealChannel;
  readonly fromUserId: string | null;
  readonly fromPhoneKeys: readonly string[];
  readonly toUserId: string | null;
  readonly toPhoneKey: string | null;
  /** When the channel says so. */
  readonly at: Date;
}

/**
 * Gives the addresses of a person who has changed the number the new id. They stay addresses of the same phone, so that
 * every wish about that phone still holds. A phone by which somebody has written since is of somebody else now.
 */
export const moveRecipients = (tx: Tx, { channel, fromUserId, fromPhoneKeys, toUserId, toPhoneKey, at }: MovedPerson) =>
  queriesIn(tx)
    .updateTable('recipients')
    .set({ channelUserId: toUserId, movedAt: at, ...(toPhoneKey === null ? {} : { movedToKey: toPhoneKey }) })
    .where('channel', '=', channel)
    .where(({ and, eb, or }) =>
      or([
        eb('channelUserId', '=', fromUserId),
        and([
          eb('phoneKey', '=', anyOf(fromPhoneKeys, 'text')),
          ...(fromUserId === null ? [] : [eb('channelUserId', 'is', null)]),
          or([eb('wroteAt', 'is', null), eb('wroteAt', '<', new Date(at.getTime() + SECOND_MS))]),
        ]),
      ]),
    )
    .execute();

/**
 * Takes the next turn of an address, and returns when it is. Two messages to it are at least `seconds` apart, as of
 * `now`, which is real time.
 */
export async function takeRecipientSlot(
  tx: Tx,
  recipient: NewRecipient,
  { now, seconds }: { readonly now: Date; readonly seconds: number },
): Promise<Date> {
  const apart = sql<Date>`make_interval(secs => ${seconds}::float8)`;
  const { freeFrom } = await queriesIn(tx)
    .insertInto('recipients')
    .values({ ...recipient, freeFrom: sql<Date>`${now}::timestamptz + ${apart}` })
    .onConflict((conflict) =>
      conflict.constraint('recipients_address').doUpdateSet({
        freeFrom: sql<Date>`greatest(coalesce(recipients.free_from, ${now}::timestamptz), ${now}::timestamptz) + ${apart}`,
        debtId: recipient.debtId,
      }),
    )
    .returning(sql<Date>`recipients.free_from - ${apart}`.as('freeFrom'))
    .executeTakeFirstOrThrow();
  return freeFrom;
}

/** Marks the address as counted, and returns false when it was counted less than 24 hours ago. */
export async function countRecipient(tx: Tx, recipient: NewRecipient, now: Date): Promise<boolean> {
  const counted = await queriesIn(tx)
    .insertInto('recipients')
    .values({ ...recipient, countedAt: now })
    .onConflict((conflict) =>
      conflict
        .constraint('recipients_address')
        .doUpdateSet({ countedAt: now })
        .where(sql<boolean>`coalesce(recipients.counted_at <= ${now}::timestamptz - interval '24 hours', true)`),
    )
    .returning('recipients.id')
    .executeTakeFirst();
  return counted !== undefined;
}
