import { localDate } from '../../../kernel/calendar.ts';
import { type CountedMoments, capsAllow } from './contact-cap.ts';
import { VERDICT_RULES, type VerdictRule } from './contact-question.ts';
import { type Frame, holidayRulesThatClose, windowRulesThatClose } from './contact-window.ts';
import { isInForce, type PolicyRule } from './policy-pack.ts';

const inForceAt = ({ rules, place }: Frame, at: number): readonly PolicyRule[] => {
  const date = localDate(at, place.utcOffsets[0]!);
  return rules.filter((rule) => isInForce(rule, date));
};

const VERDICT_RULE_NAMES: ReadonlySet<string> = new Set(VERDICT_RULES);

/** Returns the rules of the pack that a contact at `at` has passed. */
export const idsOfRulesPassed = (frame: Frame, at: number): readonly string[] =>
  inForceAt(frame, at)
    .filter(({ rule }) => VERDICT_RULE_NAMES.has(rule))
    .map(({ id }) => id);

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
