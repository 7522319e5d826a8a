import type { LedgerContact, LedgerSubject } from '../../../policy/rules/contact-ledger.ts';

/** The contact ledger in memory. A debt has at most one reservation. */
export class RehearsedLedger {
  readonly #byPerson = new Map<string, Set<LedgerContact>>();
  readonly #byPhone = new Map<string, Set<LedgerContact>>();
  readonly #reservations = new Map<string, LedgerContact>();

  constructor(rows: readonly LedgerContact[]) {
    for (const row of rows) {
      if (row.kind === 'reservation') this.#reservations.set(row.debtId, row);
      this.#add(row);
    }
  }

  /** Returns what is booked or reserved for the person and for the phone. */
  of({ personKey, phoneKey }: Pick<LedgerSubject, 'personKey' | 'phoneKey'>): LedgerContact[] {
    return [...new Set([...(this.#byPerson.get(personKey) ?? []), ...(this.#byPhone.get(phoneKey) ?? [])])];
  }

  book(key: LedgerSubject, at: number): LedgerContact {
    const row: LedgerContact = { ...key, kind: 'booking', at: new Date(at) };
    this.#add(row);
    return row;
  }

  /** Replaces the reservation of the debt; null releases it. */
  reserve(key: LedgerSubject, at: number | null): void {
    const earlier = this.#reservations.get(key.debtId);
    if (earlier !== undefined) {
      this.#byPerson.get(earlier.personKey)?.delete(earlier);
      this.#byPhone.get(earlier.phoneKey)?.delete(earlier);
      this.#reservations.delete(key.debtId);
    }
    if (at === null) return;
    const row: LedgerContact = { ...key, kind: 'reservation', at: new Date(at) };
    this.#reservations.set(key.debtId, row);
    this.#add(row);
  }

  #add(row: LedgerContact): void {
    put(this.#byPerson, row.personKey, row);
    put(this.#byPhone, row.phoneKey, row);
  }
}

function put(groups: Map<string, Set<LedgerContact>>, key: string, row: LedgerContact): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, new Set([row]));
  else group.add(row);
}
