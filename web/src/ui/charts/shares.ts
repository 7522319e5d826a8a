import { formatPercent } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';

/**
 * Whole percentages that add up to 100: each part is rounded down, and what is missing goes to the parts that lost most.
 * Without a total each part is 0.
 */
export function wholePercents(values: readonly number[]): readonly number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return values.map(() => 0);
  const exact = values.map((value) => (value / total) * 100);
  const percents = exact.map(Math.floor);
  const missing = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  const byLoss = exact.map((value, index) => ({ index, lost: value - Math.floor(value) }));
  byLoss.sort((a, b) => b.lost - a.lost);
  for (const { index } of byLoss.slice(0, missing)) percents[index]! += 1;
  return percents;
}

/** `36%`; a part that exists is never called 0%, and a part beside another never 100%. */
export function percentTexts(values: readonly number[]): readonly string[] {
  const parts = values.filter((value) => value > 0).length;
  return wholePercents(values).map((percent, index) => {
    if (percent === 0 && values[index]! > 0) return CHARTS.lessThanOnePercent;
    if (percent === 100 && parts > 1) return CHARTS.moreThanNinetyNinePercent;
    return formatPercent(percent / 100);
  });
}
