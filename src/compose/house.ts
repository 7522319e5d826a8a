import type { UnderstandingThreads } from '../adapters/agent/threads/understanding-threads.ts';
import type { createThreadRenderer } from '../adapters/receipt-renderer/threads/renderer.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Gateway } from '../temporal/gateway.ts';

export type HouseConfig = Config & { databaseUrl: string; temporal: { address: string } };

export type Renderer = ReturnType<typeof createThreadRenderer>;

/** Known once this process's API listens, if it has one: what plays the bank notifies it as the provider would. */
export interface ApiAddress {
  url: string | null;
}

/** What the roles of one process share. */
export interface HouseParts {
  readonly config: HouseConfig;
  readonly logger: Logger;
  readonly gateway: Gateway;
  readonly renderer: Renderer;
  readonly understanding: UnderstandingThreads;
  readonly api: ApiAddress;
  /** What is opened last is closed first. */
  readonly closing: (close: () => Promise<void>) => void;
}
