import { type Insertable, type Kysely, sql } from 'kysely';
import {
  anyOf,
  NOW,
  prepared,
  queriesIn,
  type RowOf,
  type Tables,
} from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** All transactions take the locks in one order, so that two that share several names do not deadlock. */
export const lockNames = prepared('ledger_lock', (queries, { names }: { readonly names: readonly string[] }) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'given'>(sql`given(name)`))
        .select(sql<number>`hashtextextended(name, 0)`.as('key'))
        .distinct()
        .orderBy('key')
        .as('ordered'),
    )
    .select(sql`pg_advisory_xact_lock(key)`.as('locked')),
);

export interface ContactsOfPersons {
  readonly sandbox: boolean;
  /** The client that asks. */
  readonly clientId: string;
  readonly personKeys: readonly string[];
  readonly phoneKeys: readonly string[];
  readonly since: Date;
}

const NO_DEBT = '00000000-0000-0000-0000-000000000000';

/** A contact that nobody recorded may have reached each of the persons and each of the phones. */
const unrecordedContacts = (
  queries: Kysely<Tables>,
  { sandbox, clientId, personKeys, phoneKeys, since }: ContactsOfPersons,
) =>
  queries
    .selectFrom('unrecorded_contacts')
    .innerJoin(
      sql<{ personKey: string; phoneKey: string }>`(
        select distinct given, '' from unnest(${personKeys}::text[]) given
        union all select distinct '', given from unnest(${phoneKeys}::text[]) given)`.as<'reached'>(
        sql`reached (person_key, phone_key)`,
      ),
      (join) => join.onTrue(),
    )
    .select(['personKey', 'phoneKey'])
    .select([sql<string>`${clientId}::uuid`.as('clientId'), sql<string>`${sql.lit(NO_DEBT)}::uuid`.as('debtId')])
    .select([sql<'booking' | 'reservation'>`'booking'`.as('kind'), 'at'])
    .where('at', '>=', since)
    .where(sql<boolean>`not ${sandbox}::boolean`);

/**
 * Returns the bookings, and the reservations that have not ended, of these persons and phones, and what a restored
 * database may have forgotten.
 */
export const selectContactsOfPersons = (queries: Kysely<Tables>, asked: ContactsOfPersons) => {
  const { sandbox, personKeys, phoneKeys, since } = asked;
  return queries
    .selectFrom('contact_ledger')
    .select(['personKey', 'phoneKey', 'clientId', 'debtId', 'kind', 'at'])
    .where('sandbox', '=', sandbox)
    .where('at', '>=', since)
    .where((contact) => contact.or([contact('kind', '=', 'booking'), contact('reservedUntil', '>', NOW)]))
    .where((contact) =>
      contact.or([
        contact('personKey', '=', anyOf(personKeys, 'text')),
        contact('phoneKey', '=', anyOf(phoneKeys, 'text')),
      ]),
    )
    .unionAll(unrecordedContacts(queries, asked));
};
export const contactsOfPersons = prepared('ledger_contacts', selectContactsOfPersons);

export type LedgerRow = RowOf<typeof contactsOfPersons>;

type NewContact = Insertable<Tables['contact_ledger']>;

export const insertBooking = prepared(
  'ledger_book',
  (
    queries,
    {
      id,
      sandbox,
      personKey,
      phoneKey,
      clientId,
      debtId,
      at,
      messageId,
    }: Required<
      Pick<NewContact, 'id' | 'sandbox' | 'personKey' | 'phoneKey' | 'clientId' | 'debtId' | 'at' | 'messageId'>
    >,
  ) =>
    queries
      .insertInto('contact_ledger')
      .values({ id, sandbox, personKey, phoneKey, clientId, debtId, at, messageId, kind: 'booking' }),
);

/** Deletes the booking of a contact whose message was certainly not sent. */
export const unbookContact = (tx: Tx, messageId: string) =>
  queriesIn(tx).deleteFrom('contact_ledger').where('messageId', '=', messageId).execute();

export const releaseReservations = (tx: Tx, debtIds: readonly string[]) => deleteReservations.run(tx, { debtIds });
const deleteReservations = prepared('ledger_release', (queries, { debtIds }: { readonly debtIds: readonly string[] }) =>
  queries.deleteFrom('contact_ledger').where('kind', '=', 'reservation').where('debtId', '=', anyOf(debtIds, 'uuid')),
);

export interface Reservation {
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly at: Date;
  readonly reservedUntil: Date;
}

/** A debt has one reservation, which the new one replaces. */
export const putReservations = (tx: Tx, sandbox: boolean, reservations: readonly Reservation[]) =>
  reserve.run(tx, {
    sandbox,
    personKeys: reservations.map(({ personKey }) => personKey),
    phoneKeys: reservations.map(({ phoneKey }) => phoneKey),
    clientIds: reservations.map(({ clientId }) => clientId),
    debtIds: reservations.map(({ debtId }) => debtId),
    moments: reservations.map(({ at }) => at),
    ends: reservations.map(({ reservedUntil }) => reservedUntil),
  });

interface ReservationColumns {
  readonly sandbox: boolean;
  readonly personKeys: readonly string[];
  readonly phoneKeys: readonly string[];
  readonly clientIds: readonly string[];
  readonly debtIds: readonly string[];
  readonly moments: readonly Date[];
  readonly ends: readonly Date[];
}

const reserve = prepared('ledger_reserve', (queries, given: ReservationColumns) =>
  queries
    .insertInto('contact_ledger')
    .columns(['sandbox', 'personKey', 'phoneKey', 'clientId', 'debtId', 'kind', 'at', 'reservedUntil'])
    .expression((from) =>
      from
        .selectFrom(
          sql<Reservation>`unnest(
            ${given.personKeys}::text[], ${given.phoneKeys}::text[], ${given.clientIds}::uuid[],
            ${given.debtIds}::uuid[], ${given.moments}::timestamptz[], ${given.ends}::timestamptz[])`.as<'given'>(
            sql`given(person_key, phone_key, client_id, debt_id, at, reserved_until)`,
          ),
        )
        .select(sql<boolean>`${given.sandbox}::boolean`.as('sandbox'))
        .select(['personKey', 'phoneKey', 'clientId', 'debtId'])
        .select(sql.lit('reservation').as('kind'))
        .select(['at', 'reservedUntil']),
    )
    .onConflict((conflict) =>
      // The predicate is the one of the index `contact_ledger_one_reservation`.
      conflict
        .column('debtId')
        .where('kind', '=', sql.lit('reservation'))
        .doUpdateSet(({ ref }) => ({
          sandbox: ref('excluded.sandbox'),
          personKey: ref('excluded.personKey'),
          phoneKey: ref('excluded.phoneKey'),
          at: ref('excluded.at'),
          reservedUntil: ref('excluded.reservedUntil'),
        })),
    ),
);
