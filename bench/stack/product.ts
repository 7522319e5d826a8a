import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Role } from '../../src/platform/config/index.ts';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { IMAGE_ALLOCATOR_SETTINGS, IMAGE_NODE_OPTIONS } from '../support/image-settings.ts';
import { BENCH_SECRETS } from '../support/secrets.ts';
import { type KeptProcess, keepProcess } from './process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Rates so high that no load reaches them; a benchmark measures the service and not its limits. */
const HIGH_RATES = {
  LOGIN_RATE_PER_MINUTE: '100000',
  SIGNUP_RATE_PER_MINUTE: '100000',
  PUBLIC_RATE_PER_MINUTE: '1000000',
  CLIENT_RATE_PER_MINUTE: '1000000',
};

export interface ProductPlan {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What changes between two starts of one process, such as its clock. */
  readonly changingEnv?: () => Readonly<Record<string, string>>;
}

export interface Product extends KeptProcess {
  readonly role: Role;
  /** Where an API listens. */
  readonly url: string | undefined;
  readonly metricsUrl: string;
}

/** Starts one role of the product as the image does: `quita api`, `quita worker` or `quita relay`. */
export async function startProduct(role: Role, number: number, plan: ProductPlan): Promise<Product> {
  const name = `${role}-${number}`;
  const port = await takePort({ name, preferred: 0, log: () => {} });
  const address = `http://127.0.0.1:${port}`;
  const url = role === 'api' ? address : undefined;
  const kept = keepProcess({
    name,
    command: process.execPath,
    args: [...IMAGE_NODE_OPTIONS, join(ROOT, 'src', 'main.ts'), role],
    cwd: ROOT,
    logFile: join(plan.folder, `${name}.log`),
    env: () => ({
      NODE_ENV: 'test',
      ...IMAGE_ALLOCATOR_SETTINGS,
      DATA_DIR: join(plan.folder, 'data'),
      DATABASE_URL: plan.databaseUrl,
      TEMPORAL_ADDRESS: plan.temporalAddress,
      ...(role === 'api' ? { PORT: String(port) } : { METRICS_PORT: String(port) }),
      ...BENCH_SECRETS,
      ...HIGH_RATES,
      ...plan.env,
      ...plan.changingEnv?.(),
    }),
    ...(url === undefined ? {} : { isReady: async () => (await fetch(`${url}/health/ready`)).status === 200 }),
  });
  return { ...kept, role, url, metricsUrl: `${address}/metrics` };
}
