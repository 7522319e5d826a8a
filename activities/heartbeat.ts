import type { Activities } from './contract.ts';

export interface HeartbeatDeps {
  readonly workerId: string;
  /** Rejects while the worker's database login cannot be used. */
  readonly pingDatabase: () => Promise<void>;
}

export const createHeartbeat =
  ({ workerId, pingDatabase }: HeartbeatDeps): Activities['heartbeat'] =>
  async () => {
    await pingDatabase();
    return { worker: workerId };
  };
