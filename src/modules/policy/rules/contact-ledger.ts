import { DAY } from '../../../kernel/calendar.ts';
import { type ContactDecision, decideContact } from './contact-policy.ts';
import type { ContactQuestion, Ledger, LedgerEntry } from './contact-question.ts';

/** A contact that was booked, or a slot that is reserved (`reservation`). */
export interface LedgerContact {
  readonly personKey: string;
  readonly phoneKey: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly kind: 'booking' | 'reservation';
  readonly at: Date;
}

/** The person and the phone that a contact counts for, and the client and debt that ask. */
export type LedgerSubject = Pick<LedgerContact, 'personKey' | 'phoneKey' | 'clientId' | 'debtId'>;

export const NO_CONTACTS: Ledger = { person: [], phone: [] };

/**
 * Returns the entries that count against one debt. Reservations of the same client for the same person do not count,
 * because one contact speaks of all their debts.
 */
export function ledgerFor(rows: readonly LedgerContact[], key: LedgerSubject): Ledger {
  const ofSameContact = (row: LedgerContact) => row.personKey === key.personKey && row.clientId === key.clientId;
  const seen = rows.filter((row) => row.kind === 'booking' || !ofSameContact(row));
  const entriesOf = (kept: readonly LedgerContact[]) => withoutMentioned(kept).map(entry);
  const entry = (row: LedgerContact): LedgerEntry => ({ at: row.at.getTime(), own: row.clientId === key.clientId });
  return {
    person: entriesOf(seen.filter((row) => row.personKey === key.personKey)),
    phone: entriesOf(seen.filter((row) => row.phoneKey === key.phoneKey)),
  };
}

/**
 * Leaves out the reservations of debts that an earlier contact of the same client with the person will speak of, so that
 * a client with forty debts takes no more of a person's week than a client with one.
 */
function withoutMentioned(rows: readonly LedgerContact[]): LedgerContact[] {
  const contacts = new Map<string, number>();
  return rows
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .filter((row) => {
      if (row.kind === 'booking') return true;
      const key = `${row.clientId} ${row.personKey}`;
      const at = row.at.getTime();
      const isMentioned = at < (contacts.get(key) ?? Number.NEGATIVE_INFINITY) + DAY;
      if (!isMentioned) contacts.set(key, at);
      return !isMentioned;
    });
}

/** Returns the moment that is reserved for this debt, or null when nothing is. */
function ownReservation(rows: readonly LedgerContact[], debtId: string): number | null {
  const reservation = rows.find((row) => row.kind === 'reservation' && row.debtId === debtId);
  return reservation === undefined ? null : reservation.at.getTime();
}

/**
 * Decides as the gate does. A debt that comes for its reserved slot is compared with bookings alone, because every later
 * reservation left that slot free.
 */
export function decideAtGate(
  question: ContactQuestion,
  rows: readonly LedgerContact[],
  key: LedgerSubject,
): ContactDecision {
  const reservedAt = ownReservation(rows, key.debtId);
  if (reservedAt === null || reservedAt > question.now) return decideContact(question);
  const booked = rows.filter((row) => row.kind === 'booking');
  return decideContact({ ...question, ledger: ledgerFor(booked, key) });
}
