/** What a process of the product tells about its own V8, where it serves `/metrics`. */
export interface NodeSample {
  readonly at: number;
  readonly heapUsed: number;
  /** The 99th percentile of the event loop's delay since the previous question, in milliseconds. */
  readonly loopDelayMs: number;
  readonly majorCollections: number;
}

export interface Endpoint {
  readonly name: string;
  readonly url: string;
}

const ASK_WITHIN_MS = 5_000;

/** Sums a metric over its labels that contain `label`. */
export function metricOf(text: string, name: string, label = ''): number | undefined {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)) && line.includes(label))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

async function ask(url: string): Promise<Omit<NodeSample, 'at'> | undefined> {
  const text = await fetch(url, { signal: AbortSignal.timeout(ASK_WITHIN_MS) })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .catch(() => '');
  const heapUsed = metricOf(text, 'nodejs_heap_size_used_bytes');
  if (heapUsed === undefined) return undefined;
  return {
    heapUsed,
    loopDelayMs: (metricOf(text, 'nodejs_eventloop_lag_p99_seconds') ?? Number.NaN) * 1_000,
    majorCollections: metricOf(text, 'nodejs_gc_duration_seconds_count', 'kind="major"') ?? 0,
  };
}

export function watchMetrics(endpoints: readonly Endpoint[], everyMs: number) {
  const begin = performance.now();
  const samples = new Map<string, NodeSample[]>();
  const sample = async ({ name, url }: Endpoint): Promise<void> => {
    const at = (performance.now() - begin) / 1_000;
    const told = await ask(url);
    if (told === undefined) return;
    samples.set(name, [...(samples.get(name) ?? []), { at, ...told }]);
  };
  const all = (): void => {
    for (const endpoint of endpoints) void sample(endpoint);
  };
  all();
  const timer = setInterval(all, everyMs);
  return {
    samples: samples as ReadonlyMap<string, readonly NodeSample[]>,
    stop: () => clearInterval(timer),
  };
}
