import type { ChangeDebtsResult } from '../../api/client.ts';
import { formatCount } from '../../format.ts';
import { DEBTS } from '../../texts/debts.ts';
import { PROBLEM_TEXT } from '../../texts/problems.ts';

export interface Outcome {
  readonly text: string;
  /** Nothing done is a warning, because the person wanted something to happen. */
  readonly tone: 'good' | 'warning';
}

export const outcomeOf = (result: ChangeDebtsResult): Outcome => ({
  text: outcomeText(result),
  tone: result.done === 0 ? 'warning' : 'good',
});

/** `Feito em 30 dívidas. 2 ficaram como estavam: 2 porque a situação não permite.` */
function outcomeText({ done, skipped }: ChangeDebtsResult): string {
  if (skipped.length === 0) return `${DEBTS.done(done)}.`;
  const counts = new Map<string, number>();
  for (const { code } of skipped) counts.set(code, (counts.get(code) ?? 0) + 1);
  const reasons = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => {
      const words = DEBTS.skippedWhy[code] ?? PROBLEM_TEXT[code as keyof typeof PROBLEM_TEXT] ?? code;
      return `${formatCount(count)} porque ${words.replace(/[.]$/, '')}`;
    });
  return `${DEBTS.done(done)}. ${DEBTS.skipped(skipped.length)}: ${reasons.join('; ')}.`;
}
