import { quantile } from './statistics.ts';

export interface Seen {
  readonly kind: string;
  /** Seconds since the beginning of the measurement. */
  readonly at: number;
  readonly ms: number;
}

export interface KindSummary {
  readonly kind: string;
  readonly count: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Minute {
  readonly minute: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** Collects what callers saw. Latency counts from the planned start of a call. */
export class Recorder {
  readonly #seen: Seen[] = [];
  readonly #errors = new Map<string, number>();
  readonly #errorsOfKind = new Map<string, number>();
  #begin = performance.now();

  /** Forgets everything, and begins the measurement now. */
  restart(): void {
    this.#seen.length = 0;
    this.#errors.clear();
    this.#errorsOfKind.clear();
    this.#begin = performance.now();
  }

  /** `error` is what differed from the expected answer; undefined when nothing did. */
  add(kind: string, plannedAt: number, error?: string): void {
    const now = performance.now();
    this.#seen.push({ kind, at: (plannedAt - this.#begin) / 1_000, ms: now - plannedAt });
    if (error === undefined) return;
    const key = `${kind}: ${error}`;
    this.#errors.set(key, (this.#errors.get(key) ?? 0) + 1);
    this.#errorsOfKind.set(kind, (this.#errorsOfKind.get(kind) ?? 0) + 1);
  }

  get count(): number {
    return this.#seen.length;
  }

  get seconds(): number {
    return (performance.now() - this.#begin) / 1_000;
  }

  get errorCount(): number {
    return [...this.#errors.values()].reduce((sum, count) => sum + count, 0);
  }

  errors(): { readonly what: string; readonly count: number }[] {
    return [...this.#errors].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count);
  }

  /** The time below which this share of the calls lie. */
  quantile(share: number): number {
    return quantile(
      this.#seen.map(({ ms }) => ms),
      share,
    );
  }

  kinds(): KindSummary[] {
    return Object.entries(Object.groupBy(this.#seen, ({ kind }) => kind)).map(([kind, all = []]) => {
      const times = all.map(({ ms }) => ms);
      return {
        kind,
        count: times.length,
        errors: this.#errorsOfKind.get(kind) ?? 0,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        longest: quantile(times, 1),
      };
    });
  }

  /** The whole minutes of the measurement. */
  minutes(seconds: number): Minute[] {
    const within = this.#seen.filter(({ at }) => at >= 0 && at < Math.floor(seconds / 60) * 60);
    return Object.entries(Object.groupBy(within, ({ at }) => Math.floor(at / 60)))
      .map(([minute, all = []]) => {
        const times = all.map(({ ms }) => ms);
        return { minute: Number(minute), count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
      })
      .sort((a, b) => a.minute - b.minute);
  }
}
