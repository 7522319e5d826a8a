import { addYears, HOUR, type LocalDate, localDate } from '../../../kernel/calendar.ts';
import type { CollectsFor } from '../../../kernel/collects-for.ts';
import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import { decideContact } from './contact-policy.ts';
import type { LedgerEntry } from './contact-question.ts';
import { bindingPack, type Channel, type PolicyPack } from './policy-pack.ts';

/** A contact of the ledger with what the rules need to know of it. It names nobody: the keys are HMACs. */
export interface ReplayedContact {
  readonly at: number;
  readonly clientId: string;
  readonly collectsFor: CollectsFor;
  readonly personKey: string;
  readonly phoneKey: string;
  /** Empty when nobody knows any more which phone it was. */
  readonly areaCode: string;
  readonly channel: Channel;
  readonly dueDate: LocalDate;
  /** A reminder spoke of a bill that was not due yet, and a notice of an agreement of its instalment. */
  readonly purpose: 'collection' | 'reminder' | 'agreement';
}

interface RuleCount {
  readonly ruleId: string;
  readonly contacts: number;
}

export interface ClientReplay {
  readonly clientId: string;
  readonly contacts: number;
  readonly forbidden: number;
  /** Contacts of which the place is not known any more. They are not judged, and count for the caps. */
  readonly unknownPlace: number;
  /** A contact that several rules forbid counts for each of them. */
  readonly byRule: readonly RuleCount[];
}

const KEPT_FOR = COUNTED_CONTACT_DAYS * 24 * HOUR;
/** After so many contacts those that no cap counts any more are forgotten. */
const SWEPT_AFTER = 20_000;

/** The contacts of persons, or of phones, that a cap may still count. */
function createMoments() {
  const moments = new Map<string, number[]>();
  return {
    before: (key: string, at: number): readonly LedgerEntry[] =>
      (moments.get(key) ?? []).filter((one) => one >= at - KEPT_FOR).map((one) => ({ at: one, own: true })),
    add(key: string, at: number): void {
      moments.set(key, [...(moments.get(key) ?? []).filter((one) => one >= at - KEPT_FOR), at]);
    },
    forgetBefore(at: number): void {
      for (const [key, all] of moments) if (all.at(-1)! < at) moments.delete(key);
    },
  };
}

interface Counting {
  contacts: number;
  forbidden: number;
  unknownPlace: number;
  readonly byRule: Map<string, number>;
}

interface ReplayFrame {
  readonly pack: PolicyPack;
  readonly holidays: HolidayCalendar;
  /** Earlier contacts were made; they only count for the caps. */
  readonly from: number;
}

/**
 * Asks a pack about contacts that were made, in the order of their moments. A contact that it forbids would not have been
 * made and so counts for no cap afterwards. Only hours, holidays, caps, the due date and prescription are judged: what a
 * person had said at the time is not in the ledger.
 */
export function createReplay({ pack, holidays, from }: ReplayFrame) {
  const persons = createMoments();
  const phones = createMoments();
  const clients = new Map<string, Counting>();
  let added = 0;

  const countingOf = (clientId: string): Counting => {
    const found = clients.get(clientId) ?? { contacts: 0, forbidden: 0, unknownPlace: 0, byRule: new Map() };
    clients.set(clientId, found);
    return found;
  };

  const forbidding = (contact: ReplayedContact): readonly string[] | null => {
    const day = localDate(contact.at, 0);
    const decision = decideContact({
      pack: bindingPack(pack, contact.collectsFor),
      holidays,
      channel: contact.channel,
      now: contact.at,
      phoneAreaCode: contact.areaCode,
      otherAreaCodes: [],
      debt: {
        status: 'IN_COLLECTION',
        // No rule about the due date judges a reminder, which comes before it.
        dueDate: contact.purpose === 'reminder' ? addYears(day, -1) : contact.dueDate,
        // For a notice prescription counts from the instalment's due date, which is never years before the notice.
        ...(contact.purpose === 'agreement' ? { prescribedSince: day } : {}),
        promisedDate: null,
        saidPaidAt: null,
        staffAnswersUntil: null,
      },
      suppressions: { optedOut: false, wrongPerson: false, elsewhere: false },
      campaignPaused: false,
      campaignArchived: false,
      clientInactive: false,
      clientUnverified: false,
      inboxWaiting: false,
      ledger: {
        person: persons.before(contact.personKey, contact.at),
        phone: phones.before(contact.phoneKey, contact.at),
      },
    });
    return decision.allowed ? null : decision.ruleIds;
  };

  /** Returns whether the contact is made. */
  function judge(contact: ReplayedContact): boolean {
    const counting = countingOf(contact.clientId);
    counting.contacts += 1;
    if (contact.areaCode === '') {
      counting.unknownPlace += 1;
      return true;
    }
    const rules = forbidding(contact);
    if (rules === null) return true;
    counting.forbidden += 1;
    for (const id of rules) counting.byRule.set(id, (counting.byRule.get(id) ?? 0) + 1);
    return false;
  }

  return {
    add(contact: ReplayedContact): void {
      if (contact.at >= from && !judge(contact)) return;
      persons.add(contact.personKey, contact.at);
      phones.add(contact.phoneKey, contact.at);
      added += 1;
      if (added % SWEPT_AFTER !== 0) return;
      persons.forgetBefore(contact.at - KEPT_FOR);
      phones.forgetBefore(contact.at - KEPT_FOR);
    },
    result: (): readonly ClientReplay[] =>
      [...clients].map(([clientId, { contacts, forbidden, unknownPlace, byRule }]) => ({
        clientId,
        contacts,
        forbidden,
        unknownPlace,
        byRule: [...byRule]
          .map(([ruleId, count]) => ({ ruleId, contacts: count }))
          .sort((one, other) => other.contacts - one.contacts || (one.ruleId < other.ruleId ? -1 : 1)),
      })),
  };
}
