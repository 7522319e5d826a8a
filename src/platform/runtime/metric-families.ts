import { type Metric, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

export type MetricFamily = MetricObjectWithValues<MetricValue<string>>;

/**
 * Returns the text of a registry together with the metrics of another process, whose series get its name as a label. The
 * lines of one metric must stand together, so that the two texts cannot simply follow each other.
 */
export async function withOtherProcess(
  registry: Registry,
  process: string,
  others: readonly MetricFamily[],
): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const families = new Map((await registry.getMetricsAsJSON()).map((family) => [family.name, family]));
  for (const other of others) {
    const own = families.get(other.name) ?? { ...other, values: [] };
    // A message between processes turns NaN into null.
    const values = other.values.map((value) => ({
      ...value,
      value: value.value ?? Number.NaN,
      labels: { ...value.labels, process },
    }));
    families.set(other.name, { ...own, values: [...own.values, ...values] });
  }
  const together = new Registry();
  for (const family of families.values()) {
    together.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  }
  return together.metrics();
}
