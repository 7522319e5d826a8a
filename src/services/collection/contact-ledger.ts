import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { DAY } from '../../domain/calendar.ts';
import type { LedgerEntry } from '../../domain/contact-policy.ts';

/** Whom a contact counts for, in which world, and who asks. */
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

// In one order for everybody, so that two gates that share a person and a phone wait instead of deadlocking.
const LOCK = `
  select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(name, 0) as key from unnest($1::text[]) as name order by 1
  ) as ordered`;

/** Until the transaction ends nobody else books or holds anything for these persons or phones. */
export async function lockPersons(em: EntityManager, keys: readonly LedgerKey[]): Promise<void> {
  const names = keys.flatMap(({ sandbox, personKey, phoneKey }) => [
    `person:${sandbox}:${personKey}`,
    `phone:${sandbox}:${phoneKey}`,
  ]);
  await runInTransaction(em, LOCK, [names]);
}

/** No cap looks further back; later entries all count, because sandbox clocks run apart. */
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

/** The rows as one debt's question sees them: its own hold is not in its way. */
export function ledgerFor(rows: readonly LedgerRow[], key: LedgerKey): Ledger {
  const seen = rows.filter((row) => row.kind === 'booking' || row.debtId !== key.debtId);
  const entry = (row: LedgerRow): LedgerEntry => ({ at: row.at.getTime(), own: row.clientId === key.clientId });
  return {
    person: seen.filter((row) => row.personKey === key.personKey).map(entry),
    phone: seen.filter((row) => row.phoneKey === key.phoneKey).map(entry),
  };
}

/** The moment that this debt holds, when it still does. */
export function ownHold(rows: readonly LedgerRow[], debtId: string): number | null {
  const hold = rows.find((row) => row.kind === 'hold' && row.debtId === debtId);
  return hold === undefined ? null : hold.at.getTime();
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

/** For a contact that is known not to have reached anybody. */
export async function unbookContact(em: EntityManager, messageId: string): Promise<void> {
  await runInTransaction(em, 'delete from contact_ledger where message_id = $1', [messageId]);
}

const RELEASE = `delete from contact_ledger where kind = 'hold' and debt_id = any ($1)`;
const HOLD = `
  insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at, hold_until)
  select $1, person_key, phone_key, client_id, debt_id, 'hold', at, hold_until
  from unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
    as row (person_key, phone_key, client_id, debt_id, at, hold_until)`;

export async function releaseHolds(em: EntityManager, debtIds: readonly string[]): Promise<void> {
  await runInTransaction(em, RELEASE, [debtIds]);
}

export interface NewHold {
  readonly key: LedgerKey;
  readonly at: number;
  /** In real time: a slot that nobody came for is free again. */
  readonly until: Date;
}

/** A debt holds one moment at a time: the new one replaces the old one. */
export async function replaceHolds(em: EntityManager, holds: readonly NewHold[]): Promise<void> {
  if (holds.length === 0) return;
  await releaseHolds(
    em,
    holds.map(({ key }) => key.debtId),
  );
  await runInTransaction(em, HOLD, [
    holds[0]?.key.sandbox ?? false,
    holds.map(({ key }) => key.personKey),
    holds.map(({ key }) => key.phoneKey),
    holds.map(({ key }) => key.clientId),
    holds.map(({ key }) => key.debtId),
    holds.map(({ at }) => new Date(at)),
    holds.map(({ until }) => until),
  ]);
}
