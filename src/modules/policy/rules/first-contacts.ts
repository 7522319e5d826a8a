import { type LedgerContact, type LedgerSubject, ledgerFor } from './contact-ledger.ts';
import { isOpening, pacedMoments, spreadFrom } from './contact-pace.ts';
import { decideContact, purposeOf } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { type NextSlot, nextSlot } from './next-slot.ts';

/**
 * The debts of a campaign whose first contacts are planned together. A page starts at once. It is smaller than a worker's
 * workflow cache, so that the campaign's workflow stays in it.
 */
export const DEBTS_OF_PAGE = 80;

export interface FirstContact {
  readonly debtId: string;
  readonly question: ContactQuestion;
  /** The earliest allowed moment. */
  readonly at: number;
}

export interface DebtToPlan {
  readonly key: LedgerSubject;
  /** Its ledger is not read. */
  readonly question: ContactQuestion;
  /** The moment of the next message to the person, which the debt waits for because the message will speak of it too. */
  readonly joinsAt?: number | null;
}

/**
 * Returns the earliest moment of each debt of a page that may be contacted, and the debts for which a slot is reserved.
 * A slot counts at once, so that debts that share a phone get different ones from the start.
 */
export function planFirstSlots(
  debts: readonly DebtToPlan[],
  rows: readonly LedgerContact[],
  now: number,
): { readonly contacts: FirstContact[]; readonly reserved: LedgerSubject[] } {
  const byPerson = Map.groupBy(rows, (row) => row.personKey);
  const byPhone = Map.groupBy(rows, (row) => row.phoneKey);
  const contacts: FirstContact[] = [];
  const reserved: LedgerSubject[] = [];
  for (const { key, question: asked, joinsAt = null } of debts) {
    const { personKey, phoneKey, clientId, debtId } = key;
    const related = new Set([...(byPerson.get(personKey) ?? []), ...(byPhone.get(phoneKey) ?? [])]);
    const question = { ...asked, ledger: ledgerFor([...related], key) };
    const { at, slot } = firstSlot(question, now, joinsAt);
    if (at !== null) contacts.push({ debtId, question, at });
    if (slot === null) continue;
    reserved.push(key);
    const reservation: LedgerContact = {
      personKey,
      phoneKey,
      clientId,
      debtId,
      kind: 'reservation',
      at: new Date(slot),
    };
    byPerson.set(personKey, [...(byPerson.get(personKey) ?? []), reservation]);
    byPhone.set(phoneKey, [...(byPhone.get(phoneKey) ?? []), reservation]);
  }
  return { contacts, reserved };
}

function firstSlot(question: ContactQuestion, now: number, joinsAt: number | null): NextSlot {
  const joined = joinsAt === null || joinsAt <= now ? null : nextSlot(question, joinsAt);
  const own = nextSlot(question, now);
  // What the person gets by then collects, and speaks of no bill that is to be reminded of.
  const isReminder = own.at !== null && purposeOf({ ...question, now: own.at }) === 'reminder';
  return joined?.at == null || isReminder ? own : joined;
}

/** First contacts that become due at one moment, in their order. */
export interface Wave {
  /** The epoch stands for contacts that are allowed at once, which keep the pace among themselves. */
  readonly opening: number;
  readonly contacts: readonly FirstContact[];
}

const AT_ONCE = 0;

/** Returns the waves that keep the pace. A moment at which a cap ends belongs to one person, so nothing else waits for it. */
export const wavesOf = (contacts: readonly FirstContact[], now: number): Wave[] =>
  [...Map.groupBy(contacts, ({ at }) => (at <= now ? AT_ONCE : at))].flatMap(([opening, wave]) => {
    const [first] = wave;
    const isShared = opening === AT_ONCE || (first !== undefined && isOpening(first.question, opening));
    return isShared ? [{ opening, contacts: wave }] : [];
  });

/** Gives each first contact its moment. `firstOf` holds the first free moment of each wave, by its opening. */
export function momentsOfFirstContacts(
  contacts: readonly FirstContact[],
  waves: readonly Wave[],
  pace: {
    readonly now: number;
    readonly firstOf: ReadonlyMap<number, number>;
    readonly contactsPerSecond: number;
  },
): Map<string, number> {
  const { now, firstOf, contactsPerSecond } = pace;
  const moments = new Map(contacts.map(({ debtId, at }) => [debtId, at]));
  for (const { opening, contacts: wave } of waves) {
    const from = Math.max(opening, now);
    const paced = pacedMoments(from, { first: firstOf.get(opening) ?? from, count: wave.length, contactsPerSecond });
    for (const [index, contact] of wave.entries()) moments.set(contact.debtId, allowedFrom(contact, paced[index]!));
  }
  return moments;
}

/** The window may close, or a cap begin, before the moment that keeps the pace. */
function allowedFrom({ debtId, question, at }: FirstContact, paced: number): number {
  const decision = decideContact({ ...question, now: paced });
  if (decision.allowed) return paced;
  return decision.notBefore === null ? at : spreadFrom(question, decision.notBefore, debtId);
}
