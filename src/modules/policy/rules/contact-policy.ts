import { addDays, DAY, HOUR, type LocalDate, localDate, startOfDay } from '../../../kernel/calendar.ts';
import { placeOfAll } from '../../../kernel/phone.ts';
import { type CountedMoments, capReleases, capsAllow, firstAtOrAfter } from './contact-cap.ts';
import {
  type ContactQuestion,
  idsOfRulesPassed,
  idsOfRulesThatBlock,
  type LedgerEntry,
  VERDICT_RULES,
  type VerdictRule,
} from './contact-question.ts';
import { type Frame, hasOpening, openIntervals, rulesOfKind, windowBlocks } from './contact-window.ts';
import { type DebtLimits, debtLimits, standingBlocks } from './debt-limits.ts';
import { type CapRule, type PolicyPack, rulesFor } from './policy-pack.ts';
import { reminderDates } from './reminder-days.ts';

export interface Refusal {
  readonly rules: readonly VerdictRule[];
  /** The rules of the pack behind these kinds. A kind without a rule in the pack has none. */
  readonly ruleIds: readonly string[];
  /** The earliest moment allowed as far as is known now; null when there is none, or somebody has to decide first. */
  readonly notBefore: number | null;
  /** The hours of policy, client and campaign leave no opening at all: the debt waits until the settings change. */
  readonly shut?: true;
}

export type ContactDecision =
  | { readonly allowed: true; readonly rules: readonly VerdictRule[]; readonly ruleIds: readonly string[] }
  | ({
      readonly allowed: false;
      /** What the client may see. Only this decides the status of the debt, because the status must not reveal more. */
      readonly shown: Refusal;
      /** No contact is made at `notBefore`: it is only the moment to decide again, and no slot is reserved for it. */
      readonly inVain: boolean;
    } & Refusal);

const YEARS_AHEAD = 10;

/** What follows from the pack, the places and the channel alone. */
interface PolicyFrame {
  readonly frame: Frame;
  readonly caps: readonly CapRule[];
  /** The kinds of rules that an allowed contact has passed. */
  readonly passed: readonly VerdictRule[];
}

interface Limits extends DebtLimits, PolicyFrame {
  /** The moment from which the due date allows a contact that collects. */
  readonly dueFrom: number;
  /** The dates before the debt falls due on which it may be reminded of, ascending. */
  readonly reminderDates: readonly LocalDate[];
}

/** A few hundred places and channels are asked about again and again, and the rules of each are the same. */
const MAX_FRAMES_KEPT = 2_000;
const framesOf = new WeakMap<PolicyPack, Map<string, PolicyFrame>>();

function frameOf(question: ContactQuestion): PolicyFrame {
  const { pack, holidays, phoneAreaCode, otherAreaCodes, channel } = question;
  const known = framesOf.get(pack) ?? new Map<string, PolicyFrame>();
  if (known.size === 0 || known.size >= MAX_FRAMES_KEPT) framesOf.set(pack, known);
  if (known.size >= MAX_FRAMES_KEPT) known.clear();
  const name = `${channel} ${phoneAreaCode} ${otherAreaCodes.join(' ')}`;
  const found = known.get(name);
  if (found !== undefined && found.frame.holidays === holidays) return found;
  const place = placeOfAll(phoneAreaCode, otherAreaCodes);
  const rules = rulesFor(pack, place.states, channel);
  const caps = rules.filter((rule): rule is CapRule => rule.rule === 'caps');
  const passed = VERDICT_RULES.filter((name) => rules.some(({ rule }) => rule === name));
  const made = { frame: { rules, holidays, place }, caps, passed };
  known.set(name, made);
  return made;
}

const limitsOf = (question: ContactQuestion): Limits => {
  const framed = frameOf(question);
  const limits = debtLimits(question, framed.frame);
  const { dueDate, reminders = null } = question.debt;
  const due = limits.waits.filter(([rule]) => rule === 'due').map(([, until]) => until);
  const dueFrom = Math.max(Number.NEGATIVE_INFINITY, ...due);
  const isReminded = reminders !== null && question.now < dueFrom;
  const dates = isReminded ? reminderDates(framed.frame, dueDate, reminders) : [];
  return { ...framed, ...limits, dueFrom, reminderDates: dates };
};

const capsAt = ({ frame }: Limits, at: number): readonly CapRule[] =>
  rulesOfKind(frame, 'caps', localDate(at, frame.place.utcOffsets[0]!));

const waitingBlocks = (limits: Limits, ledger: CountedMoments, at: number): VerdictRule[] => [
  ...windowBlocks(limits.frame, at),
  ...(capsAllow(capsAt(limits, at), ledger, limits.frame.place.utcOffsets, at) ? [] : (['caps'] as const)),
  ...limits.waits
    .filter(([rule, until]) => at < until && (rule !== 'due' || !isReminderDay(limits, at)))
    .map(([rule]) => rule),
  ...(at < limits.prescribedAt ? [] : (['prescription'] as const)),
];

const isReminderDay = ({ reminderDates: dates, frame }: Limits, at: number): boolean =>
  dates.some((date) => frame.place.utcOffsets.every((offset) => localDate(at, offset) === date));

/** Returns the moment from which everything but the due date allows a contact. */
const earliestReminder = ({ waits }: Limits, at: number): number =>
  Math.max(at, ...waits.map(([rule, until]) => (rule === 'due' ? at : until)));

const earliest = (limits: Limits, at: number): number => Math.max(earliestReminder(limits, at), limits.dueFrom);

/** Returns the dates on which a contact may be made, ascending, each with the moment from which it may. */
function* datesFrom(limits: Limits, at: number): Generator<readonly [LocalDate, number]> {
  const west = Math.min(...limits.frame.place.utcOffsets);
  const [reminder, start] = [earliestReminder(limits, at), earliest(limits, at)];
  const [first, due] = [localDate(reminder, west), localDate(start, west)];
  for (const date of limits.reminderDates) if (first <= date && date < due) yield [date, reminder];
  for (let date = due; ; date = addDays(date, 1)) {
    yield [date, start];
  }
}

const isShut = (limits: Limits, at: number): boolean =>
  !hasOpening(limits.frame, localDate(earliest(limits, at), Math.min(...limits.frame.place.utcOffsets)));

/**
 * Returns the first allowed moment not before `at`. Only openings and cap releases can be one, so only those are tried.
 */
const nextMoment = (limits: Limits, ledger: CountedMoments, at: number): number | null => {
  const { frame, caps, prescribedAt } = limits;
  const { utcOffsets } = frame.place;
  const start = earliest(limits, at);
  const end = Math.min(prescribedAt, start + YEARS_AHEAD * 366 * DAY);
  if (!hasOpening(frame, localDate(start, Math.min(...utcOffsets)))) return null;
  const releases = capReleases(caps, ledger);
  for (const [date, from] of datesFrom(limits, at)) {
    if (startOfDay(date, Math.max(...utcOffsets)) >= end) return null;
    for (const open of openIntervals(frame, date)) {
      const opening = Math.max(open.from, from);
      if (opening >= open.to) continue;
      const inForce = capsAt(limits, opening);
      if (capsAllow(inForce, ledger, utcOffsets, opening)) return opening;
      for (
        let index = firstAtOrAfter(releases, opening);
        index < releases.length && releases[index]! < open.to;
        index += 1
      ) {
        if (capsAllow(inForce, ledger, utcOffsets, releases[index]!)) return releases[index]!;
      }
    }
  }
  return null;
};

const sorted = (entries: readonly LedgerEntry[]): number[] => entries.map(({ at }) => at).sort((a, b) => a - b);
const ledgerOf = ({ ledger }: ContactQuestion, counts: (entry: LedgerEntry) => boolean): CountedMoments => ({
  person: sorted(ledger.person.filter(counts)),
  phone: sorted(ledger.phone.filter(counts)),
});

const refuse = (
  limits: Limits,
  ledger: CountedMoments,
  now: number,
  standing: readonly VerdictRule[],
): Refusal | null => {
  const waiting = waitingBlocks(limits, ledger, now);
  if (standing.length + waiting.length === 0) return null;
  const never = standing.length > 0 || waiting.includes('prescription');
  const notBefore = never ? null : nextMoment(limits, ledger, now);
  const shut = !never && notBefore === null && isShut(limits, now);
  // The next opening lies behind prescription, so prescription is the reason why no moment is left.
  const lapses = !never && !shut && notBefore === null && Number.isFinite(limits.prescribedAt);
  const rules = [...standing, ...waiting, ...(lapses ? (['prescription'] as const) : [])];
  return {
    rules,
    ruleIds: idsOfRulesThatBlock(limits.frame, { kinds: rules, ledger, at: now }),
    notBefore,
    ...(shut && { shut }),
  };
};

/** Returns how long the caps would block if contacts of another client had filled all of them just now. */
const longestCap = ({ caps }: Limits): number =>
  Math.max(DAY, ...caps.map(({ period }) => (period === 'calendar_day' ? DAY : period.hours * HOUR)));

/**
 * Builds what a client sees when only facts known to another client block the contact. The moment at which the block
 * ends would reveal what it is and when it happened, so `notBefore` is the client's own next opening.
 */
const schedulingOf = (limits: Limits, own: CountedMoments, now: number): Refusal => {
  const today = openIntervals(limits.frame, localDate(now, limits.frame.place.utcOffsets[0]!));
  const close = today.find(({ from, to }) => from <= now && now < to)?.to ?? now;
  const notBefore = nextMoment(limits, own, close);
  // When no opening is left before prescription, the debt's own age is the reason, which the client may know.
  const lapses = notBefore === null && Number.isFinite(limits.prescribedAt);
  const rules: readonly VerdictRule[] = ['scheduling', ...(lapses ? (['prescription'] as const) : [])];
  return { rules, ruleIds: idsOfRulesThatBlock(limits.frame, { kinds: rules, ledger: own, at: now }), notBefore };
};

/** Returns the end of the silence after the debtor has said that the debt is paid; null when the debtor has not. */
export const claimEndsAt = (question: ContactQuestion): number | null => limitsOf(question).claimEndsAt;

/** What a contact is made for: to collect a debt that is due, or to remind of a bill that is not. */
export const CONTACT_PURPOSES = ['collection', 'reminder'] as const;
export type ContactPurpose = (typeof CONTACT_PURPOSES)[number];
export const isContactPurpose = (purpose: string | null): purpose is ContactPurpose =>
  (CONTACT_PURPOSES as readonly (string | null)[]).includes(purpose);

/** Returns what a contact at the moment of the question would be for, whether or not it is allowed. */
export const purposeOf = (question: ContactQuestion): ContactPurpose =>
  question.now < limitsOf(question).dueFrom ? 'reminder' : 'collection';

/** Decides whether the debtor may be contacted now for this debt; a refusal names its rules and the earliest moment. */
export const decideContact = (question: ContactQuestion): ContactDecision => {
  const { now, suppressions } = question;
  const limits = limitsOf(question);
  const { claimEndsAt } = limits;
  // When the silence is over, a person has to look for the payment.
  const isClaimOver = claimEndsAt !== null && now >= claimEndsAt;
  const standing = [...standingBlocks(question), ...(isClaimOver ? (['said_paid'] as const) : [])];
  const all = ledgerOf(question, () => true);
  const refusal = refuse(limits, all, now, standing);
  if (refusal === null && !suppressions.elsewhere) {
    // A reminder is sent before the debt is due, so it has not passed that rule.
    const isDue = now >= limits.dueFrom;
    return {
      allowed: true,
      rules: isDue ? limits.passed : limits.passed.filter((rule) => rule !== 'due'),
      ruleIds: idsOfRulesPassed(limits.frame, now, { isDue }),
    };
  }
  const own = ledgerOf(question, (entry) => entry.own);
  const onlyOwnContacts = own.person.length === all.person.length && own.phone.length === all.phone.length;
  const ownRefusal = onlyOwnContacts ? refusal : refuse(limits, own, now, standing);
  const shown = ownRefusal ?? schedulingOf(limits, own, now);
  // A suppression known to another client waits as long as caps that others have just filled, so that the client cannot
  // distinguish the two.
  const moment = refusal === null ? nextMoment(limits, all, now + longestCap(limits)) : refusal.notBefore;
  const { rules, ruleIds } = (ownRefusal === null ? null : refusal) ?? shown;
  return {
    allowed: false,
    rules,
    ruleIds,
    // When contacts of others leave no moment before prescription, the debt's own next opening is used.
    notBefore: moment ?? shown.notBefore,
    ...(shown.shut && { shut: true }),
    shown,
    inVain: suppressions.elsewhere || moment === null || (claimEndsAt !== null && !isClaimOver),
  };
};
