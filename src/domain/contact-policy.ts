import {
  addBusinessDays,
  addDays,
  addYears,
  DAY,
  HOUR,
  type HolidayFile,
  type LocalDate,
  localDate,
  startOfDay,
} from './calendar.ts';
import { capReleases, capsAllow, firstAtOrAfter, type Ledger } from './contact-cap.ts';
import { type Frame, openIntervals, windowBlocks } from './contact-window.ts';
import type { DebtStatus } from './debt-status.ts';
import { placeOf } from './phone.ts';
import { type CapRule, type Channel, isInForce, ofKind, type PolicyPack, rulesFor } from './policy-pack.ts';

/** The rules of a verdict: the contract's table, and the states of debt, campaign and client that forbid all contact. */
export const VERDICT_RULES = [
  'window',
  'holidays',
  'caps',
  'scheduling',
  'due',
  'prescription',
  'opt_out',
  'dispute',
  'hold',
  'wrong_person',
  'promise',
  'said_paid',
  'paused',
  'client_inactive',
  'paid',
  'stopped',
  'exhausted',
] as const;
export type VerdictRule = (typeof VERDICT_RULES)[number];

/** A booking or a current reservation, sandbox or real like the debt, but without the debt's own reservation. */
export interface LedgerEntry {
  readonly at: number;
  /** True when the asking client made it: no client may learn of another client's contacts. */
  readonly own: boolean;
}

export interface ContactQuestion {
  readonly pack: PolicyPack;
  readonly holidays: HolidayFile;
  readonly channel: Channel;
  readonly now: number;
  readonly phoneAreaCode: string;
  readonly debt: {
    readonly status: DebtStatus;
    readonly dueDate: LocalDate;
    readonly promisedDate: LocalDate | null;
    readonly saidPaidAt: number | null;
  };
  readonly suppressions: {
    /** The debtor opted out towards this client itself. */
    readonly optedOut: boolean;
    readonly wrongPerson: boolean;
    /** The debtor said either to another client. It binds this client too, which may not learn the reason. */
    readonly elsewhere: boolean;
  };
  readonly campaignPaused: boolean;
  readonly campaignArchived: boolean;
  readonly clientInactive: boolean;
  readonly ledger: { readonly person: readonly LedgerEntry[]; readonly phone: readonly LedgerEntry[] };
}

export interface Refusal {
  readonly rules: readonly VerdictRule[];
  /** The earliest moment allowed as far as is known now; null when there is none, or somebody has to decide first. */
  readonly notBefore: number | null;
}

export type ContactDecision =
  | { readonly allowed: true; readonly rules: readonly VerdictRule[] }
  | ({
      readonly allowed: false;
      /** What the client may see. Only this decides the status of the debt, because the status must not reveal more. */
      readonly shown: Refusal;
      /** No contact is made at `notBefore`: it is only the moment to decide again, and no slot is reserved for it. */
      readonly inVain: boolean;
    } & Refusal);

const YEARS_AHEAD = 10;

/** Returns the blocks that no wait lifts: a decision of the client or the operator lifts them, or nothing does. */
const standingBlocks = (question: ContactQuestion): VerdictRule[] => {
  const { debt, suppressions } = question;
  const blocks: readonly (readonly [VerdictRule, boolean])[] = [
    ['opt_out', suppressions.optedOut || debt.status === 'OPTED_OUT'],
    ['dispute', debt.status === 'DISPUTED'],
    ['hold', debt.status === 'ON_HOLD'],
    ['wrong_person', suppressions.wrongPerson],
    ['paused', question.campaignPaused],
    ['client_inactive', question.clientInactive],
    ['paid', debt.status === 'PAID'],
    ['stopped', debt.status === 'STOPPED' || question.campaignArchived],
    ['exhausted', debt.status === 'EXHAUSTED'],
  ];
  return blocks.filter(([, blocked]) => blocked).map(([rule]) => rule);
};

interface Limits {
  readonly frame: Frame;
  readonly caps: readonly CapRule[];
  /** The moments from which the due date, a promise and a reported payment allow a contact. */
  readonly waits: readonly (readonly [VerdictRule, number])[];
  /** The first moment at which the debt is prescribed in any place where the debtor may be. */
  readonly prescribedAt: number;
}

const limitsOf = ({ pack, holidays, phoneAreaCode, channel, debt, now }: ContactQuestion): Limits => {
  const place = placeOf(phoneAreaCode);
  const rules = rulesFor(pack, place.states, channel);
  const today = localDate(now, place.utcOffsets[0]!);
  const east = Math.max(...place.utcOffsets);
  const from = (date: LocalDate) => startOfDay(date, Math.min(...place.utcOffsets));
  const waits: [VerdictRule, number][] = [];
  for (const rule of ofKind(rules, 'due', today)) waits.push(['due', from(addDays(debt.dueDate, rule.daysAfterDue))]);
  for (const { businessDays } of debt.promisedDate === null ? [] : ofKind(rules, 'promise', today)) {
    waits.push(['promise', from(addBusinessDays(holidays, debt.promisedDate!, businessDays, place.states))]);
  }
  for (const { businessDays } of debt.saidPaidAt === null ? [] : ofKind(rules, 'said_paid', today)) {
    // Only whole days count: the day of the message does not count, and no contact is made until the last day has
    // ended.
    const said = localDate(debt.saidPaidAt!, east);
    waits.push(['said_paid', from(addDays(addBusinessDays(holidays, said, businessDays, place.states), 1))]);
  }
  const prescriptions = ofKind(rules, 'prescription', today).map((rule) =>
    startOfDay(addDays(addYears(debt.dueDate, rule.years), 1), east),
  );
  return {
    frame: { rules, holidays, place },
    caps: rules.filter((rule): rule is CapRule => rule.rule === 'caps'),
    waits,
    prescribedAt: Math.min(...prescriptions, Number.POSITIVE_INFINITY),
  };
};

const capsAt = ({ caps, frame }: Limits, at: number): readonly CapRule[] => {
  const date = localDate(at, frame.place.utcOffsets[0]!);
  return caps.filter((rule) => isInForce(rule, date));
};

const waitingBlocks = (limits: Limits, ledger: Ledger, at: number): VerdictRule[] => [
  ...windowBlocks(limits.frame, at),
  ...(capsAllow(capsAt(limits, at), ledger, limits.frame.place.utcOffsets, at) ? [] : (['caps'] as const)),
  ...limits.waits.filter(([, until]) => at < until).map(([rule]) => rule),
  ...(at < limits.prescribedAt ? [] : (['prescription'] as const)),
];

/** Returns the first allowed moment not before `at`. Only openings and cap releases can be one, so only those are tried. */
const nextMoment = (limits: Limits, ledger: Ledger, at: number): number | null => {
  const { frame, caps, prescribedAt } = limits;
  const { utcOffsets } = frame.place;
  const start = Math.max(at, ...limits.waits.map(([, until]) => until));
  const end = Math.min(prescribedAt, start + YEARS_AHEAD * 366 * DAY);
  const releases = capReleases(caps, ledger);
  const west = Math.min(...utcOffsets);
  for (let date = localDate(start, west); startOfDay(date, Math.max(...utcOffsets)) < end; date = addDays(date, 1)) {
    for (const open of openIntervals(frame, date)) {
      const opening = Math.max(open.from, start);
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
const ledgerOf = ({ ledger }: ContactQuestion, counts: (entry: LedgerEntry) => boolean): Ledger => ({
  person: sorted(ledger.person.filter(counts)),
  phone: sorted(ledger.phone.filter(counts)),
});

const refuse = (limits: Limits, ledger: Ledger, now: number, standing: readonly VerdictRule[]): Refusal | null => {
  const waiting = waitingBlocks(limits, ledger, now);
  if (standing.length + waiting.length === 0) return null;
  const never = standing.length > 0 || waiting.includes('prescription');
  const notBefore = never ? null : nextMoment(limits, ledger, now);
  // The wait would end after prescription, so prescription is the reason why no moment is left.
  const lapses = !never && notBefore === null && Number.isFinite(limits.prescribedAt);
  return { rules: [...standing, ...waiting, ...(lapses ? (['prescription'] as const) : [])], notBefore };
};

/** Returns the rules of the pack that the contact has passed. */
const rulesAsked = ({ frame }: Limits): readonly VerdictRule[] =>
  VERDICT_RULES.filter((name) => frame.rules.some(({ rule }) => rule === name));

/** Returns how long the caps would block if contacts of another client had filled all of them just now. */
const longestCap = ({ caps }: Limits): number =>
  Math.max(DAY, ...caps.map(({ period }) => (period === 'calendar_day' ? DAY : period.hours * HOUR)));

/**
 * Builds what a client sees when only facts known to another client block the contact. The moment at which the block
 * ends would reveal what it is and when it happened, so `notBefore` is the client's own next opening.
 */
const schedulingOf = (limits: Limits, own: Ledger, now: number): Refusal => {
  const today = openIntervals(limits.frame, localDate(now, limits.frame.place.utcOffsets[0]!));
  const close = today.find(({ from, to }) => from <= now && now < to)?.to ?? now;
  const notBefore = nextMoment(limits, own, close);
  // When no opening is left before prescription, the debt's own age is the reason, which the client may know.
  const lapses = notBefore === null && Number.isFinite(limits.prescribedAt);
  return { rules: ['scheduling', ...(lapses ? (['prescription'] as const) : [])], notBefore };
};

/** Decides whether the debtor may be contacted now for this debt; a refusal names its rules and the earliest moment. */
export const decideContact = (question: ContactQuestion): ContactDecision => {
  const { now, suppressions } = question;
  const limits = limitsOf(question);
  const standing = standingBlocks(question);
  const all = ledgerOf(question, () => true);
  const refusal = refuse(limits, all, now, standing);
  if (refusal === null && !suppressions.elsewhere) return { allowed: true, rules: rulesAsked(limits) };
  const own = ledgerOf(question, (entry) => entry.own);
  const onlyOwnContacts = own.person.length === all.person.length && own.phone.length === all.phone.length;
  const ownRefusal = onlyOwnContacts ? refusal : refuse(limits, own, now, standing);
  const shown = ownRefusal ?? schedulingOf(limits, own, now);
  // A suppression known to another client waits as long as caps that others have just filled, so that the client cannot
  // distinguish the two.
  const moment = refusal === null ? nextMoment(limits, all, now + longestCap(limits)) : refusal.notBefore;
  return {
    allowed: false,
    rules: (ownRefusal === null ? null : refusal?.rules) ?? shown.rules,
    // When contacts of others leave no moment before prescription, the debt's own next opening is used.
    notBefore: moment ?? shown.notBefore,
    shown,
    inVain: suppressions.elsewhere || moment === null,
  };
};
