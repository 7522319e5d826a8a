import { Agent, request } from 'node:http';

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CONNECTIONS = 32;

/** Returns how many calls a second keep-alive connections can make, all of them answered with `status`. */
export async function callsPerSecond(next: () => Call, seconds: number, status = 200): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + seconds * 1000;
  const start = performance.now();
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const got = await call(agent, next());
      if (got !== status) throw new Error(`answered ${got}`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const rate = calls / ((performance.now() - start) / 1000);
  agent.destroy();
  return rate;
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

/** Alternates rounds of both, so that other work of the machine affects both, and returns the median of the ratios. */
export async function ratioOf(
  bare: () => Promise<number>,
  own: () => Promise<number>,
  rounds: number,
): Promise<{ ratio: number; bare: number; own: number }> {
  const seen: { ratio: number; bare: number; own: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [first, second] = [await bare(), await own()];
    seen.push({ ratio: second / first, bare: first, own: second });
  }
  seen.sort((a, b) => a.ratio - b.ratio);
  return seen[Math.floor(seen.length / 2)]!;
}
