import { DAY } from '../../../kernel/calendar.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { PersonKeys } from '../../../platform/shared/person-keys.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import {
  contactsOfPersons,
  type LedgerRow,
  lockNames,
  type NewLedgerRow,
  storeLedgerRows,
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
  await lockNames.run(tx, { names: keys.flatMap(lockNamesOf) });
}

export const lockNamesOf = ({ sandbox, personKey, phoneKey }: LedgerKey): string[] => [
  `person:${sandbox}:${personKey}`,
  `phone:${sandbox}:${phoneKey}`,
];

/** Reads the contacts that a cap may count. There is no upper limit, because the clocks of sandbox debts differ. */
export async function readLedgerRows(tx: Tx, keys: readonly LedgerKey[], now: number): Promise<LedgerRow[]> {
  const [first] = keys;
  if (first === undefined) return [];
  return contactsOfPersons.run(tx, {
    sandbox: first.sandbox,
    clientId: first.clientId,
    personKeys: keys.map(({ personKey }) => personKey),
    phoneKeys: keys.map(({ phoneKey }) => phoneKey),
    since: countedSince(now),
  });
}

/** The earliest moment of a contact that a cap may count. */
export const countedSince = (now: number): Date => new Date(now - COUNTED_CONTACT_DAYS * DAY);

/** A moment of a person and a phone: a contact that was made, or one that a debt waits for. */
export interface LedgerEntry {
  readonly key: LedgerKey;
  readonly at: number;
}

export const bookingOf = ({ key, at }: LedgerEntry, messageId: string): NewLedgerRow => ({
  ...rowOf(key),
  at: new Date(at),
  messageId,
  reservedUntil: null,
});

export interface NewReservation extends LedgerEntry {
  /** In real time. After it the slot is free again if the debt did not use it. */
  readonly until: Date;
}

export const reservationOf = ({ key, at, until }: NewReservation): NewLedgerRow => ({
  ...rowOf(key),
  at: new Date(at),
  messageId: null,
  reservedUntil: until,
});

const rowOf = ({ personKey, phoneKey, clientId, debtId }: LedgerKey) => ({ personKey, phoneKey, clientId, debtId });

export async function bookContact(tx: Tx, key: LedgerKey, at: number, messageId: string): Promise<void> {
  await storeLedgerRows(tx, key.sandbox, [bookingOf({ key, at }, messageId)]);
}

/** A debt has at most one reservation, so the new one replaces the old one. */
export async function replaceReservations(tx: Tx, reservations: readonly NewReservation[]): Promise<void> {
  const [first] = reservations;
  if (first !== undefined) await storeLedgerRows(tx, first.key.sandbox, reservations.map(reservationOf));
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
