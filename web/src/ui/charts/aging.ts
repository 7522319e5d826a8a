import { formatMoney } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { percentTexts } from './shares.ts';

export interface AgingBand {
  readonly label: string;
  readonly debts: number;
  /** In reais. */
  readonly amount: number;
}

interface BandOfDays extends Omit<AgingBand, 'label'> {
  readonly fromDays: number;
  readonly toDays: number | null;
}

/** Names the bands as the API gives them. */
export const agingBands = (bands: readonly BandOfDays[]): AgingBand[] =>
  bands.map(({ fromDays, toDays, debts, amount }) => ({ label: CHARTS.daysLate(fromDays, toDays), debts, amount }));

/** What a chart says of its debts. */
export type AgingWords = Readonly<Record<'name' | 'open' | 'state', string>>;

/** Sums are made in centavos, so that no fraction of one appears. */
export const openAmount = (bands: readonly AgingBand[]): number =>
  bands.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;

export const debtCount = (bands: readonly AgingBand[]): number => bands.reduce((sum, { debts }) => sum + debts, 0);

export function agingSentence(bands: readonly AgingBand[], { state }: AgingWords = CHARTS.aging): string {
  const debts = debtCount(bands);
  if (debts === 0) return CHARTS.empty;
  const total = openAmount(bands);
  const sum = `${formatMoney(total)} ${state} em ${CHARTS.debtCount(debts)}`;
  const most = bands.reduce((a, b) => (b.amount > a.amount ? b : a));
  if (most.debts === debts) return `${sum}, na faixa “${most.label}”.`;
  const percent = percentTexts(bands.map(({ amount }) => amount))[bands.indexOf(most)]!;
  return `${sum}. A faixa com mais valor é “${most.label}”, com ${formatMoney(most.amount)} (${percent}).`;
}

/** The length of each bar in percent of the longest. A band with a little money keeps a visible bar. */
export function barLengths(bands: readonly AgingBand[]): readonly number[] {
  const longest = bands.reduce((most, { amount }) => Math.max(most, amount), 0);
  return bands.map(({ amount }) => (amount <= 0 ? 0 : Math.max(0.5, (amount / longest) * 100)));
}
