import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { DAY } from '../../domain/calendar.ts';
import type { LedgerEntry } from '../../domain/contact-policy.ts';

/** The person and the phone that a contact counts for, whether it is a sandbox contact, and the client and debt that ask. */
export interface LedgerKey {
  readonly sandbox: boolean;
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
}

export interface Ledger {
  readonly person: readonly LedgerEntry[];
  readonly phone: readonly LedgerEntry[];
}

// All transactions take the locks in one order, so that two gates that share a person and a phone do not deadlock.
const LOCK = `
  select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(name, 0) as key from unnest($1::text[]) as name order by 1
  ) as ordered`;

/** Until the transaction ends, no other transaction books or reserves anything for these persons or phones. */
export async function lockPersons(em: EntityManager, keys: readonly LedgerKey[]): Promise<void> {
  const names = keys.flatMap(({ sandbox, personKey, phoneKey }) => [
    `person:${sandbox}:${personKey}`,
    `phone:${sandbox}:${phoneKey}`,
  ]);
  await runInTransaction(em, LOCK, [names]);
}

/** No cap counts older contacts. There is no upper limit, because the clocks of sandbox debts differ. */
const LOOK_BACK_MS = 8 * DAY;

const READ = `
  select person_key as "personKey", phone_key as "phoneKey", client_id as "clientId", debt_id as "debtId", kind, at
  from contact_ledger
  where sandbox = $1 and at >= $4 and (kind = 'booking' or hold_until > now())
    and (person_key = any ($2) or phone_key = any ($3))`;

export interface LedgerRow {
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly kind: 'booking' | 'hold';
  readonly at: Date;
}

export async function readLedgerRows(em: EntityManager, keys: readonly LedgerKey[], now: number): Promise<LedgerRow[]> {
  const sandbox = keys[0]?.sandbox ?? false;
  return runInTransaction<LedgerRow>(em, READ, [
    sandbox,
    keys.map((key) => key.personKey),
    keys.map((key) => key.phoneKey),
    new Date(now - LOOK_BACK_MS),
  ]);
}

/** Returns the entries that count against one debt. The debt's own reservation does not count against it. */
export function ledgerFor(rows: readonly LedgerRow[], key: LedgerKey): Ledger {
  const seen = rows.filter((row) => row.kind === 'booking' || row.debtId !== key.debtId);
  const entry = (row: LedgerRow): LedgerEntry => ({ at: row.at.getTime(), own: row.clientId === key.clientId });
  return {
    person: seen.filter((row) => row.personKey === key.personKey).map(entry),
    phone: seen.filter((row) => row.phoneKey === key.phoneKey).map(entry),
  };
}

/** Returns the moment that is reserved for this debt, or null when nothing is. */
export function ownReservation(rows: readonly LedgerRow[], debtId: string): number | null {
  const reservation = rows.find((row) => row.kind === 'hold' && row.debtId === debtId);
  return reservation === undefined ? null : reservation.at.getTime();
}

const BOOK = `
  insert into contact_ledger (id, sandbox, person_key, phone_key, client_id, debt_id, kind, at, message_id)
  values ($1, $2, $3, $4, $5, $6, 'booking', $7, $8)`;

export async function bookContact(em: EntityManager, key: LedgerKey, at: number, messageId: string): Promise<void> {
  await runInTransaction(em, BOOK, [
    randomUUID(),
    key.sandbox,
    key.personKey,
    key.phoneKey,
    key.clientId,
    key.debtId,
    new Date(at),
    messageId,
  ]);
}

/** Deletes the booking of a contact that is known to have reached nobody. */
export async function unbookContact(em: EntityManager, messageId: string): Promise<void> {
  await runInTransaction(em, 'delete from contact_ledger where message_id = $1', [messageId]);
}

const RELEASE = `delete from contact_ledger where kind = 'hold' and debt_id = any ($1)`;
const RESERVE = `
  insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at, hold_until)
  select $1, person_key, phone_key, client_id, debt_id, 'hold', at, hold_until
  from unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
    as row (person_key, phone_key, client_id, debt_id, at, hold_until)`;

export async function releaseReservations(em: EntityManager, debtIds: readonly string[]): Promise<void> {
  await runInTransaction(em, RELEASE, [debtIds]);
}

export interface NewReservation {
  readonly key: LedgerKey;
  readonly at: number;
  /** In real time. After it the slot is free again if the debt did not use it. */
  readonly until: Date;
}

/** A debt has at most one reservation, so the new one replaces the old one. */
export async function replaceReservations(em: EntityManager, reservations: readonly NewReservation[]): Promise<void> {
  if (reservations.length === 0) return;
  await releaseReservations(
    em,
    reservations.map(({ key }) => key.debtId),
  );
  await runInTransaction(em, RESERVE, [
    reservations[0]?.key.sandbox ?? false,
    reservations.map(({ key }) => key.personKey),
    reservations.map(({ key }) => key.phoneKey),
    reservations.map(({ key }) => key.clientId),
    reservations.map(({ key }) => key.debtId),
    reservations.map(({ at }) => new Date(at)),
    reservations.map(({ until }) => until),
  ]);
}
