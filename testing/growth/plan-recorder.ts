import pg from 'pg';

export interface RecordedPlan {
  /** The statement without its values. */
  readonly statement: string;
  readonly lines: readonly string[];
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

const EXPLAINED = /^\s*(?:select|with|insert|update|delete)\b/i;
/** Settings, locks and the moment of a transaction have no plan worth reading; what the sandbox's bank looks for all the time belongs to no operation. */
const TRIVIAL =
  /set_config\(|pg_advisory|^select extract\(epoch from transaction_timestamp|quita_applied_migrations|"notified_at" < "updated_at"/;

/**
 * Explains every statement that this process sends while `record` runs, with the values with which it is sent. Each is
 * run first by `explain (analyze)` behind a savepoint that takes back what it wrote, and then as it is. It has to be called
 * before the connections are opened, because an open connection keeps the function with which it sends.
 */
export function recordPlans(): { record(run: () => Promise<unknown>): Promise<RecordedPlan[]>; stop(): void } {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let plans: RecordedPlan[] | null = null;
  const waiting: Promise<unknown>[] = [];
  const failures: Error[] = [];

  prototype.query = function query(...given) {
    const [config, params] = given as [string | { text?: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof config === 'string' ? config : config?.text;
    const into = plans;
    if (into === null || text === undefined || !EXPLAINED.test(text) || TRIVIAL.test(text)) {
      return original.apply(this, given);
    }
    const values = typeof config === 'string' ? params : (config.values ?? params);
    const send = (sent: unknown): Promise<{ rows: { 'QUERY PLAN': string }[] }> =>
      original.call(this, sent) as Promise<{ rows: { 'QUERY PLAN': string }[] }>;
    // Outside of a transaction the savepoint fails, and only reads are sent there.
    const saved = send('savepoint explained').catch(() => null);
    const explained = send({
      text: `explain (analyze, buffers, costs off, summary off) ${text}`,
      values: Array.isArray(values) ? values : [],
    }).then(
      ({ rows }) => void into.push({ statement: text, lines: rows.map((row) => row['QUERY PLAN']) }),
      (error: Error) => void failures.push(new Error(`No plan of ${text.slice(0, 160)}`, { cause: error })),
    );
    const back = send('rollback to savepoint explained').catch(() => null);
    waiting.push(saved, explained, back);
    return original.apply(this, given);
  };

  return {
    async record(run) {
      const recorded: RecordedPlan[] = [];
      plans = recorded;
      try {
        await run();
      } finally {
        plans = null;
        await Promise.all(waiting.splice(0));
      }
      const [failure] = failures.splice(0);
      if (failure !== undefined) throw failure;
      return recorded;
    },
    stop() {
      prototype.query = original;
    },
  };
}

/** The tables that a plan reads from one end to the other. */
export const sequentialScans = ({ lines }: RecordedPlan): string[] =>
  lines.flatMap((line) => {
    // A scan that was planned and never run has read nothing.
    const found = /Seq Scan on (?:public\.)?(\w+)/.exec(line);
    return found === null || line.includes('never executed') ? [] : [found[1]!];
  });
