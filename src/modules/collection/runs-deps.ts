import type { WorkflowRuns } from '../../kernel/ports/workflow-runs.ts';
import type { CollectionDeps } from './deps.ts';

export interface RunsDeps extends CollectionDeps {
  readonly runs: WorkflowRuns;
}

/** Tells that long work goes on, and waits for that many milliseconds. It fails when the worker stops. */
export type Pause = (ms: number) => Promise<void>;
