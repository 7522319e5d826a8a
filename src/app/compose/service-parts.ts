import type { Argon2Cost } from '../../modules/accounts/adapters/passwords/argon2/argon2-hasher.ts';
import type { UnderstandingThreads } from '../../modules/agent/adapters/threads/understanding-threads.ts';
import type { createThreadRenderer } from '../../modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import type { Metrics } from '../../platform/runtime/metrics.ts';
import type { Gateway } from '../../platform/temporal/gateway.ts';

export type ServiceConfig = Config & {
  databaseUrl: string;
  temporal: { address: string };
  /** Tests hash cheaply. No variable of the environment sets this, so that no deployment can do so by mistake. */
  passwordCost?: Argon2Cost;
};

export type Renderer = ReturnType<typeof createThreadRenderer>;

/** The address of this process's API once it listens. The simulated bank notifies it as a provider would. */
export interface ApiAddress {
  url: string | null;
}

/** The parts that the roles of one process share. */
export interface ServiceParts {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly gateway: Gateway;
  readonly renderer: Renderer;
  readonly understanding: UnderstandingThreads;
  readonly api: ApiAddress;
  readonly metrics: Metrics;
  /** Registers a function that closes a part. The part that was opened last is closed first. */
  readonly closing: (close: () => Promise<void>) => void;
}
