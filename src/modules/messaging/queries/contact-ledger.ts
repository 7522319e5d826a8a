import { type Kysely, type QueryCreator, sql } from 'kysely';
import {
  anyOf,
  NOW,
  prepared,
  queriesIn,
  type RowOf,
  type Tables,
  type Values,
} from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** All transactions take the locks in one order, so that two that share several names do not deadlock. */
export const takeNameLocks = (queries: QueryCreator<Tables>, names: readonly string[]) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'given'>(sql`given(name)`))
        .select(sql<number>`hashtextextended(name, 0)`.as('key'))
        .distinct()
        .orderBy('key')
        .as('ordered'),
    )
    .select(sql`pg_advisory_xact_lock(key)`.as('locked'));
export const lockNames = prepared('ledger_lock', (queries, { names }: { readonly names: readonly string[] }) =>
  takeNameLocks(queries, names),
);

export interface ContactsOfPersons {
  readonly sandbox: boolean;
  /** The client that asks. */
  readonly clientId: string;
  readonly personKeys: Values;
  readonly phoneKeys: Values;
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

/** Deletes the booking of a contact whose message was certainly not sent. */
export const unbookContact = (tx: Tx, messageId: string) =>
  queriesIn(tx).deleteFrom('contact_ledger').where('messageId', '=', messageId).execute();

export const releaseReservations = (tx: Tx, debtIds: readonly string[]) => deleteReservations.run(tx, { debtIds });
const deleteReservations = prepared('ledger_release', (queries, { debtIds }: { readonly debtIds: readonly string[] }) =>
  queries.deleteFrom('contact_ledger').where('kind', '=', 'reservation').where('debtId', '=', anyOf(debtIds, 'uuid')),
);

/** A booking of a message, or the reservation that a debt has until a moment in real time. */
export interface NewLedgerRow {
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly at: Date;
  readonly messageId: string | null;
  readonly reservedUntil: Date | null;
}

export interface NewLedgerRows {
  readonly sandbox: boolean;
  readonly personKeys: readonly string[];
  readonly phoneKeys: readonly string[];
  readonly clientIds: readonly string[];
  readonly debtIds: readonly string[];
  readonly moments: readonly Date[];
  readonly messageIds: readonly (string | null)[];
  readonly ends: readonly (Date | null)[];
}

export const ledgerRows = (sandbox: boolean, rows: readonly NewLedgerRow[]): NewLedgerRows => ({
  sandbox,
  personKeys: rows.map(({ personKey }) => personKey),
  phoneKeys: rows.map(({ phoneKey }) => phoneKey),
  clientIds: rows.map(({ clientId }) => clientId),
  debtIds: rows.map(({ debtId }) => debtId),
  moments: rows.map(({ at }) => at),
  messageIds: rows.map(({ messageId }) => messageId),
  ends: rows.map(({ reservedUntil }) => reservedUntil),
});

/** Stores rows of one transaction. A debt has one reservation, which a new one replaces. */
export const insertLedgerRows = (queries: QueryCreator<Tables>, given: NewLedgerRows) =>
  queries
    .insertInto('contact_ledger')
    .columns(['sandbox', 'personKey', 'phoneKey', 'clientId', 'debtId', 'kind', 'at', 'messageId', 'reservedUntil'])
    .expression((from) =>
      from
        .selectFrom(
          sql<NewLedgerRow>`unnest(
            ${given.personKeys}::text[], ${given.phoneKeys}::text[], ${given.clientIds}::uuid[], ${given.debtIds}::uuid[],
            ${given.moments}::timestamptz[], ${given.messageIds}::uuid[], ${given.ends}::timestamptz[])`.as<'given'>(
            sql`given(person_key, phone_key, client_id, debt_id, at, message_id, reserved_until)`,
          ),
        )
        .select(sql<boolean>`${given.sandbox}::boolean`.as('sandbox'))
        .select(['personKey', 'phoneKey', 'clientId', 'debtId'])
        .select(({ eb }) =>
          eb
            .case()
            .when('reservedUntil', 'is', null)
            .then(sql.lit<LedgerRow['kind']>('booking'))
            .else(sql.lit<LedgerRow['kind']>('reservation'))
            .end()
            .as('kind'),
        )
        .select(['at', 'messageId', 'reservedUntil']),
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
    );
const storeRows = prepared('ledger_store', (queries, rows: NewLedgerRows) => insertLedgerRows(queries, rows));

export const storeLedgerRows = (tx: Tx, sandbox: boolean, rows: readonly NewLedgerRow[]) =>
  storeRows.run(tx, ledgerRows(sandbox, rows));
