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

/** What a verdict names: the contract's table, and the states of debt, campaign and client that silence everything. */
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

/** A booking or a live hold, of the same world (sandbox or real); the asking debt's own hold is left out. */
export interface LedgerEntry {
  readonly at: number;
  /** Made by the client who asks; no client may learn of another's. */
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
    /** As this client was told itself. */
    readonly optedOut: boolean;
    readonly wrongPerson: boolean;
    /** Another client was told one of both, and it binds this client too. Why, this client may not learn. */
    readonly elsewhere: boolean;
  };
  readonly campaignPaused: boolean;
  readonly campaignArchived: boolean;
  readonly clientInactive: boolean;
  readonly ledger: { readonly person: readonly LedgerEntry[]; readonly phone: readonly LedgerEntry[] };
}

export interface Refusal {
  readonly rules: readonly VerdictRule[];
  /** The earliest moment that is allowed as things stand; null: never, or not before somebody decides. */
  readonly notBefore: number | null;
}

export type ContactDecision =
  | { readonly allowed: true; readonly rules: readonly VerdictRule[] }
  | ({
      readonly allowed: false;
      /** What the client may see. What becomes of the debt is decided by this alone: its status must not tell more. */
      readonly shown: Refusal;
      /** Nobody is going to be contacted at `notBefore`: it is when to ask again, and no slot is held for it. */
      readonly inVain: boolean;
    } & Refusal);

const YEARS_AHEAD = 10;

/** Nothing but a decision of the client, the operator or nobody at all lifts these. */
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

interface Span {
  readonly frame: Frame;
  readonly caps: readonly CapRule[];
  /** From when due date, promise and "I have paid" let a contact be made. */
  readonly waits: readonly (readonly [VerdictRule, number])[];
  /** The first moment at which the debt is prescribed somewhere the debtor may be. */
  readonly prescribedAt: number;
}

const spanOf = ({ pack, holidays, phoneAreaCode, channel, debt, now }: ContactQuestion): Span => {
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
    // Whole days of silence: the day of the message does not count, and the last one is silent to its end.
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

const capsAt = ({ caps, frame }: Span, at: number): readonly CapRule[] => {
  const date = localDate(at, frame.place.utcOffsets[0]!);
  return caps.filter((rule) => isInForce(rule, date));
};

const waitingBlocks = (span: Span, ledger: Ledger, at: number): VerdictRule[] => [
  ...windowBlocks(span.frame, at),
  ...(capsAllow(capsAt(span, at), ledger, span.frame.place.utcOffsets, at) ? [] : (['caps'] as const)),
  ...span.waits.filter(([, until]) => at < until).map(([rule]) => rule),
  ...(at < span.prescribedAt ? [] : (['prescription'] as const)),
];

/** The first allowed moment not before `at`: only openings and releases of a cap can be one, so only those are tried. */
const nextMoment = (span: Span, ledger: Ledger, at: number): number | null => {
  const { frame, caps, prescribedAt } = span;
  const { utcOffsets } = frame.place;
  const start = Math.max(at, ...span.waits.map(([, until]) => until));
  const end = Math.min(prescribedAt, start + YEARS_AHEAD * 366 * DAY);
  const releases = capReleases(caps, ledger);
  const west = Math.min(...utcOffsets);
  for (let date = localDate(start, west); startOfDay(date, Math.max(...utcOffsets)) < end; date = addDays(date, 1)) {
    for (const open of openIntervals(frame, date)) {
      const opening = Math.max(open.from, start);
      if (opening >= open.to) continue;
      const inForce = capsAt(span, opening);
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

const refuse = (span: Span, ledger: Ledger, now: number, standing: readonly VerdictRule[]): Refusal | null => {
  const waiting = waitingBlocks(span, ledger, now);
  if (standing.length + waiting.length === 0) return null;
  const never = standing.length > 0 || waiting.includes('prescription');
  const notBefore = never ? null : nextMoment(span, ledger, now);
  // Waiting would outlast the five years: it is prescription that makes it never.
  const lapses = !never && notBefore === null && Number.isFinite(span.prescribedAt);
  return { rules: [...standing, ...waiting, ...(lapses ? (['prescription'] as const) : [])], notBefore };
};

/** The pack's rules that a contact had to pass. */
const rulesAsked = ({ frame }: Span): readonly VerdictRule[] =>
  VERDICT_RULES.filter((name) => frame.rules.some(({ rule }) => rule === name));

/** Another client's contacts, had they filled every cap just now, would have left room again after this. */
const longestCap = ({ caps }: Span): number =>
  Math.max(DAY, ...caps.map(({ period }) => (period === 'calendar_day' ? DAY : period.hours * HOUR)));

/** Only what another client knows blocks. Naming the moment that it ends would tell what it is, and when it was. */
const schedulingOf = (span: Span, own: Ledger, now: number): Refusal => {
  const today = openIntervals(span.frame, localDate(now, span.frame.place.utcOffsets[0]!));
  const close = today.find(({ from, to }) => from <= now && now < to)?.to ?? now;
  const notBefore = nextMoment(span, own, close);
  // No opening is left before the five years are over: that is the debt's own end, and no secret.
  const lapses = notBefore === null && Number.isFinite(span.prescribedAt);
  return { rules: ['scheduling', ...(lapses ? (['prescription'] as const) : [])], notBefore };
};

/** May this debtor be contacted now for this debt? If not: by which rules, and from when. */
export const decideContact = (question: ContactQuestion): ContactDecision => {
  const { now, suppressions } = question;
  const span = spanOf(question);
  const standing = standingBlocks(question);
  const all = ledgerOf(question, () => true);
  const refusal = refuse(span, all, now, standing);
  if (refusal === null && !suppressions.elsewhere) return { allowed: true, rules: rulesAsked(span) };
  const own = ledgerOf(question, (entry) => entry.own);
  const alone = own.person.length === all.person.length && own.phone.length === all.phone.length;
  const ownRefusal = alone ? refusal : refuse(span, own, now, standing);
  const shown = ownRefusal ?? schedulingOf(span, own, now);
  // Who is never contacted waits as if others had filled the caps just now: from outside the two look the same.
  const moment = refusal === null ? nextMoment(span, all, now + longestCap(span)) : refusal.notBefore;
  return {
    allowed: false,
    rules: (ownRefusal === null ? null : refusal?.rules) ?? shown.rules,
    // Others may leave no room before the five years are over: then the debt's own next opening is where it ends.
    notBefore: moment ?? shown.notBefore,
    shown,
    inVain: suppressions.elsewhere || moment === null,
  };
};
