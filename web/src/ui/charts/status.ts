import { formatCount } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { percentTexts } from './shares.ts';

export type PartTone = 'paid' | 'contact' | 'waiting' | 'test' | 'danger' | 'ended';

export interface StatusPart {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly tone: PartTone;
}

export function statusSentence(parts: readonly StatusPart[]): string {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return CHARTS.empty;
  const most = parts.reduce((a, b) => (b.count > a.count ? b : a));
  if (most.count === total) return `${CHARTS.debtCount(total)} ao todo, na situação “${most.label}”.`;
  const percent = percentTexts(parts.map(({ count }) => count))[parts.indexOf(most)]!;
  return `${CHARTS.debtCount(total)} ao todo. A situação mais comum é “${most.label}”, com ${formatCount(most.count)} (${percent}).`;
}

/** For each part whether it is drawn lighter, so that two neighbours of one tone do not look like one part. */
export function lighterParts(parts: readonly StatusPart[]): readonly boolean[] {
  const seen = new Map<PartTone, number>();
  return parts.map(({ tone }) => {
    const before = seen.get(tone) ?? 0;
    seen.set(tone, before + 1);
    return before % 2 === 1;
  });
}
