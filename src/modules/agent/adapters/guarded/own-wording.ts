import { type GuardProblem, guardMessage } from '../../../../kernel/message-guard.ts';
import type {
  AgentMessage,
  DebtFacts,
  OwnWording,
  Turn,
  WordingGuard,
  WordingProblem,
} from '../../../messaging/ports/collection-agent.ts';
import { ownShortText, ownText } from '../../../messaging/texts/own-wording.ts';
import { collectionRules } from './guard-rules.ts';

/** Puts the client's own words in the place of the product's, where the guard lets them pass. */
export function withOwnWording(
  product: AgentMessage,
  wording: OwnWording,
  { debt, history }: { readonly debt: DebtFacts; readonly history: readonly Turn[] },
  onRefused: ((problems: readonly GuardProblem[]) => void) | undefined,
): AgentMessage {
  const passes = (text: string, texts: 'full' | 'short'): boolean => {
    const problems = guardMessage(text, collectionRules(debt, history, texts));
    if (problems.length > 0) onRefused?.(problems);
    return problems.length === 0;
  };
  const text = ownText(wording, debt);
  if (!passes(text, 'full')) return product;
  const short = ownShortText(wording, debt);
  const isShortOwn = short !== null && passes(short, 'short');
  return {
    ...product,
    text,
    short: isShortOwn ? short : product.short,
    own: { version: wording.version, productText: product.text, isShortOwn },
  };
}

/** Checks own words before they are saved, as the guard will check the message that is made of them. */
export const createWordingGuard = (): WordingGuard => ({
  fill: (wording, debt) => ({ text: ownText(wording, debt), short: ownShortText(wording, debt) }),
  problems: (wording, debt) => {
    const text = guardMessage(ownText(wording, debt), collectionRules(debt, []));
    const short = ownShortText(wording, debt);
    const problems: WordingProblem[] = text.map((problem) => ({ member: 'text', problem }));
    if (wording.short === null) return problems;
    if (short === null) return [...problems, { member: 'short', problem: 'too_long' }];
    const ofShort = guardMessage(short, collectionRules(debt, [], 'short'));
    return [...problems, ...ofShort.map((problem): WordingProblem => ({ member: 'short', problem }))];
  },
});
