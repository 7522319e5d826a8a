import type { EntityManager } from '@mikro-orm/postgresql';
import { type Insertable, sql } from 'kysely';
import { anyOf, NOW, queriesIn, type Tables } from './builder.ts';

/** All transactions take the locks in one order, so that two that share several names do not deadlock. */
export const lockNames = (em: EntityManager, names: readonly string[]) =>
  queriesIn(em)
    .selectFrom((from) =>
      from
        .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'given'>(sql`given(name)`))
        .select(sql<number>`hashtextextended(name, 0)`.as('key'))
        .distinct()
        .orderBy('key')
        .as('ordered'),
    )
    .select(sql`pg_advisory_xact_lock(key)`.as('locked'))
    .execute();

export interface ContactsOfPersons {
  readonly sandbox: boolean;
  readonly personKeys: readonly string[];
  readonly phoneKeys: readonly string[];
  readonly since: Date;
}

/** Returns the bookings, and the reservations that have not ended, of these persons and phones. */
export const contactsOfPersons = (em: EntityManager, { sandbox, personKeys, phoneKeys, since }: ContactsOfPersons) =>
  queriesIn(em)
    .selectFrom('contact_ledger')
    .select(['personKey', 'phoneKey', 'clientId', 'debtId', 'kind', 'at'])
    .where('sandbox', '=', sandbox)
    .where('at', '>=', since)
    .where((contact) => contact.or([contact('kind', '=', 'booking'), contact('holdUntil', '>', NOW)]))
    .where((contact) =>
      contact.or([
        contact('personKey', '=', anyOf(personKeys, 'text')),
        contact('phoneKey', '=', anyOf(phoneKeys, 'text')),
      ]),
    )
    .execute();

export type LedgerRow = Awaited<ReturnType<typeof contactsOfPersons>>[number];

type NewContact = Insertable<Tables['contact_ledger']>;

export const insertBooking = (em: EntityManager, booking: Omit<NewContact, 'kind' | 'holdUntil'>) =>
  queriesIn(em)
    .insertInto('contact_ledger')
    .values({ ...booking, kind: 'booking' })
    .execute();

/** Deletes the booking of a contact whose message was certainly not sent. */
export const unbookContact = (em: EntityManager, messageId: string) =>
  queriesIn(em).deleteFrom('contact_ledger').where('messageId', '=', messageId).execute();

export const releaseReservations = (em: EntityManager, debtIds: readonly string[]) =>
  queriesIn(em)
    .deleteFrom('contact_ledger')
    .where('kind', '=', 'hold')
    .where('debtId', '=', anyOf(debtIds, 'uuid'))
    .execute();

export interface Reservation {
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly at: Date;
  readonly holdUntil: Date;
}

export const insertReservations = (em: EntityManager, sandbox: boolean, reservations: readonly Reservation[]) =>
  queriesIn(em)
    .insertInto('contact_ledger')
    .columns(['sandbox', 'personKey', 'phoneKey', 'clientId', 'debtId', 'kind', 'at', 'holdUntil'])
    .expression((queries) =>
      queries
        .selectFrom(
          sql<Reservation>`unnest(
            ${reservations.map(({ personKey }) => personKey)}::text[],
            ${reservations.map(({ phoneKey }) => phoneKey)}::text[],
            ${reservations.map(({ clientId }) => clientId)}::uuid[],
            ${reservations.map(({ debtId }) => debtId)}::uuid[],
            ${reservations.map(({ at }) => at)}::timestamptz[],
            ${reservations.map(({ holdUntil }) => holdUntil)}::timestamptz[])`.as<'given'>(
            sql`given(person_key, phone_key, client_id, debt_id, at, hold_until)`,
          ),
        )
        .select(sql<boolean>`${sandbox}::boolean`.as('sandbox'))
        .select(['personKey', 'phoneKey', 'clientId', 'debtId'])
        .select(sql.lit('hold').as('kind'))
        .select(['at', 'holdUntil']),
    )
    .execute();
