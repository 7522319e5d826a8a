import type { LocalDate } from '../../../kernel/calendar.ts';
import type { CollectsFor } from '../../../kernel/collects-for.ts';
import type { State } from '../../../kernel/phone.ts';

/** A contact policy is data: `policies/<pack>.json`, read and checked by `src/modules/policy/use-cases/load-policy.ts`. */
export const CHANNELS = ['whatsapp', 'sms', 'email', 'call'] as const;
export type Channel = (typeof CHANNELS)[number];

export const LEGAL_STATUSES = ['law', 'case', 'selfreg', 'platform', 'bill', 'product'] as const;
export type LegalStatus = (typeof LEGAL_STATUSES)[number];

/** Whom a rule binds: every client, or only those who collect the debts of others. */
export const BOUND_CLIENTS = ['all', 'collectors'] as const;
export type BoundClients = (typeof BOUND_CLIENTS)[number];

/** Where a rule was seen to be in force. */
export interface StatusProof {
  readonly seen: string;
  readonly url: string | null;
}

interface RuleRecord {
  readonly id: string;
  readonly status: LegalStatus;
  /** The statute, or whose choice the rule is. */
  readonly source: string;
  /** The pages on which the text was read when the official one could not be opened. */
  readonly foundAt: readonly string[];
  readonly note: string | null;
  /** The day on which it was last looked up whether the rule is in force; null for a rule that the client made. */
  readonly checkedAt: LocalDate | null;
  /** Null when it was not seen to be in force. */
  readonly statusProof: StatusProof | null;
  readonly binds: BoundClients;
  /** Both dates are included. Null means in force already, or without an end. */
  readonly effectiveFrom: LocalDate | null;
  readonly effectiveTo: LocalDate | null;
  readonly channels: 'all' | readonly Channel[];
  readonly states: 'all' | readonly State[];
}

export interface TimeWindow {
  /** Days of the week; 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since local midnight; `from` belongs to the window, `to` does not. */
  readonly from: number;
  readonly to: number;
}

export type CapPeriod = 'calendar_day' | { readonly hours: number };

export type WindowRule = RuleRecord & { readonly rule: 'window'; readonly windows: readonly TimeWindow[] };
export type HolidaysRule = RuleRecord & {
  readonly rule: 'holidays';
  readonly national: boolean;
  readonly state: boolean;
};
export type CapRule = RuleRecord & {
  readonly rule: 'caps';
  readonly count: number;
  readonly period: CapPeriod;
  readonly countedPer: readonly ('person' | 'phone')[];
};
export type PolicyRule =
  | WindowRule
  | HolidaysRule
  | CapRule
  | (RuleRecord & { readonly rule: 'due'; readonly daysAfterDue: number })
  | (RuleRecord & { readonly rule: 'prescription'; readonly years: number })
  | (RuleRecord & { readonly rule: 'opt_out' | 'dispute' | 'hold' | 'wrong_person' })
  | (RuleRecord & { readonly rule: 'promise' | 'said_paid'; readonly businessDays: number })
  | (RuleRecord & { readonly rule: 'inbox'; readonly retryMinutes: number })
  | (RuleRecord & { readonly rule: 'reply'; readonly perMessage: number; readonly perDay: number })
  | (RuleRecord & { readonly rule: 'person_answering'; readonly hours: number; readonly businessDays: number })
  | (RuleRecord & { readonly rule: 'receipt'; readonly sendingsPerDay: number })
  | (RuleRecord & { readonly rule: 'identity'; readonly requires: readonly string[] })
  | (RuleRecord & { readonly rule: 'free_text'; readonly hours: number });

export type RuleKind = PolicyRule['rule'];

/** A pack that lacks one of these rules does not implement the policy that the service promises. */
export const REQUIRED_RULES: readonly RuleKind[] = [
  'window',
  'holidays',
  'caps',
  'due',
  'prescription',
  'opt_out',
  'dispute',
  'hold',
  'wrong_person',
  'promise',
  'said_paid',
  'inbox',
  'reply',
  'person_answering',
  'receipt',
  'identity',
  'free_text',
];

export interface PolicyPack {
  readonly id: string;
  readonly version: string;
  readonly jurisdiction: string;
  readonly rules: readonly PolicyRule[];
}

/** The rules of a pack that bind one kind of client. Every decision is made by one of these. */
export type BindingPack = PolicyPack & { readonly collectsFor: CollectsFor };

/** A bill is listed so that it is followed up, and binds nobody. */
const binds = ({ status, binds: whom }: PolicyRule, collectsFor: CollectsFor): boolean =>
  status !== 'bill' && (whom === 'all' || collectsFor === 'others');

/** The same pack and kind of client give the same answer, because what follows from a pack is remembered with it. */
const bindingPacks = new WeakMap<PolicyPack, Map<CollectsFor, BindingPack>>();

/** Returns the rules of the pack that bind a client who collects its own debts, or those of others. */
export function bindingPack(pack: PolicyPack, collectsFor: CollectsFor): BindingPack {
  const known = bindingPacks.get(pack) ?? new Map<CollectsFor, BindingPack>();
  bindingPacks.set(pack, known);
  const found = known.get(collectsFor);
  if (found !== undefined) return found;
  const made = { ...pack, collectsFor, rules: pack.rules.filter((rule) => binds(rule, collectsFor)) };
  known.set(collectsFor, made);
  return made;
}

export const isInForce = (rule: PolicyRule, date: LocalDate): boolean =>
  (rule.effectiveFrom === null || rule.effectiveFrom <= date) &&
  (rule.effectiveTo === null || date <= rule.effectiveTo);

/** Returns the rules that apply to a contact by `channel` with a person who may be in any of `states`. */
export const rulesFor = (pack: BindingPack, states: readonly State[], channel: Channel): readonly PolicyRule[] =>
  pack.rules.filter(
    (rule) =>
      (rule.channels === 'all' || rule.channels.includes(channel)) &&
      (rule.states === 'all' || rule.states.some((state) => states.includes(state))),
  );

export const ofKind = <K extends RuleKind>(
  rules: readonly PolicyRule[],
  kind: K,
  date: LocalDate,
): readonly Extract<PolicyRule, { rule: K }>[] =>
  rules.filter((rule): rule is Extract<PolicyRule, { rule: K }> => rule.rule === kind && isInForce(rule, date));
