import { scaleBand, scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { formatMoney, formatPlainDate, formatShortMoney } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { daysOf, shortDate } from './days.ts';

export interface RecoveredDay {
  readonly date: string;
  /** In reais; less than zero on a day with more refunds than payments. */
  readonly recovered: number;
}

export interface CumulatedDay extends RecoveredDay {
  /** Recovered from the first day up to this one. */
  readonly total: number;
}

const centavos = (reais: number): number => Math.round(reais * 100);

/** Every day in order with the sum so far. Sums are made in centavos, so that no fraction of one appears. */
export function cumulate(days: readonly RecoveredDay[]): readonly CumulatedDay[] {
  if (days.length === 0) return [];
  const byDate = new Map<string, number>();
  for (const { date, recovered } of days) byDate.set(date, (byDate.get(date) ?? 0) + centavos(recovered));
  let total = 0;
  return daysOf([...byDate.keys()]).map((date) => {
    const recovered = byDate.get(date) ?? 0;
    total += recovered;
    return { date, recovered: recovered / 100, total: total / 100 };
  });
}

export function recoveredSentence(days: readonly CumulatedDay[]): string {
  const last = days.at(-1);
  if (last === undefined) return CHARTS.empty;
  const period =
    days.length === 1
      ? `Em ${formatPlainDate(last.date)}`
      : `De ${formatPlainDate(days[0]!.date)} a ${formatPlainDate(last.date)}`;
  if (days.every(({ recovered }) => recovered === 0)) return `${period}, nada foi recuperado.`;
  if (last.total < 0) return `${period}, as devoluções superaram os pagamentos em ${formatMoney(-last.total)}.`;
  const sum = `${period}, o valor recuperado foi de ${formatMoney(last.total)}`;
  if (days.length === 1) return `${sum}.`;
  const best = days.reduce((a, b) => (b.recovered > a.recovered ? b : a));
  return `${sum}. O melhor dia foi ${shortDate(best.date)}, com ${formatMoney(best.recovered)}.`;
}

/** The height that the style sheet keeps free, and where the two panels stand in it. */
export const HEIGHT = 320;
const TOTAL_PANEL = { top: 32, bottom: 136 };
const DAY_PANEL = { top: 184, bottom: 288 };
export const PANEL_TITLES = { total: 14, day: 166 };
export const DATES_AT = 312;

/** The width of a wide character of the labels, so that the widest fonts of systems fit. */
const CHARACTER = 9;
const RIGHT = 20;
const WIDEST_BAR = 40;
const DATE_SPACE = 64;

interface Tick {
  readonly y: number;
  readonly label: string;
}

function moneyScale(values: readonly number[], { top, bottom }: { readonly top: number; readonly bottom: number }) {
  let low = values.reduce((a, b) => Math.min(a, b), 0);
  let high = values.reduce((a, b) => Math.max(a, b), 0);
  // Less than one real between the ends would give several ticks the same label.
  if (high - low < 1 && high > 0) high = low + 1;
  else if (high - low < 1) low = -1;
  const scale = scaleLinear().domain([low, high]).nice(3).range([bottom, top]);
  const flat = values.every((value) => value === 0);
  if (flat) scale.domain([0, 1]);
  const ticks = (flat ? [0] : scale.ticks(3)).map(
    (value): Tick => ({ y: scale(value), label: formatShortMoney(value) }),
  );
  return { scale, ticks };
}

export interface RecoveredDrawing {
  readonly left: number;
  readonly right: number;
  readonly totals: {
    readonly ticks: readonly Tick[];
    readonly zero: number;
    readonly line: string;
    readonly area: string;
  };
  readonly end: { readonly x: number; readonly y: number };
  readonly daily: { readonly ticks: readonly Tick[]; readonly zero: number };
  /** One per day; `from` and `span` are the width in which the pointer finds the day. */
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly from: number;
    readonly span: number;
  }[];
  readonly dates: readonly { readonly x: number; readonly label: string }[];
}

/** Where everything stands. Two panels share the days, because one axis for both would flatten the daily bars. */
export function drawRecovered(days: readonly CumulatedDay[], width: number): RecoveredDrawing {
  const total = moneyScale(
    days.map((day) => day.total),
    TOTAL_PANEL,
  );
  const daily = moneyScale(
    days.map((day) => day.recovered),
    DAY_PANEL,
  );
  const longest = Math.max(...[...total.ticks, ...daily.ticks].map(({ label }) => label.length));
  const left = Math.ceil(longest * CHARACTER) + 8;
  const right = Math.max(left + 1, width - RIGHT);
  const band = scaleBand<number>()
    .domain(days.map((_, index) => index))
    .range([left, right])
    .paddingInner(0.25)
    .paddingOuter(0.2);
  const barWidth = Math.min(band.bandwidth(), WIDEST_BAR);
  const middle = (index: number): number => band(index)! + band.bandwidth() / 2;
  const points = days.map((day, index): [number, number] => [middle(index), total.scale(day.total)]);
  const end = points.at(-1)!;
  const zero = daily.scale(0);

  // Labels stand at equal distances before the last day; a narrow screen has only the first and the last.
  const spaces = Math.max(1, Math.floor((right - left) / DATE_SPACE));
  const step = Math.max(1, Math.ceil((days.length - 1) / (spaces < 3 ? 1 : spaces)));
  const dates = days
    .map(({ date }, index) => ({ x: middle(index), label: shortDate(date) }))
    .filter((_, index) => (days.length - 1 - index) % step === 0);

  return {
    left,
    right,
    totals: {
      ticks: total.ticks,
      zero: total.scale(0),
      line: line()(points) ?? '',
      area: area().y0(total.scale(0))(points) ?? '',
    },
    end: { x: end[0], y: end[1] },
    daily: { ticks: daily.ticks, zero },
    bars: days.map(({ recovered }, index) => {
      const y = daily.scale(recovered);
      // A day with a little money is still seen.
      const height = recovered === 0 ? 0 : Math.max(1.5, Math.abs(zero - y));
      return {
        x: middle(index) - barWidth / 2,
        y: recovered > 0 ? zero - height : zero,
        width: barWidth,
        height,
        from: middle(index) - band.step() / 2,
        span: band.step(),
      };
    }),
    dates,
  };
}
