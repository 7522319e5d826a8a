import { Agent, request } from 'node:http';
import { cpuSecondsOf } from './cpu.ts';
import { type Figure, report } from './report.ts';

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The processes that answer: the program that listens, and the database behind it. */
export interface Servers {
  readonly program: number;
  readonly database: number;
}

export interface Cost {
  /** Calls a second. */
  readonly rate: number;
  /** Milliseconds of CPU for a call; the load runs on the same cores, which hides in the rate what a server costs. */
  readonly programMs: number;
  readonly allMs: number;
}

const CONNECTIONS = 32;

/** Returns what calls cost over keep-alive connections, all of them answered with 200. */
export async function costOfCalls(next: () => Call, seconds: number, servers: Servers): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const [program, database] = [cpuSecondsOf(servers.program), cpuSecondsOf(servers.database)];
  const start = performance.now();
  const end = start + seconds * 1000;
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const got = await call(agent, next());
      if (got !== 200) throw new Error(`answered ${got}`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const rate = calls / ((performance.now() - start) / 1000);
  agent.destroy();
  const programMs = ((cpuSecondsOf(servers.program) - program) * 1000) / calls;
  return { rate, programMs, allMs: programMs + ((cpuSecondsOf(servers.database) - database) * 1000) / calls };
}

const call = (agent: Agent, { method, url, headers, body }: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...headers } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });

interface Compared {
  readonly bare: number;
  readonly own: number;
  readonly ratio: number;
}

export interface Comparison {
  readonly rate: Compared;
  readonly programMs: Compared;
  readonly allMs: Compared;
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

function middleOf(rounds: readonly { readonly bare: number; readonly own: number }[]): Compared {
  return {
    bare: middle(rounds.map(({ bare }) => bare)),
    own: middle(rounds.map(({ own }) => own)),
    ratio: middle(rounds.map(({ bare, own }) => own / bare)),
  };
}

/** Alternates rounds of both, so that other work of the machine affects both, and takes the medians of values and ratios. */
export async function compareCosts(
  bare: () => Promise<Cost>,
  own: () => Promise<Cost>,
  rounds: number,
): Promise<Comparison> {
  const seen: { bare: Cost; own: Cost }[] = [];
  for (let round = 0; round < rounds; round++) seen.push({ bare: await bare(), own: await own() });
  const of = (name: keyof Cost) => middleOf(seen.map((one) => ({ bare: one.bare[name], own: one.own[name] })));
  return { rate: of('rate'), programMs: of('programMs'), allMs: of('allMs') };
}

/** Reports the rate and the CPU of a route beside those of its reference. */
export function reportComparison(
  name: string,
  { rate, programMs, allMs }: Comparison,
  goals: { readonly rate: number; readonly cpu?: number },
): void {
  const figure = (what: string, unit: string, better: Figure['better'], of: Compared, limit?: number): Figure => ({
    name: `${name}: ${what}`,
    value: of.own,
    unit,
    better,
    baseline: { name: 'bare Koa', value: of.bare },
    ratio: of.ratio,
    ...(limit === undefined ? {} : { goal: { of: 'ratio', limit } }),
  });
  report(
    `${name}: bare ${rate.bare.toFixed(0)}/s, own ${rate.own.toFixed(0)}/s: ${rate.ratio.toFixed(2)} (goal ${goals.rate.toFixed(2)})`,
    figure('rate', '/s', 'more', rate, goals.rate),
  );
  const goal = goals.cpu === undefined ? '' : ` (goal ${goals.cpu})`;
  report(
    `${name}: CPU of the server bare ${programMs.bare.toFixed(3)} ms, own ${programMs.own.toFixed(3)} ms: ${programMs.ratio.toFixed(2)} times${goal}; with PostgreSQL ${allMs.bare.toFixed(3)} and ${allMs.own.toFixed(3)} ms: ${allMs.ratio.toFixed(2)} times`,
    figure('server CPU a call', 'ms', 'less', programMs, goals.cpu),
    figure('server and PostgreSQL CPU a call', 'ms', 'less', allMs),
  );
}
