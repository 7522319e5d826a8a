import { randomUUID } from 'node:crypto';
import { DAY } from '../../../kernel/calendar.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import {
  type ContactsOfPersons,
  contactsOfPersons,
  insertBooking,
  type LedgerRow,
  lockNames,
  putReservations,
} from '../queries/contact-ledger.ts';

export { releaseReservations } from '../queries/contact-ledger.ts';

/**
 * The person and the phone that a contact counts for, whether it is a sandbox contact, and the client and debt that
 * ask.
 */
export interface LedgerKey {
  readonly sandbox: boolean;
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
}

export const ledgerKeyOf = (debt: DebtContext, keys: PersonKeys): LedgerKey => ({
  sandbox: debt.sandbox,
  personKey: keys.person(debt.debtorTaxId),
  phoneKey: keys.phone(debt.debtorPhone),
  clientId: debt.clientId,
  debtId: debt.id,
});

/** Until the transaction ends, no other transaction books or reserves anything for these persons or phones. */
export async function lockPersons(tx: Tx, keys: readonly LedgerKey[]): Promise<void> {
  const names = keys.flatMap(({ sandbox, personKey, phoneKey }) => [
    `person:${sandbox}:${personKey}`,
    `phone:${sandbox}:${phoneKey}`,
  ]);
  await lockNames.run(tx, { names });
}

/** Reads the contacts that a cap may count. There is no upper limit, because the clocks of sandbox debts differ. */
export async function readLedgerRows(tx: Tx, keys: readonly LedgerKey[], now: number): Promise<LedgerRow[]> {
  const [first, ...others] = keys;
  return first === undefined ? [] : contactsOfPersons.run(tx, contactsAsked([first, ...others], now));
}

export const contactsAsked = (keys: readonly [LedgerKey, ...LedgerKey[]], now: number): ContactsOfPersons => ({
  sandbox: keys[0].sandbox,
  clientId: keys[0].clientId,
  personKeys: keys.map((key) => key.personKey),
  phoneKeys: keys.map((key) => key.phoneKey),
  since: new Date(now - COUNTED_CONTACT_DAYS * DAY),
});

export async function bookContact(tx: Tx, key: LedgerKey, at: number, messageId: string): Promise<void> {
  const { sandbox, personKey, phoneKey, clientId, debtId } = key;
  const id = randomUUID();
  await insertBooking.run(tx, { id, sandbox, personKey, phoneKey, clientId, debtId, at: new Date(at), messageId });
}

export interface NewReservation {
  readonly key: LedgerKey;
  readonly at: number;
  /** In real time. After it the slot is free again if the debt did not use it. */
  readonly until: Date;
}

/** A debt has at most one reservation, so the new one replaces the old one. */
export async function replaceReservations(tx: Tx, reservations: readonly NewReservation[]): Promise<void> {
  if (reservations.length === 0) return;
  await putReservations(
    tx,
    reservations[0]?.key.sandbox ?? false,
    reservations.map(({ key, at, until }) => ({ ...key, at: new Date(at), reservedUntil: until })),
  );
}

/** Names one address of a person on one channel as the table of recipients does. */
export const recipientOf = (
  keys: PersonKeys,
  debt: { readonly clientId: string; readonly id: string; readonly debtorTaxId: string },
  { channel, phone }: { readonly channel: RealChannel; readonly phone: string },
) => ({
  clientId: debt.clientId,
  channel,
  debtId: debt.id,
  personKey: keys.person(debt.debtorTaxId),
  phoneKey: keys.phone(phone),
});
