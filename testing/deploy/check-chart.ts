import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../src/platform/runtime/go-programs.ts';
import { buildProgram } from '../go/go.ts';
import { KUBERNETES_VERSION, kubernetesSchemas } from './kubernetes-schemas.ts';

const SOURCES = fileURLToPath(new URL('../../test/deploy/charts', import.meta.url));

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the form depends on the kind, and the schemas have checked it.
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly name: string;
  /** Why the chart does not render. */
  readonly refused?: string;
  readonly lint: readonly string[];
  readonly invalid: readonly string[];
  readonly objects: readonly KubernetesObject[];
  readonly notes: string;
}

export interface Trial {
  readonly name: string;
  readonly values: unknown;
}

/** The checker is built once for its sources, which takes about two minutes of one core. */
export async function buildChartChecker(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(SOURCES, file)));
  const built = join(cacheFolder(), `check-chart-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(built)) return built;
  await mkdir(cacheFolder(), { recursive: true });
  const draft = `${built}.${process.pid}`;
  await buildProgram(SOURCES, draft);
  await rename(draft, built);
  return built;
}

/** Lints and renders the chart with each set of values, and validates every object against Kubernetes' schemas. */
export async function checkChart(chart: string, cases: readonly Trial[]): Promise<Outcome[]> {
  const [checker, schemas] = await Promise.all([buildChartChecker(), kubernetesSchemas()]);
  const child = spawn(checker, { stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(
    JSON.stringify({ chart, schemas, kubernetesVersion: KUBERNETES_VERSION, namespace: 'collections', cases }),
  );
  const code = await ended;
  if (code !== 0) throw new Error(`the checker ended with ${code}`);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Outcome[];
}
