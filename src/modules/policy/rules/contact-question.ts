import { type LocalDate, localDate } from '../../../kernel/calendar.ts';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import type { StricterPack } from './campaign-settings.ts';
import { type CountedMoments, capsAllow } from './contact-cap.ts';
import { eachDay, type Frame, holidayRulesThatClose, rulesInForce, windowRulesThatClose } from './contact-window.ts';
import type { Channel, PolicyRule } from './policy-pack.ts';
import type { RemindersOfDebt } from './reminder-days.ts';

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
  'inbox',
  'person_answering',
  'paused',
  'client_inactive',
  'client_not_verified',
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

/** The contacts booked or reserved for the person (CPF) and for the phone. */
export interface Ledger {
  readonly person: readonly LedgerEntry[];
  readonly phone: readonly LedgerEntry[];
}

export interface ContactQuestion {
  /** With the rules of the client and of the campaign. */
  readonly pack: StricterPack;
  readonly holidays: HolidayCalendar;
  readonly channel: Channel;
  readonly now: number;
  readonly phoneAreaCode: string;
  /** The area codes of further phones of the debtor, who may be in the place of any of them. */
  readonly otherAreaCodes: readonly string[];
  readonly debt: {
    readonly status: DebtStatus;
    readonly dueDate: LocalDate;
    /** The date from which prescription counts, where that is another one: an agreement counts it from its instalment. */
    readonly prescribedSince?: LocalDate;
    readonly promisedDate: LocalDate | null;
    readonly saidPaidAt: number | null;
    /** Absent where nobody is reminded of the debt, and for every message but those that the sequence makes. */
    readonly reminders?: RemindersOfDebt | null;
    /** Until when the client's staff have the conversation, so that nothing is sent by itself; null when they do not. */
    readonly staffAnswersUntil: number | null;
  };
  readonly suppressions: {
    /** The debtor opted out towards this client itself. */
    readonly optedOut: boolean;
    /** Somebody else opted out on this phone. The person may still be contacted on another one. */
    readonly phoneSilenced?: boolean;
    readonly wrongPerson: boolean;
    /** The debtor said either to another client. It binds this client too, which may not learn the reason. */
    readonly elsewhere: boolean;
  };
  readonly campaignPaused: boolean;
  readonly campaignArchived: boolean;
  readonly clientInactive: boolean;
  /** The contact would reach a real person, and the operator's check of the company is not in force. */
  readonly clientUnverified: boolean;
  /** A message of the person or a notification about a payment of theirs has come and is not handled yet. */
  readonly inboxWaiting: boolean;
  readonly ledger: Ledger;
}

const inForceAt = (frame: Frame, at: number): readonly PolicyRule[] =>
  rulesInForce(frame, localDate(at, frame.place.utcOffsets[0]!));

const VERDICT_RULE_NAMES: ReadonlySet<string> = new Set(VERDICT_RULES);

const idsOfVerdictRules = eachDay((frame, date): readonly string[] =>
  rulesInForce(frame, date)
    .filter(({ rule }) => VERDICT_RULE_NAMES.has(rule))
    .map(({ id }) => id),
);

const idsBeforeDue = eachDay((frame, date): readonly string[] =>
  rulesInForce(frame, date)
    .filter(({ rule }) => rule !== 'due' && VERDICT_RULE_NAMES.has(rule))
    .map(({ id }) => id),
);

/** Returns the rules of the pack that a contact at `at` has passed. One before the due date has not passed that rule. */
export const idsOfRulesPassed = (frame: Frame, at: number, { isDue }: { readonly isDue: boolean }): readonly string[] =>
  (isDue ? idsOfVerdictRules : idsBeforeDue)(frame, localDate(at, frame.place.utcOffsets[0]!));

/**
 * Returns the rules of the pack behind the kinds that block a contact at `at`. Several laws may stand behind one kind,
 * and only those that block by themselves are named. A state of the debt, the campaign or the client has no rule in the
 * pack, and `scheduling` must not disclose one.
 */
export const idsOfRulesThatBlock = (
  frame: Frame,
  {
    kinds,
    ledger,
    at,
  }: { readonly kinds: readonly VerdictRule[]; readonly ledger: CountedMoments; readonly at: number },
): readonly string[] => {
  const blocks = (rule: PolicyRule): boolean => {
    if (!kinds.some((kind) => kind === rule.rule)) return false;
    if (rule.rule === 'window') return windowRulesThatClose(frame, at).includes(rule);
    if (rule.rule === 'holidays') return holidayRulesThatClose(frame, at).includes(rule);
    if (rule.rule === 'caps') return !capsAllow([rule], ledger, frame.place.utcOffsets, at);
    return true;
  };
  return inForceAt(frame, at)
    .filter(blocks)
    .map(({ id }) => id);
};
